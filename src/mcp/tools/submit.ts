import * as z from 'zod/mini';
import { submit as handIn } from '../../handoff/verbs/finish.ts';
import { askedFor } from '../words/next-calls.ts';
import { AgreedArguments, addSaid } from '../agreed.ts';
import { foundText, SealedOutcome, sealedOutcome, sentence } from '../words/outcome.ts';
import { PacketArguments, sealingOf } from '../packet-words.ts';
import { generationArgument, keyArgument, taskArgument } from '../schema.ts';
import { annotations, tool } from '../tool.ts';

export const submit = tool({
  name: 'submit',
  title: 'Hand the work in for review',
  description:
    'Seals a packet and hands the work in. Somebody else approves it, never you and never through this server: the answer says where.',
  annotations: annotations.adds,
  input: z.strictObject({
    task: taskArgument,
    ...PacketArguments,
    ...AgreedArguments,
    generation: generationArgument,
    idempotencyKey: keyArgument,
  }),
  output: z.strictObject({
    ...SealedOutcome,
    approve: z.string().check(z.describe('Where a person looks at it and decides')),
  }),
  run: async ({ task, generation, idempotencyKey, ...words }, visit) => {
    const meant = { task, generation, idempotencyKey };
    const { context, held, input, captured, call } = await sealingOf(visit, meant, words);
    await addSaid(context, held, words, visit);
    const recorded = await handIn(context, held, input, call);
    visit.legs.forget(visit.by, held.task);
    const approve = `staffetta review ${held.task}`;
    const next = [
      `tell the person that it waits for review, in a terminal: ${approve}`,
      askedFor('wait', { task: held.task, for: 'review' }),
    ];
    const data = { ...sealedOutcome(recorded, captured?.id ?? null, next), approve };
    const done = `${held.task} is submitted for review (packet ${data.packet ?? 'none'}). A person approves with: ${approve}`;
    return { data, text: `${sentence(recorded.repeated, done, next)}${foundText(recorded)}` };
  },
});
