import type { Digest } from '../../core/digest.ts';
import { restore } from '../../handoff/restore.ts';
import { load } from '../../handoff/load.ts';
import { exits } from '../fail.ts';
import { findPacket } from '../find-packet.ts';
import { restoreFrom } from '../restore-options.ts';
import { restorePart } from '../restore-page.ts';
import type { Session } from '../session.ts';
import type { Invocation } from '../spec.ts';
import { text } from '../values.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const how = restoreFrom(values);
  const at = text(values, 'at');
  const task = await session.task(positionals[0]);
  const context = await session.context();
  await load(context, task);
  const packet: Digest | undefined =
    at === undefined ? undefined : (await findPacket(context, task, at)).digest;
  const { dryRun } = session;
  const report = await restore(context, task, {
    ...how,
    dryRun,
    ...(packet === undefined ? {} : { packet }),
  });
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
