import { forgetWords } from '../../../home/word-index.ts';
import { sweep } from '../../../handoff/verbs/sweep.ts';
import { formatBytes } from '../../frame/bytes.ts';
import { parseDuration } from '../../frame/duration.ts';
import { exits } from '../../frame/fail.ts';
import { longRun } from '../../frame/long-run.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { UsageError } from '../../frame/usage.ts';
import { text } from '../../frame/values.ts';
import { counted } from '../../pages/words.ts';

export async function run({ values }: Invocation, session: Session): Promise<number> {
  const older = text(values, 'older-than');
  if (older === undefined)
    throw new UsageError(
      'sweep needs --older-than: how long finished tasks are kept, e.g. 90d.',
      'Try it first with --dry-run.',
    );
  const olderThanMs = parseDuration(older, 'older-than');
  const grace = text(values, 'grace');
  const graceMs = grace === undefined ? {} : { graceMs: parseDuration(grace, 'grace') };
  const { dryRun } = session;
  const swept = await longRun(session, 'sweep', async (context) => {
    const gone = await sweep(context, { olderThanMs, ...graceMs, dryRun });
    if (!dryRun) await forgetWords(context.store, gone.tasks);
    return gone;
  });
  session.output.data(
    { ...swept, ...(dryRun ? { dryRun: true } : {}) },
    () =>
      `${dryRun ? 'Would remove' : 'Removed'} ${counted(swept.tasks.length, 'task')} and ${counted(swept.blobs, 'blob')}, ${formatBytes(swept.bytes)}.`,
  );
  return exits.ok;
}
