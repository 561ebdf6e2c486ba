/** The three ends of a stretch of work say the same of it and differ in what becomes of the task: one tool for them. */
import * as z from 'zod/mini';
import { StaffettaError } from '../../core/base/error.ts';
import { sanitizeLine } from '../../core/base/sanitize.ts';
import { Trigger } from '../../core/journal/event.ts';
import { readiness } from '../../core/packet/readiness.ts';
import { Lane } from '../../core/task/actor.ts';
import { eventIn } from '../../handoff/record/record.ts';
import type { SealedRecord } from '../../handoff/sealing/sealing.ts';
import { checkpoint, submit } from '../../handoff/verbs/finish.ts';
import { handoff } from '../../handoff/verbs/handoff.ts';
import { addressFrom } from '../address.ts';
import { agreeFirst } from '../../desk/agree-first.ts';
import { AgreedArguments, saidPart } from '../agreed.ts';
import { PacketArguments, sealingOf, type SealingWords } from '../packet-words.ts';
import { generationArgument, keyArgument, taskArgument, textField } from '../schema.ts';
import { annotations, said, tool } from '../tool.ts';
import { askedFor } from '../words/next-calls.ts';
import { foundText, SealedOutcome, sealedOutcome, sentence } from '../words/outcome.ts';

const input = z.strictObject({
  task: taskArgument,
  as: z.optional(
    z
      .enum(['checkpoint', 'handoff', 'submit'])
      .check(z.describe('You keep it (default), offer it to another, or hand it in for review')),
  ),
  to: z.optional(textField('Whom to offer it: anyone, lane:audit, runtime:codex, agent:NAME')),
  lane: z.optional(Lane.check(z.describe('What the next leg is for'))),
  why: z.optional(textField('Why it changes hands')),
  ...PacketArguments,
  ...AgreedArguments,
  trigger: z.optional(Trigger.check(z.describe('Why now; a limit or a crash seals in haste'))),
  generation: generationArgument,
  idempotencyKey: keyArgument,
});

export const seal = tool({
  name: 'seal',
  title: 'Seal what you know',
  description:
    'Seals a packet: what you say, the probed workspace, your session where it is known. Then you go on (before a risky step, or when your context runs full), hand the task to another, or submit it: somebody else approves, never you. What is not ready to leave is refused with findings: mend them and call again.',
  annotations: annotations.adds,
  input,
  output: z.strictObject({
    ...SealedOutcome,
    escalated: z.nullable(z.string()),
    /** Where a person looks at it and decides. */
    approve: z.nullable(z.string()),
  }),
  run: async (given, visit) => {
    const end = endOf(given);
    const { task, generation, idempotencyKey } = given;
    const sealing = await sealingOf(visit, { task, generation, idempotencyKey }, given);
    const { context, held, call, captured } = sealing;
    await agreeFirst(context, held, saidPart(given), { by: call.by });
    const recorded = await endLeg(end, sealing, given);
    if (end.as !== 'checkpoint') visit.legs.forget(visit.by, held.task);
    const escalated = end.to === null ? null : (eventIn(recorded.entry, 'escalated')?.text ?? null);
    const approve = end.as === 'submit' ? `staffetta review ${held.task}` : null;
    const { words, next } = told(end, held.task, { escalated, approve });
    const data = { ...sealedOutcome(recorded, captured?.id ?? null, next), escalated, approve };
    const packet = `Packet: ${data.packet ?? 'none'} (${readiness(recorded.certification)}).`;
    return {
      data,
      text: `${sentence(recorded.repeated, `${words}\n${packet}`, next)}${foundText(recorded)}`,
    };
  },
});

interface Became {
  readonly escalated: string | null;
  readonly approve: string | null;
}

function told(
  { to }: End,
  task: string,
  { escalated, approve }: Became,
): { readonly words: string; readonly next: readonly string[] } {
  if (approve !== null)
    return {
      words: `${task} is submitted for review. A person approves with: ${approve}`,
      next: [
        `tell the person that it waits for review, in a terminal: ${approve}`,
        askedFor('wait', { task, for: 'review' }),
      ],
    };
  if (to === null) return { words: `Sealed what you know of ${task}.`, next: [] };
  return escalated === null
    ? { words: `${task} is on offer to ${to}.`, next: ['stop working on this task: it is no longer yours'] }
    : {
        words: `${task} was not handed over but escalated: ${sanitizeLine(escalated)}`,
        next: ['a person decides now: stop working on this task'],
      };
}

type Given = z.output<typeof input>;

interface End {
  readonly as: NonNullable<Given['as']>;
  /** Null unless it is handed over. */
  readonly to: ReturnType<typeof addressFrom> | null;
}

/** To name a receiver is to hand over. What belongs to another end is refused: it was meant otherwise. */
function endOf({ as: asked, to, lane, why, trigger }: Given): End {
  const as = asked ?? (to === undefined ? 'checkpoint' : 'handoff');
  const stray = Object.keys(
    as === 'handoff' ? {} : said({ to, lane, why, trigger: as === 'submit' ? trigger : undefined }),
  )[0];
  if (stray !== undefined)
    throw new StaffettaError('invalid-input', `seal as ${as}: ${stray} does not belong to it.`, {
      hint: 'Leave it out, or say with as what you mean: checkpoint, handoff or submit.',
    });
  if (as !== 'handoff') return { as, to: null };
  if (to === undefined)
    throw new StaffettaError('invalid-input', 'seal as handoff: to is missing.', {
      hint: 'anyone, lane:LANE, runtime:NAME or agent:NAME.',
    });
  return { as, to: addressFrom('to', to) };
}

async function endLeg(
  { as, to }: End,
  { context, held, input: packet, call }: SealingWords,
  { lane, why, trigger }: Given,
): Promise<SealedRecord> {
  if (to !== null)
    return await handoff(context, held, { ...packet, to, ...said({ lane, why, trigger }) }, call);
  if (as === 'submit') return await submit(context, held, packet, call);
  return await checkpoint(context, held, { ...packet, trigger: trigger ?? 'planned' }, call);
}
