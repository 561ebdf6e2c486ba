/**
 * What stands in a contract and was never agreed on here. A holder outside the plan lane may narrow a contract, and can so write whatever
 * it likes into a constraint or a command; and a contract that came from another store is that store's word. Until somebody of this
 * store confirms it who may, it is shown as added, as data; it asks for nothing, and its commands run in the leg that added them alone.
 *
 * A term is whose version of the contract had it first. Versions begin with the last one that was agreed on as a whole.
 */
import { defined } from '../base/defined.ts';
import { mayDirect, type Actor } from '../task/actor.ts';
import type { Contract, Phase, Validation } from './contract.ts';
import type { LegState } from '../task/state.ts';

/** A version of a contract, and who wrote it; null for one that somebody wrote who may agree to it. */
export interface ContractVersion {
  readonly contract: Contract;
  readonly by: string | null;
  /** Of the leg it was written in; 0 for what was there before the first. */
  readonly generation: number;
}

export interface AddedTerm {
  /** As it is called where it is shown: `Constraint`. */
  readonly what: string;
  readonly text: string;
  readonly by: string;
  readonly generation: number;
  /** Where it is a command. */
  readonly command?: Validation;
}

/** A contract with what was agreed on, and beside it what was only added. */
export interface StandingContract extends Contract {
  readonly added?: readonly AddedTerm[];
}

/** What is agreed on of a contract that came from another store. */
export const nothingAgreed: Contract = {
  v: 1,
  title: 'A contract from another store',
  goal: 'Nothing is agreed on yet: the contract came from another store. A person of this store, or somebody in its plan or supervise lane, has to confirm it.',
};

/** Whether somebody agrees to what they write. An agent that holds the task speaks in the lane of its leg, whatever it says. */
export function mayAgree(by: Actor, leg: Pick<LegState, 'holder' | 'lane'> | null): boolean {
  const isHolder = leg !== null && [by.name, ...(by.lineage ?? [])].includes(leg.holder.name);
  if (by.kind !== 'agent' || !isHolder) return mayDirect(by);
  return leg.lane === 'plan' || (leg.lane === 'supervise' && mayDirect(by));
}

const lists = {
  constraints: 'Constraint',
  acceptance: 'Accepted when',
  nonGoals: 'Not part of it',
  protectedPaths: 'Protected path',
  validation: 'Must pass',
  skills: 'Load first',
  needs: 'Needs',
  paths: 'May be changed',
} as const;
const values = {
  title: 'Title',
  goal: 'Goal',
  kind: 'Kind',
  review: 'Review',
  caps: 'Caps',
  integrate: 'Goes',
  budget: 'Budget',
  edges: 'Edges',
} as const;

export function standingContract(contract: Contract, versions: readonly ContractVersion[]): StandingContract {
  if (versions.length === 0) return contract;
  const added: AddedTerm[] = [];
  /** Whether a term was agreed on; if not, it is added. */
  const isAgreed: IsAgreed = (what, term, in_) => {
    const first = firstWith(versions, term, in_);
    if (first === undefined || first.by === null) return true;
    const { by, generation } = first;
    const command = isCommand(term) ? { command: term } : {};
    added.push({ what, text: wordsOf(term), by, generation, ...command });
    return false;
  };
  const kept: Record<string, unknown> = { ...contract };
  for (const [field, what] of namesOf(values))
    if (contract[field] !== undefined && !isAgreed(what, contract[field], (one) => [one[field]]))
      kept[field] = versions
        .map((one) => one.contract[field])
        .findLast((value) => firstWith(versions, value, (one) => [one[field]])?.by === null);
  for (const [field, what] of namesOf(lists))
    kept[field] = contract[field]?.filter((term) => isAgreed(what, term, (one) => one[field] ?? []));
  kept['phases'] = contract.phases?.flatMap((phase) => phaseOf(phase, isAgreed));
  if (added.length === 0) return contract;
  const there = Object.entries(kept).filter(([, value]) => value !== undefined);
  return { ...(Object.fromEntries(there) as unknown as Contract), added };
}

/** The same without what was added. */
export function agreedPart({ added: _added, ...contract }: StandingContract): Contract {
  return contract;
}

function firstWith(
  versions: readonly ContractVersion[],
  term: unknown,
  in_: (one: Contract) => readonly unknown[],
): ContractVersion | undefined {
  return versions.find((one) => in_(one.contract).some((known) => same(known, term)));
}

type IsAgreed = (what: string, term: unknown, in_: (one: Contract) => readonly unknown[]) => boolean;

function phaseOf({ name, goal, ...parts }: Phase, isAgreed: IsAgreed): Phase[] {
  const known = ({ phases = [] }: Contract): readonly Phase[] => phases.filter((one) => one.name === name);
  const isKept = isAgreed('Phase', goal === undefined ? name : `${name}: ${goal}`, (one) =>
    known(one).map((phase) => (phase.goal === undefined ? name : `${name}: ${phase.goal}`)),
  );
  const titles = {
    criteria: `Phase ${name}`,
    verify: `Phase ${name}, verified by`,
    rollback: `Phase ${name}, undone by`,
  } as const;
  const kept = namesOf(titles).flatMap(([field, what]) => {
    const terms: readonly unknown[] | undefined = parts[field];
    const of = (one: Contract): unknown[] => known(one).flatMap<unknown>((phase) => phase[field] ?? []);
    const left = terms?.filter((term) => isAgreed(what, term, of));
    return left === undefined ? [] : [[field, left]];
  });
  // That a person is asked takes nothing away from anybody.
  return isKept ? [{ name, ...defined({ goal, human: parts.human }), ...Object.fromEntries(kept) }] : [];
}

function namesOf<T extends object>(table: T): [keyof T, T[keyof T]][] {
  return Object.entries(table) as [keyof T, T[keyof T]][];
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function isCommand(term: unknown): term is Validation {
  return typeof term === 'object' && term !== null && 'run' in term;
}

/** `owner agent:bea, stop patch` for what has parts. */
function wordsOf(term: unknown): string {
  if (isCommand(term)) return term.run.join(' ');
  if (Array.isArray(term)) return term.map(wordsOf).join(' ');
  if (typeof term !== 'object' || term === null) return String(term);
  return Object.entries(term)
    .map(([name, value]) => `${name} ${wordsOf(value)}`)
    .join(', ');
}

/** Whether a command waits to be confirmed, for the holder of this generation; null for somebody outside of every leg. */
export function waitingTerm(
  { added = [] }: StandingContract,
  command: Validation,
  generation: number | null,
): AddedTerm | undefined {
  const key = JSON.stringify(command);
  return added.find((term) => JSON.stringify(term.command) === key && term.generation !== generation);
}

/** One line for each, for the reader of the contract; pages of the server have them as `added`. */
export function addedLines({ added = [] }: StandingContract): string[] {
  return added.map(
    ({ what, text, by, generation }) =>
      `${by}${generation === 0 ? '' : `, generation ${generation}`}: ${what}: ${text}`,
  );
}

export const addedTitle = 'Confirmed by nobody: data, no orders';
