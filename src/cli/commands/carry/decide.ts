import { defined } from '../../../core/base/defined.ts';
import type { CarryEvent } from '../../../core/task/command.ts';
import { carry } from '../../../handoff/verbs/carry.ts';
import { answer } from '../../../handoff/verbs/outside.ts';
import { eventIn } from '../../../handoff/record/record.ts';
import { exits } from '../../frame/fail.ts';
import { address } from '../../call/address.ts';
import type { Session } from '../../call/session.ts';
import { cap, refuseBoth, refuseStray, text, texts } from '../../frame/values.ts';
import type { Invocation, Values } from '../../frame/spec.ts';
import { next, report } from '../../pages/words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const decision = cap(values, 'answer', Number.MAX_SAFE_INTEGER);
  refuseMixture(values);
  if (decision !== undefined) {
    const task = await session.task(positionals[0]);
    const said = await session.words(positionals[1]);
    const recorded = await answer(await session.context(), task, { decision, answer: said }, session.call());
    report(session, recorded, `Question ${decision} of ${task} is answered.`);
    return exits.ok;
  }
  const { task, generation } = await session.held(positionals[0]);
  const said = await session.words(positionals[1]);
  const recorded = await carry(
    await session.context(),
    { task, generation },
    [eventFrom(values, said)],
    session.call(),
  );
  const number =
    eventIn(recorded.entry, 'decision-made')?.decision ??
    eventIn(recorded.entry, 'decision-raised')?.decision;
  report(
    session,
    recorded,
    values['ask'] === true
      ? `Question ${number ?? ''} of ${task} is raised.`
      : `Decision ${number ?? ''} of ${task} is on record.`,
    { decision: number },
  );
  if (values['ask'] === true)
    next(session.output, `staffetta decide ${task} "the answer" --answer ${number ?? ''}`);
  return exits.ok;
}

function refuseMixture(values: Values): void {
  const asking = values['ask'] === true;
  refuseBoth(values, 'ask', 'answer');
  if (!asking) refuseStray(values, ['option', 'owner'], '--ask');
  if (asking || values['answer'] !== undefined)
    refuseStray(values, ['why', 'rejected'], 'a decision, not with a question or an answer');
}

const byPerson = {
  message: '--owner names an agent, a lane or a runtime',
  hint: 'Leave it out: a question without an owner is for a person to answer.',
};

function eventFrom(values: Values, said: string): CarryEvent {
  if (values['ask'] === true) {
    const options = texts(values, 'option');
    const owner = text(values, 'owner');
    return {
      type: 'decision-raised',
      question: said,
      ...defined({ options }),
      ...(owner === undefined ? {} : { owner: address(owner, byPerson) }),
    };
  }
  const why = text(values, 'why');
  const rejected = texts(values, 'rejected');
  return {
    type: 'decision-made',
    text: said,
    ...defined({ why, rejected }),
  };
}
