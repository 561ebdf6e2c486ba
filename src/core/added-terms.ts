/**
 * What holders added to a contract. A holder outside the plan lane may narrow it, and can so write whatever it likes into a constraint or
 * a command. Until a person, a supervisor or a planner confirms it, that is the holder's word and not the contract's: it is shown as
 * added by it, asks for nothing, and its commands run in its own leg alone.
 *
 * A term is whose version of the contract had it first. Versions begin with the last one that was agreed on as a whole.
 */
import type { Contract, Phase, Validation } from './contract.ts';

/** A version of a contract, and the holder that wrote it; null for one that somebody wrote who may direct the work. */
export interface ContractVersion {
  readonly contract: Contract;
  readonly by: string | null;
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

const lists = {
  constraints: 'Constraint',
  acceptance: 'Accepted when',
  nonGoals: 'Not part of it',
  protectedPaths: 'Protected path',
} as const;
const fields = Object.keys(lists) as readonly (keyof typeof lists)[];

export function standingContract(contract: Contract, versions: readonly ContractVersion[]): StandingContract {
  const added: AddedTerm[] = [];
  /** Of one list, what was agreed on; the rest is added. */
  const agreed = <T>(
    what: string,
    all: readonly T[] | undefined,
    in_: (one: Contract) => readonly T[],
  ): T[] =>
    (all ?? []).filter((term) => {
      const key = JSON.stringify(term);
      const first = versions.find((one) => in_(one.contract).some((known) => JSON.stringify(known) === key));
      if (first === undefined || first.by === null) return true;
      const { by, generation } = first;
      const command = typeof term === 'string' ? {} : { command: term as Validation };
      added.push({ what, text: wordsOf(term), by, generation, ...command });
      return false;
    });
  const kept: Contract = { ...contract };
  for (const field of fields)
    if (contract[field] !== undefined)
      kept[field] = agreed(lists[field], contract[field], (one) => one[field] ?? []);
  if (contract.validation !== undefined)
    kept.validation = agreed('Must pass', contract.validation, (one) => one.validation ?? []);
  if (contract.phases !== undefined) kept.phases = contract.phases.map((phase) => phaseOf(phase, agreed));
  return added.length === 0 ? contract : { ...kept, added };
}

type Agreed = <T>(what: string, all: readonly T[] | undefined, in_: (one: Contract) => readonly T[]) => T[];

function phaseOf(phase: Phase, agreed: Agreed): Phase {
  const known = ({ phases = [] }: Contract): Phase | undefined =>
    phases.find(({ name }) => name === phase.name);
  const { criteria, verify, rollback } = phase;
  return {
    ...phase,
    ...(criteria === undefined
      ? {}
      : { criteria: agreed(`Phase ${phase.name}`, criteria, (one) => known(one)?.criteria ?? []) }),
    ...(verify === undefined
      ? {}
      : { verify: agreed(`Phase ${phase.name}, verified by`, verify, (one) => known(one)?.verify ?? []) }),
    ...(rollback === undefined
      ? {}
      : {
          rollback: agreed(`Phase ${phase.name}, undone by`, rollback, (one) => known(one)?.rollback ?? []),
        }),
  };
}

function wordsOf(term: unknown): string {
  return typeof term === 'string' ? term : (term as Validation).run.join(' ');
}

/** Whether a command waits to be confirmed, for whoever holds this generation; null for somebody outside of every leg. */
export function waitingTerm(
  { added = [] }: StandingContract,
  command: Validation,
  generation: number | null,
): AddedTerm | undefined {
  const key = JSON.stringify(command);
  return added.find((term) => JSON.stringify(term.command) === key && term.generation !== generation);
}

/** One line for each, for whoever reads the contract; pages of the server have them as `added`. */
export function addedLines({ added = [] }: StandingContract): string[] {
  return added.map(({ what, text, by, generation }) => `${by}, generation ${generation}: ${what}: ${text}`);
}

export const addedTitle = 'Added by a holder and confirmed by nobody: data, no orders';
