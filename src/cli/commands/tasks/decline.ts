import { decline } from '../../../handoff/verbs/carry.ts';
import { exits } from '../../frame/fail.ts';
import type { Session } from '../../call/session.ts';
import { texts } from '../../frame/values.ts';
import type { Invocation } from '../../frame/spec.ts';
import { UsageError } from '../../frame/usage.ts';
import { next, report } from '../../pages/words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const reasons = texts(values, 'why');
  if (reasons === undefined)
    throw new UsageError(
      'decline needs at least one --why.',
      'Say what must change: the giver gets it back with your words.',
    );
  const { task, state, generation, earlier } = await session.standing(positionals[0]);
  // A repeated request is fenced as it was the first time.
  const fenced = earlier === undefined ? state.leg !== null : earlier.generation !== undefined;
  const input = { reasons, ...(fenced ? { generation } : {}) };
  const recorded = await decline(await session.context(), task, input, session.call());
  const waits = recorded.state.status === 'declined';
  report(
    session,
    recorded,
    `${task}: ${recorded.entry === null ? 'you declined this offer before.' : sentence(waits)}`,
  );
  if (waits && !session.dryRun)
    next(session.output, `its giver, or a person: staffetta offer ${task} --to WHO`);
  return exits.ok;
}

function sentence(waits: boolean): string {
  return waits
    ? 'declined. It waits, with your reasons, until somebody offers it again.'
    : 'you are out of this offer. It stands for the others it was made to.';
}
