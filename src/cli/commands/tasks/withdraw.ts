import { defined } from '../../../core/base/defined.ts';
import { withdraw } from '../../../handoff/verbs/offer.ts';
import { eventIn } from '../../../handoff/record/record.ts';
import { exits } from '../../frame/fail.ts';
import { leaseFrom } from '../../call/lease.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { text } from '../../frame/values.ts';
import { heldUntil, legExport, next, report } from '../../pages/words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const why = text(values, 'why');
  const options = {
    ...defined({ why }),
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
