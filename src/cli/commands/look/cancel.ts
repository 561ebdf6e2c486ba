import { cancelWhole } from '../../../crew/steering/steer-run.ts';
import { exits } from '../../frame/fail.ts';
import { requiredWhy } from '../../call/reason.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { report } from '../../pages/words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const why = requiredWhy(values, 'cancel');
  const task = await session.task(positionals[0]);
  const recorded = await cancelWhole(await session.context(), task, why, session.call());
  const whole = recorded.state.steering?.plan === undefined ? '' : ', and all that is left of it';
  report(session, recorded, `${task} is cancelled${whole}.`);
  return exits.ok;
}
