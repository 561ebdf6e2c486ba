import { tell } from '../../handoff/outside.ts';
import { exits } from '../fail.ts';
import type { Session } from '../session.ts';
import type { Invocation } from '../spec.ts';
import { report } from '../words.ts';

export async function run({ positionals }: Invocation, session: Session): Promise<number> {
  const task = await session.task(positionals[0]);
  const said = await session.words(positionals[1]);
  const recorded = await tell(await session.context(), task, said, session.call());
  report(session, recorded, `Your message waits with ${task} for whoever holds it next.`);
  return exits.ok;
}
