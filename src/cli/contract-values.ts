import type { Address } from '../core/address.ts';
import type { ContractInput } from '../handoff/open.ts';
import { address } from './address.ts';
import type { Values } from './spec.ts';
import { isSlip } from '../core/suggest.ts';
import { UsageError } from './usage.ts';
import { splitCommand } from './split-command.ts';
import { cap, text, texts } from './values.ts';

/** What `open` and `amend` say about a contract on the command line. */
export type ContractPart = Partial<Omit<ContractInput, 'needs'>>;

const capMax = 1_000_000;

/** Only what was said; needs are resolved elsewhere, because that takes the store. */
export function contractFrom(values: Values): ContractPart {
  const caps = {
    attempts: cap(values, 'attempts', capMax),
    rework: cap(values, 'rework', capMax),
    hops: cap(values, 'hops', capMax),
  };
  return defined({
    title: text(values, 'title'),
    kind: text(values, 'kind'),
    acceptance: texts(values, 'accept'),
    constraints: texts(values, 'constraint'),
    nonGoals: texts(values, 'non-goal'),
    protectedPaths: texts(values, 'protect'),
    validation: texts(values, 'validate')?.map((command) => ({ run: splitCommand(command) })),
    review: reviewFrom(text(values, 'review'), text(values, 'stop')),
    caps: Object.values(caps).every((value) => value === undefined) ? undefined : defined(caps),
  }) as ContractPart;
}

/** Who approves, and where to stop, in the words of the command line. */
export function reviewFrom(who: string | undefined, stop: string | undefined): ContractInput['review'] {
  if (who === undefined && stop === undefined) return undefined;
  const owner: { owner?: Address; human?: boolean } =
    who === undefined ? {} : who === 'human' ? { human: true } : { owner: reviewer(who) };
  return { ...owner, ...(stop === undefined ? {} : { stop: stop as 'patch' | 'artefact' | 'verified' }) };
}

function reviewer(who: string): Address {
  const words = { message: 'A person who approves is called "human"', hint: 'Write: --review human.' };
  if (isSlip(who, 'human'))
    throw new UsageError(`Who is ${who}? Did you mean human?`, `Write human, or agent:${who}.`);
  return address(who, words);
}

export function defined<T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
