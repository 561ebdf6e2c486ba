import { withdraw } from '../../handoff/offer.ts';
import { eventIn } from '../../handoff/record.ts';
import { parseDuration } from '../duration.ts';
import { exits } from '../fail.ts';
import type { Session } from '../session.ts';
import type { Invocation } from '../spec.ts';
import { text } from '../values.ts';
import { legExport, next, report } from '../words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const why = text(values, 'why');
  const lease = text(values, 'lease');
  const options = {
    ...(why === undefined ? {} : { why }),
    ...(lease === undefined ? {} : { leaseMs: parseDuration(lease, 'lease') }),
  };
  const task = await session.task(positionals[0]);
  const recorded = await withdraw(await session.context(), task, options, session.call());
  const granted = eventIn(recorded.entry, 'leg-started')?.generation;
  if (granted === undefined) {
    report(session, recorded, `The offer of ${task} is withdrawn; nobody is asked.`);
    if (!session.dryRun) next(session.output, `staffetta offer ${task} --to WHO`);
    return exits.ok;
  }
  report(session, recorded, `The offer of ${task} is withdrawn; you hold it again, generation ${granted}.`, {
    leg: `${task}/${granted}`,
  });
  if (!session.dryRun) next(session.output, legExport(session, task, granted));
  return exits.ok;
}
