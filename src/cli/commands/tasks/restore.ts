import { defined } from '../../../core/base/defined.ts';
import type { Digest } from '../../../core/journal/digest.ts';
import { noteFolder } from '../../../desk/beside.ts';
import { restore } from '../../../handoff/verbs/restore.ts';
import { howFor } from '../../../handoff/verbs/take-restored.ts';
import { load } from '../../../handoff/record/load.ts';
import { exits } from '../../frame/fail.ts';
import { packetAsked } from '../../../handoff/views/packet-asked.ts';
import { restoreFrom } from '../../call/restore-options.ts';
import { restorePart } from '../../pages/restore-page.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { text } from '../../frame/values.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const at = text(values, 'at');
  const task = await session.task(positionals[0]);
  const context = await session.context();
  const how = howFor(restoreFrom(values), task);
  await load(context, task);
  const packet: Digest | undefined =
    at === undefined ? undefined : (await packetAsked(context, task, at)).digest;
  const { dryRun } = session;
  const report = await restore(context, task, {
    ...how,
    dryRun,
    ...defined({ packet }),
  });
  if (how.worktree !== undefined && !dryRun) noteFolder(context, task, report.root);
  // What was held back does not fit into a tree that has changes by now.
  const place = dryRun ? (how.worktree ?? undefined) : 'NEW-FOLDER';
  const again = [
    'staffetta',
    'restore',
    task,
    ...(packet === undefined ? [] : ['--at', packet]),
    ...(place === undefined ? [] : ['--worktree', place]),
  ];
  session.output.data({ task, ...report, ...(dryRun ? { dryRun: true } : {}) }, () =>
    restorePart({ report, dryRun, again }, session.output.paint),
  );
  return exits.ok;
}
