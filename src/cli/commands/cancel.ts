import { cancel } from '../../handoff/outside.ts';
import { exits } from '../fail.ts';
import { requiredWhy } from '../reason.ts';
import type { Session } from '../session.ts';
import type { Invocation } from '../spec.ts';
import { report } from '../words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const why = requiredWhy(values, 'cancel');
  const task = await session.task(positionals[0]);
  const recorded = await cancel(await session.context(), task, why, session.call());
  report(session, recorded, `${task} is cancelled.`);
  return exits.ok;
}
