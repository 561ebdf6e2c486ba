/**
 * What is said of a contract while its work is handed on is agreed first, as `amend` would do it, in the name of who speaks. Lists grow,
 * unless they are to be replaced; everything else is set.
 */
import { canonical } from '../core/journal/canonical.ts';
import { mayDirect, type Actor } from '../core/task/actor.ts';
import type { Contract } from '../core/contract/contract.ts';
import type { TaskId } from '../core/journal/id.ts';
import type { TaskState } from '../core/task/state.ts';
import { readContract } from '../handoff/history/history.ts';
import type { Context } from '../handoff/record/context.ts';
import type { Call } from '../handoff/record/record.ts';
import { supposing } from '../handoff/record/supposing.ts';
import { amend, type Amendment } from '../handoff/verbs/amend.ts';
import type { Held } from '../handoff/verbs/carry.ts';
import type { ContractInput } from '../handoff/verbs/open.ts';

/** What is said about a contract. Needs are made elsewhere: they take what is there. */
export type ContractGiven = Partial<Omit<ContractInput, 'needs'>>;

export interface Agreed {
  readonly state: TaskState;
  readonly contract: Contract;
  /** Whether the caller may amend it, so far as the gate of amending does not object. */
  readonly mayAmend: boolean;
}

export async function agreedUnder(context: Context, state: TaskState, by: Actor): Promise<Agreed> {
  const contract = await readContract(context, state.contract);
  return { state, contract, mayAmend: mayDirect(by) || state.leg?.holder.name === by.name };
}

/** The contract as it would read. */
export function withPart({ contract }: Pick<Agreed, 'contract'>, part: ContractGiven): Contract {
  return grownContract(contract, part);
}

export function changesIt(agreed: Agreed, part: ContractGiven): boolean {
  return canonical(withPart(agreed, part)) !== canonical(agreed.contract);
}

export function amendmentWith(part: ContractGiven, why: string): Amendment {
  return { change: (contract) => grownContract(contract, part), asked: { part }, why };
}

export interface Agreement {
  /** Where it was agreed: in a dry run only supposed, so that what comes after it is judged as it would be. */
  readonly context: Context;
  /** What was amended. */
  readonly fields: readonly string[];
}

export async function agreeFirst(
  context: Context,
  { task, generation, state }: Held & { readonly state: TaskState },
  part: ContractGiven,
  { by, dryRun }: Pick<Call, 'by' | 'dryRun'>,
): Promise<Agreement> {
  const fields = Object.keys(part);
  if (fields.length === 0 || !changesIt(await agreedUnder(context, state, by), part))
    return { context, fields: [] };
  const where = dryRun === true ? supposing(context) : context;
  const amendment = amendmentWith(part, 'Said when the work was handed on.');
  await amend(where, task, { ...amendment, generation }, { by });
  return { context: where, fields };
}

const lists = ['acceptance', 'constraints', 'nonGoals', 'protectedPaths', 'validation', 'skills'] as const;

export function grownContract(
  contract: Contract,
  part: ContractGiven,
  { needs = [], replace = false }: { readonly needs?: readonly TaskId[]; readonly replace?: boolean } = {},
): Contract {
  const grown = Object.fromEntries(
    lists
      .filter((list) => part[list] !== undefined)
      .map((list) => [list, replace ? part[list] : joined<unknown>(contract[list], part[list])]),
  );
  const needed = needs.length === 0 ? {} : { needs: replace ? [...needs] : joined(contract.needs, needs) };
  const review =
    part.review === undefined ? {} : { review: grownReview(contract.review, part.review, replace) };
  const caps = part.caps === undefined ? {} : { caps: { ...contract.caps, ...part.caps } };
  return { ...contract, ...part, ...grown, ...needed, ...review, ...caps };
}

/** Who reviews is set; what only a person may approve grows. */
function grownReview(
  there: Contract['review'],
  given: NonNullable<Contract['review']>,
  replace: boolean,
): Contract['review'] {
  const { policy } = given;
  if (policy === undefined || replace) return { ...there, ...given };
  const before = there?.policy ?? {};
  return {
    ...there,
    ...given,
    policy: {
      ...before,
      ...policy,
      ...(policy.paths === undefined ? {} : { paths: joined(before.paths, policy.paths) }),
      ...(policy.kinds === undefined ? {} : { kinds: joined(before.kinds, policy.kinds) }),
    },
  };
}

/** With what is new at the end; what stands there already is not added again. */
function joined<T>(there: readonly T[] = [], added: readonly T[] = []): T[] {
  const all = new Map([...there, ...added].map((one) => [canonical(one), one]));
  return [...all.values()];
}
