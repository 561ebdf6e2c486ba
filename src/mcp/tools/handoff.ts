import * as z from 'zod/mini';
import { Lane } from '../../core/task/actor.ts';
import { sanitizeLine } from '../../core/base/sanitize.ts';
import { handoff as handOver } from '../../handoff/verbs/handoff.ts';
import { eventIn } from '../../handoff/record/record.ts';
import { runtimeNames } from '../../core/resume/runtime-names.ts';
import { addressFrom } from '../address.ts';
import { AgreedArguments, addSaid } from '../agreed.ts';
import { foundText, SealedOutcome, sealedOutcome, sentence } from '../words/outcome.ts';
import { PacketArguments, sealingOf } from '../packet-words.ts';
import { generationArgument, keyArgument, taskArgument, textField } from '../schema.ts';
import { annotations, said, tool } from '../tool.ts';
import { triggerArgument } from './checkpoint.ts';

export const handoff = tool({
  name: 'handoff',
  title: 'Hand the task over',
  description:
    'Seals a packet and offers the task to another agent; you no longer hold it. A packet that is not ready is refused with findings that say what to mend: mend it and call again. In an emergency name the trigger.',
  annotations: annotations.adds,
  input: z.strictObject({
    task: taskArgument,
    to: textField(
      `anyone, lane:LANE (plan, execute, audit, supervise), runtime:NAME (${runtimeNames.join(', ')}) or agent:NAME`,
    ),
    lane: z.optional(
      Lane.check(z.describe('What the next leg is for; by default the lane addressed, else yours')),
    ),
    why: z.optional(textField('Why it changes hands')),
    ...PacketArguments,
    ...AgreedArguments,
    trigger: triggerArgument,
    generation: generationArgument,
    idempotencyKey: keyArgument,
  }),
  output: z.strictObject({ ...SealedOutcome, escalated: z.nullable(z.string()) }),
  run: async ({ task, to, lane, why, trigger, generation, idempotencyKey, ...words }, visit) => {
    const recipient = addressFrom('to', to);
    const meant = { task, generation, idempotencyKey };
    const { context, held, input, captured, call } = await sealingOf(visit, meant, words);
    await addSaid(context, held, words, visit);
    const asked = { ...input, to: recipient, ...said({ lane, why, trigger }) };
    const recorded = await handOver(context, held, asked, call);
    visit.legs.forget(visit.by, held.task);
    const escalated = eventIn(recorded.entry, 'escalated')?.text ?? null;
    const next =
      escalated === null
        ? ['stop working on this task: it is no longer yours']
        : ['a person decides now: stop working on this task'];
    const data = { ...sealedOutcome(recorded, captured?.id ?? null, next), escalated };
    const sentenceOf =
      escalated === null
        ? `${held.task} is on offer to ${recipient} (packet ${data.packet ?? 'none'}).`
        : `${held.task} was not handed over but escalated: ${sanitizeLine(escalated)}`;
    return { data, text: `${sentence(recorded.repeated, sentenceOf, next)}${foundText(recorded)}` };
  },
});
