/**
 * What only a person may approve: changes of protected paths, and whatever the contract's policy names. Judged from probed facts,
 * never from what an agent says of its own work.
 */
import type { Contract } from './contract.ts';
import { globMatcher } from './glob.ts';
import type { PolicyKind } from './terms.ts';
import { statusOf, type Change } from './workspace.ts';

export interface Changed {
  readonly changes: readonly Change[];
  /** Changes beyond those listed. */
  readonly changesLeft: number;
  /** Lines added and removed; null where nobody counted. */
  readonly lines: number | null;
}

/** Sentences, in the order of the contract; empty where an agent may approve. */
export function demandsOf(contract: Contract, changed: Changed): string[] {
  const { policy } = contract.review ?? {};
  const demands = [
    ...matches(contract.protectedPaths ?? [], changed, 'is protected'),
    ...matches(policy?.paths ?? [], changed, 'is a path for a person to judge'),
    ...(policy?.kinds ?? []).flatMap((kind) => ofKind(kind, changed)),
    ...tooMany(policy?.diffLinesMax, changed),
  ];
  const watched = (contract.protectedPaths?.length ?? 0) + (policy?.paths?.length ?? 0);
  if (changed.changesLeft > 0 && (watched > 0 || (policy?.kinds?.length ?? 0) > 0))
    demands.push(`${changed.changesLeft} more changes are not listed and may touch what is protected.`);
  return [...new Set(demands)];
}

function matches(globs: readonly string[], { changes }: Changed, words: string): string[] {
  return globs.flatMap((glob) => {
    const isMatch = globMatcher(glob);
    return changes
      .filter(({ path, from }) => isMatch(path) || (from !== undefined && isMatch(from)))
      .map(({ path }) => `${path} ${words} (${glob}).`);
  });
}

const isOfKind: Readonly<Record<PolicyKind, (change: Change) => boolean>> = {
  added: (change) => ['added', 'untracked'].includes(statusOf(change)),
  deleted: (change) => statusOf(change) === 'deleted',
  renamed: (change) => statusOf(change) === 'renamed',
  binary: ({ binary }) => binary === true,
  executable: ({ executable }) => executable === true,
  link: ({ type }) => type === 'link',
  submodule: ({ type }) => type === 'submodule',
};

function ofKind(kind: PolicyKind, { changes }: Changed): string[] {
  return changes
    .filter(isOfKind[kind])
    .map(({ path }) => `${path} is a change of a kind for a person to judge (${kind}).`);
}

function tooMany(linesMax: number | undefined, { lines }: Changed): string[] {
  if (linesMax === undefined) return [];
  if (lines === null) return [`Nobody counted the changed lines; more than ${linesMax} need a person.`];
  return lines <= linesMax ? [] : [`${lines} lines were changed; more than ${linesMax} need a person.`];
}
