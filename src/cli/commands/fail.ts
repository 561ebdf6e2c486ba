import { fail } from '../../handoff/finish.ts';
import { exits } from '../fail.ts';
import { requiredWhy } from '../reason.ts';
import type { Session } from '../session.ts';
import type { Invocation } from '../spec.ts';
import { report } from '../words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const why = requiredWhy(values, 'fail');
  const { task, generation } = await session.held(positionals[0]);
  const recorded = await fail(await session.context(), { task, generation }, why, session.call());
  report(session, recorded, `${task} has failed.`);
  return exits.ok;
}
