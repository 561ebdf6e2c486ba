import { cancel } from '../../../handoff/verbs/outside.ts';
import { exits } from '../../frame/fail.ts';
import { requiredWhy } from '../../call/reason.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { report } from '../../pages/words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const why = requiredWhy(values, 'cancel');
  const task = await session.task(positionals[0]);
  const recorded = await cancel(await session.context(), task, why, session.call());
  report(session, recorded, `${task} is cancelled.`);
  return exits.ok;
}
