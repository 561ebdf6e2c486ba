import * as z from 'zod/mini';
import type { CarryEvent } from '../../core/task/command.ts';
import { StaffettaError } from '../../core/base/error.ts';
import { carry } from '../../handoff/verbs/carry.ts';
import { markRead } from '../../handoff/verbs/outside.ts';
import { OutcomeOutput, toolOutcome, sentence } from '../words/outcome.ts';
import { generationArgument, keyArgument, taskArgument, textField } from '../schema.ts';
import { annotations, tool } from '../tool.ts';
import { callOf, visitStanding } from '../visit.ts';

export const note = tool({
  name: 'note',
  title: 'Write something down',
  description:
    'Writes down at once what the next agent should know: a finding, or with deadEnd what was tried and does not work. With seen, messages up to that entry count as read.',
  annotations: annotations.adds,
  input: z.strictObject({
    task: taskArgument,
    text: z.optional(textField('What you found, or tried')),
    deadEnd: z.optional(textField('Why it does not work')),
    seen: z.optional(z.int().check(z.describe('Entry of the last message you dealt with'))),
    generation: generationArgument,
    idempotencyKey: keyArgument,
  }),
  output: z.strictObject(OutcomeOutput),
  run: async (args, visit) => {
    const { text: said, deadEnd, seen } = args;
    if (said === undefined && (seen === undefined || deadEnd !== undefined))
      throw new StaffettaError('invalid-input', 'note: text is missing.', {
        hint: 'Say what should be written down.',
      });
    const { context, ...held } = await visitStanding(visit, args);
    const call = callOf(visit, args);
    // With both, the key belongs to the note; marking as read what is read changes nothing.
    const read =
      seen === undefined
        ? undefined
        : await markRead(context, held, seen, said === undefined ? call : { by: visit.by });
    const recorded = said === undefined ? read : await carry(context, held, [eventFrom(said, deadEnd)], call);
    if (recorded === undefined) throw new Error('a note writes, or marks as read');
    const words =
      said === undefined ? 'Marked as read in' : `Noted as j${recorded.entry?.seq ?? recorded.state.seq} of`;
    return { data: toolOutcome(recorded, []), text: sentence(recorded.repeated, `${words} ${held.task}.`) };
  },
});

function eventFrom(said: string, deadEnd: string | undefined): CarryEvent {
  return deadEnd === undefined
    ? { type: 'note', text: said }
    : { type: 'attempt-failed', what: said, why: deadEnd };
}
