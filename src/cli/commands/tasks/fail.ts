import { fail } from '../../../handoff/verbs/finish.ts';
import { exits } from '../../frame/fail.ts';
import { requiredWhy } from '../../call/reason.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { report } from '../../pages/words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const why = requiredWhy(values, 'fail');
  const { task, generation } = await session.held(positionals[0]);
  const recorded = await fail(await session.context(), { task, generation }, why, session.call());
  report(session, recorded, `${task} has failed.`);
  return exits.ok;
}
