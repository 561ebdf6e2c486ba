import * as z from 'zod/mini';
import { Trigger } from '../../core/journal/event.ts';
import { readiness } from '../../core/packet/readiness.ts';
import { checkpoint as seal } from '../../handoff/verbs/finish.ts';
import { foundText, SealedOutcome, sealedOutcome, sentence } from '../words/outcome.ts';
import { PacketArguments, sealingOf } from '../packet-words.ts';
import { generationArgument, keyArgument, taskArgument } from '../schema.ts';
import { annotations, tool } from '../tool.ts';

export const triggerArgument = z.optional(
  Trigger.check(z.describe('Why now (planned). A limit, a timeout or a crash seals what there is, in haste')),
);

export const checkpoint = tool({
  name: 'checkpoint',
  title: 'Seal what you know so far',
  description:
    'Seals a packet: what you claim, the probed state of the workspace, and your session since the last packet where it is known. You go on holding the task. Do it before a risky step, and when your context runs full.',
  annotations: annotations.adds,
  input: z.strictObject({
    task: taskArgument,
    ...PacketArguments,
    trigger: triggerArgument,
    generation: generationArgument,
    idempotencyKey: keyArgument,
  }),
  output: z.strictObject(SealedOutcome),
  run: async ({ task, trigger = 'planned', generation, idempotencyKey, ...words }, visit) => {
    const meant = { task, generation, idempotencyKey };
    const { context, held, input, captured, call } = await sealingOf(visit, meant, words);
    const recorded = await seal(context, held, { ...input, trigger }, call);
    const data = sealedOutcome(recorded, captured?.id ?? null, []);
    const done = `Sealed a packet of ${held.task}: ${data.packet ?? 'none'} (${readiness(recorded.certification)}).`;
    return { data, text: `${sentence(recorded.repeated, done)}${foundText(recorded)}` };
  },
});
