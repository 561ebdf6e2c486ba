import type { CarryEvent } from '../../core/command.ts';
import { carry } from '../../handoff/carry.ts';
import { exits } from '../fail.ts';
import type { Session } from '../session.ts';
import type { Invocation } from '../spec.ts';
import { text } from '../values.ts';
import { report } from '../words.ts';

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
