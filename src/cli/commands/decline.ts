import { decline } from '../../handoff/carry.ts';
import { exits } from '../fail.ts';
import type { Session } from '../session.ts';
import { texts } from '../values.ts';
import type { Invocation } from '../spec.ts';
import { UsageError } from '../usage.ts';
import { report } from '../words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const reasons = texts(values, 'reason');
  if (reasons === undefined)
    throw new UsageError(
      'decline needs at least one --reason.',
      'Say what must change: the giver gets it back with your words.',
    );
  const { task, state, generation, earlier } = await session.standing(positionals[0]);
  // A repeated request is fenced as it was the first time.
  const fenced = earlier === undefined ? state.leg !== null : earlier.generation !== undefined;
  const input = { reasons, ...(fenced ? { generation } : {}) };
  const recorded = await decline(await session.context(), task, input, session.call());
  report(session, recorded, `Declined ${task}.`);
  return exits.ok;
}
