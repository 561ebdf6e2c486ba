/** What can be agreed with any tool that opens or hands on work: how to tell that it is done, and where it ends. */
import * as z from 'zod/mini';
import { canonical } from '../core/journal/canonical.ts';
import type { Contract } from '../core/task/contract.ts';
import { StaffettaError } from '../core/base/error.ts';
import { amend } from '../handoff/verbs/amend.ts';
import type { Held } from '../handoff/verbs/carry.ts';
import type { Context } from '../handoff/record/context.ts';
import { readContract } from '../handoff/history/history.ts';
import { load } from '../handoff/record/load.ts';
import type { ContractInput } from '../handoff/verbs/open.ts';
import { addressFrom } from './address.ts';
import { textField, textListField } from './schema.ts';
import { said } from './tool.ts';
import type { Visit } from './visit.ts';

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

/** What is said beside a packet is added to the contract first, in the name of the holder. */
export async function addSaid(
  context: Context,
  { task, generation }: Held,
  given: Given,
  { by }: Visit,
): Promise<void> {
  const part = saidPart(given);
  if (Object.keys(part).length === 0) return;
  const { state } = await load(context, task);
  const there = await readContract(context, state.contract);
  if (canonical(grown(there, part)) === canonical(there)) return;
  const why = 'Said when the work was handed on.';
  const change = (contract: Contract): Contract => grown(contract, part);
  await amend(context, task, { change, asked: { part }, why, generation }, { by });
}

function grown(contract: Contract, { acceptance, nonGoals, validation, review }: Part): Contract {
  return {
    ...contract,
    ...(acceptance === undefined ? {} : { acceptance: joined(contract.acceptance, acceptance) }),
    ...(nonGoals === undefined ? {} : { nonGoals: joined(contract.nonGoals, nonGoals) }),
    ...(validation === undefined ? {} : { validation: joined(contract.validation, validation) }),
    ...(review === undefined ? {} : { review: { ...contract.review, ...review } }),
  };
}

function joined<T>(there: readonly T[] = [], added: readonly T[]): T[] {
  const known = new Set(there.map((one) => canonical(one)));
  return [...there, ...added.filter((one) => !known.has(canonical(one)))];
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
