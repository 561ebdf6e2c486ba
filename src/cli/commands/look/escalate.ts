import { escalate } from '../../../handoff/verbs/outside.ts';
import { exits } from '../../frame/fail.ts';
import { requiredWhy } from '../../call/reason.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { next, report } from '../../pages/words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const why = requiredWhy(values, 'escalate');
  const { task, state, generation, earlier } = await session.standing(positionals[0]);
  // A repeated request is fenced as it was the first time.
  const fenced = earlier === undefined ? state.leg !== null : earlier.generation !== undefined;
  const input = { text: why, ...(fenced ? { generation } : {}) };
  const recorded = await escalate(await session.context(), task, input, session.call());
  report(session, recorded, `${task} waits for a person's decision.`);
  if (!session.dryRun) next(session.output, `why, and the ways out: staffetta show ${task}`);
  return exits.ok;
}
