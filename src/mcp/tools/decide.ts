import * as z from 'zod/mini';
import type { CarryEvent } from '../../core/task/command.ts';
import { isPersonAddress } from '../../core/task/address-words.ts';
import { StaffettaError } from '../../core/base/error.ts';
import { carry } from '../../handoff/verbs/carry.ts';
import { answer } from '../../handoff/verbs/outside.ts';
import { eventIn } from '../../handoff/record/record.ts';
import { addressFrom } from '../address.ts';
import { askedFor } from '../words/next-calls.ts';
import { OutcomeOutput, toolOutcome, sentence } from '../words/outcome.ts';
import { generationArgument, keyArgument, taskArgument, textField, textListField } from '../schema.ts';
import { annotations, said, tool } from '../tool.ts';
import { callOf, visitStanding, visitTask } from '../visit.ts';

const input = z.strictObject({
  task: taskArgument,
  text: z.string(),
  why: z.optional(textField('Reason of a decision')),
  rejected: z.optional(textListField('Alternatives turned down')),
  ask: z.optional(z.boolean().check(z.describe('text is a question for somebody else'))),
  options: z.optional(textListField('Possible answers')),
  owner: z.optional(textField('Who answers: human (default), or an address')),
  answer: z.optional(z.int().check(z.describe('Number of the question that text answers'))),
  generation: generationArgument,
  idempotencyKey: keyArgument,
});

export const decide = tool({
  name: 'decide',
  title: 'Decide, ask or answer',
  description: 'Records a decision; with ask, raises a question (then wait); with answer, answers one.',
  annotations: annotations.adds,
  input,
  output: z.strictObject({ ...OutcomeOutput, decision: z.nullable(z.int()) }),
  run: async (args, visit) => {
    refuseMixture(args);
    const call = callOf(visit, args);
    if (args.answer !== undefined) {
      const task = await visitTask(visit, args.task);
      const input = { decision: args.answer, answer: args.text };
      const recorded = await answer(await visit.place.context(), task, input, call);
      const data = { ...toolOutcome(recorded, []), decision: args.answer };
      return { data, text: sentence(recorded.repeated, `Question ${args.answer} of ${task} is answered.`) };
    }
    const { context, ...held } = await visitStanding(visit, args);
    const recorded = await carry(context, held, [eventFrom(args)], call);
    const { entry } = recorded;
    const decision = (eventIn(entry, 'decision-made') ?? eventIn(entry, 'decision-raised'))?.decision ?? null;
    const asked = args.ask === true;
    const next = asked
      ? [askedFor('wait', { task: held.task, for: 'answer' }), 'go on with what does not depend on it']
      : [];
    const words = asked
      ? `Question ${decision} of ${held.task} is raised.`
      : `Decision ${decision} of ${held.task} is on record.`;
    return {
      data: { ...toolOutcome(recorded, next), decision },
      text: sentence(recorded.repeated, words, next),
    };
  },
});

type Given = z.output<typeof input>;

function refuseMixture({ ask, answer: number, why, rejected, options, owner }: Given): void {
  const asks = ask === true;
  const wrong =
    asks && number !== undefined
      ? 'ask and answer exclude each other'
      : !asks && (options !== undefined || owner !== undefined)
        ? 'options and owner belong to a question: set ask'
        : (asks || number !== undefined) && (why !== undefined || rejected !== undefined)
          ? 'why and rejected belong to a decision, not to a question or an answer'
          : undefined;
  if (wrong !== undefined)
    throw new StaffettaError('invalid-input', `decide: ${wrong}.`, { hint: 'Make one call for each.' });
}

function eventFrom({ text: words, ask, options, owner, why, rejected }: Given): CarryEvent {
  if (ask === true)
    return {
      type: 'decision-raised',
      question: words,
      ...said({
        options,
        owner: owner === undefined || isPersonAddress(owner) ? undefined : addressFrom('owner', owner),
      }),
    };
  return { type: 'decision-made', text: words, ...said({ why, rejected }) };
}
