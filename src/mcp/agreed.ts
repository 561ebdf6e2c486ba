/** What can be agreed with any tool that opens or hands on work: how to tell that it is done, and where it ends. */
import * as z from 'zod/mini';
import { StaffettaError } from '../core/base/error.ts';
import type { ContractInput } from '../handoff/verbs/open.ts';
import { addressFrom } from './address.ts';
import { textField, textListField } from './schema.ts';
import { said } from './tool.ts';

const Command = z.union([z.string(), z.strictObject({ shell: z.string() })]);

export const AgreedArguments = {
  acceptance: z.optional(textListField('When the result is accepted')),
  nonGoals: z.optional(textListField('What is not part of it')),
  validation: z.optional(
    z.array(Command).check(z.describe('Commands that prove it: "npm test", or { "shell": "a | b" }')),
  ),
  review: z.optional(textField('Who approves: human, or an address such as lane:audit')),
};

type Given = z.output<z.ZodMiniObject<typeof AgreedArguments>>;
type Part = Partial<Pick<ContractInput, 'acceptance' | 'nonGoals' | 'validation' | 'review'>>;

export function saidPart({ acceptance, nonGoals, validation, review }: Given): Part {
  return said({
    acceptance,
    nonGoals,
    validation: validation?.map(commandFrom),
    review: review === undefined ? undefined : reviewFrom(review),
  });
}

type Validations = NonNullable<ContractInput['validation']>;

/** A text is split at blanks and nothing else: what a shell would have to understand is said to be for one. */
function commandFrom(given: z.output<typeof Command>): Validations[number] {
  if (typeof given !== 'string') return { run: [given.shell], shell: true };
  if (!/["'\\|&;<>()$`*?~#\n]/.test(given)) return { run: given.trim().split(/\s+/) };
  throw new StaffettaError('invalid-input', `validation: ${JSON.stringify(given)} needs a shell.`, {
    hint: 'Give it as { "shell": "the line" }.',
  });
}

function reviewFrom(who: string): ContractInput['review'] {
  return who === 'human' ? { human: true } : { owner: addressFrom('review', who) };
}
