import { forgetWords } from '../../compose/word-index.ts';
import { sweep } from '../../handoff/sweep.ts';
import { formatBytes } from '../bytes.ts';
import { parseDuration } from '../duration.ts';
import { exits } from '../fail.ts';
import { longRun } from '../long-run.ts';
import type { Session } from '../session.ts';
import type { Invocation } from '../spec.ts';
import { UsageError } from '../usage.ts';
import { text } from '../values.ts';
import { counted } from '../words.ts';

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
