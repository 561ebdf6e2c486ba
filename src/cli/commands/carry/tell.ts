import { tell } from '../../../handoff/verbs/outside.ts';
import { exits } from '../../frame/fail.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { report } from '../../pages/words.ts';

export async function run({ positionals }: Invocation, session: Session): Promise<number> {
  const task = await session.task(positionals[0]);
  const said = await session.words(positionals[1]);
  const recorded = await tell(await session.context(), task, said, session.call());
  report(session, recorded, `Your message waits with ${task} for its holder or the next one.`);
  return exits.ok;
}
