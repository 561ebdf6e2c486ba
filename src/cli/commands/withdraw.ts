import { withdraw } from '../../handoff/offer.ts';
import { eventIn } from '../../handoff/record.ts';
import { exits } from '../fail.ts';
import { leaseFrom } from '../lease.ts';
import type { Session } from '../session.ts';
import type { Invocation } from '../spec.ts';
import { text } from '../values.ts';
import { heldUntil, legExport, next, report } from '../words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const why = text(values, 'why');
  const options = {
    ...(why === undefined ? {} : { why }),
    leaseMs: leaseFrom(values),
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
  if (session.dryRun) return exits.ok;
  if (recorded.leaseUntil !== null) session.output.say(heldUntil(task, recorded.leaseUntil));
  next(session.output, legExport(session, task, granted));
  return exits.ok;
}
