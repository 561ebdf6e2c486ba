import type { CarryEvent } from '../../../core/task/command.ts';
import { carry } from '../../../handoff/verbs/carry.ts';
import { exits } from '../../frame/fail.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { text } from '../../frame/values.ts';
import { report } from '../../pages/words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const deadEnd = text(values, 'dead-end');
  const { task, generation } = await session.held(positionals[0]);
  const said = await session.words(positionals[1]);
  const event: CarryEvent =
    deadEnd === undefined
      ? { type: 'note', text: said }
      : { type: 'attempt-failed', what: said, why: deadEnd };
  const recorded = await carry(await session.context(), { task, generation }, [event], session.call());
  report(session, recorded, `Noted as entry ${recorded.entry?.seq ?? recorded.state.seq} of ${task}.`);
  return exits.ok;
}
