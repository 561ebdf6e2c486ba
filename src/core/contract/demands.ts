/**
 * What only a person may approve: changes of protected paths, and whatever the contract's policy names. Judged from probed facts,
 * never from what an agent says of its own work.
 */
import { counted } from '../base/counted.ts';
import type { Contract } from './contract.ts';
import { globMatcher, globReaches } from '../base/glob.ts';
import type { PolicyKind } from './policy-kinds.ts';
import { statusOf, type Change, type Committed, type Submodule } from '../tree/workspace.ts';

export interface Changed {
  readonly changes: readonly Change[];
  /** Changes beyond those listed. */
  readonly changesLeft: number;
  /** What was committed since the work began; undefined where nobody knows. */
  readonly committed?: Committed | undefined;
  readonly isGit: boolean;
  readonly submodules?: readonly Submodule[] | undefined;
  /** Lines added and removed in the diff; null where nobody counted. */
  readonly lines: number | null;
  /** The diff shows what was committed, too. */
  readonly linesCommitted?: boolean;
}

/** A changed path, committed or not. */
type Touched = Pick<Change, 'path' | 'from' | 'type' | 'executable' | 'binary'> & { readonly status: string };

/** Sentences, in the order of the contract; empty where an agent may approve. */
export function demandsOf(contract: Contract, changed: Changed): string[] {
  const { policy } = contract.review ?? {};
  const touched: Touched[] = [
    ...changed.changes.map((change) => ({ ...change, status: statusOf(change) })),
    ...(changed.committed?.files ?? []),
  ];
  const demands = [
    ...matches(contract.protectedPaths ?? [], touched, 'is protected'),
    ...inside(contract.protectedPaths ?? [], touched, changed),
    ...matches(policy?.paths ?? [], touched, 'is a path for a person to judge'),
    ...inside(policy?.paths ?? [], touched, changed),
    ...(policy?.kinds ?? []).flatMap((kind) => ofKind(kind, touched)),
    ...tooMany(policy?.diffLinesMax, linesOf(changed)),
  ];
  if (isWatching(contract)) demands.push(...unseen(changed));
  return [...new Set(demands)];
}

function isWatching({ protectedPaths, review }: Contract): boolean {
  const { policy } = review ?? {};
  return [protectedPaths, policy?.paths, policy?.kinds].some((list) => (list?.length ?? 0) > 0);
}

/** Work that is handed in from where git does not tell what changed. */
export function outsideGitDemands(contract: Contract): string[] {
  return isWatching(contract)
    ? ['It was handed in from outside a git repository, where nobody can tell what was changed.']
    : [];
}

/** Whatever only a person may approve, by path. */
export function watchedGlobs({ protectedPaths = [], review }: Contract): string[] {
  return [...new Set([...protectedPaths, ...(review?.policy?.paths ?? [])])];
}

/** More of them are counted, not named. */
const ignoredMax = 20;

/**
 * What git ignores is in no diff: it demands a person where it changed after the task was opened. Without a copy of how it was nobody
 * can tell more, and nothing of such a file may be kept, for it is often a file of secrets.
 */
export function ignoredDemands(
  contract: Contract,
  ignored: readonly { readonly path: string; readonly changedAt: number }[],
  openedAt: number,
): string[] {
  const changed = ignored.filter(({ changedAt }) => changedAt > openedAt);
  const demands = new Map<string, string>();
  const watch = (globs: readonly string[], words: string): void => {
    for (const glob of globs) {
      const isMatch = globMatcher(glob);
      for (const { path } of changed)
        if (isMatch(path) && !demands.has(path))
          demands.set(
            path,
            `${path} ${words} (${glob}): git ignores it, and it changed after the task was opened.`,
          );
    }
  };
  watch(contract.protectedPaths ?? [], 'is protected');
  watch(contract.review?.policy?.paths ?? [], 'is a path for a person to judge');
  const left = demands.size - ignoredMax;
  return [
    ...[...demands.values()].slice(0, ignoredMax),
    ...(left > 0
      ? [`${left} more that git ignores are protected and changed after the task was opened.`]
      : []),
  ];
}

/** What may touch something watched, and nobody can tell. */
function unseen({ changesLeft, committed, isGit }: Changed): string[] {
  const left = changesLeft + (committed?.left ?? 0);
  return [
    ...(left > 0 ? [`${left} more changes are not listed and may touch what is protected.`] : []),
    ...(committed?.gone === true
      ? ['The commit where the work began is gone, and what was committed since may touch what is protected.']
      : []),
    ...(isGit && committed === undefined
      ? ['Nobody recorded where the work began, and what was committed since may touch what is protected.']
      : []),
  ];
}

function matches(globs: readonly string[], touched: readonly Touched[], words: string): string[] {
  return globs.flatMap((glob) => {
    const isMatch = globMatcher(glob);
    return touched
      .filter(({ path, from }) => isMatch(path) || (from !== undefined && isMatch(from)))
      .map(({ path }) => `${path} ${words} (${glob}).`);
  });
}

/**
 * A path can be watched below a changed one: in a submodule, whose own changes are not listed, or behind what took the place of a folder.
 */
function inside(
  globs: readonly string[],
  touched: readonly Touched[],
  { submodules = [] }: Changed,
): string[] {
  const moved = submodules.filter(({ dirty, head, commit }) => dirty || (head !== null && head !== commit));
  const [modules, others] = [new Set(moved.map(({ path }) => path)), new Set<string>()];
  for (const { path, from, type } of touched)
    for (const one of from === undefined ? [path] : [path, from])
      (type === 'submodule' ? modules : others).add(one);
  return globs.flatMap((glob) => {
    const [isMatch, reaches] = [globMatcher(glob), globReaches(glob)];
    const literal = glob.replace(/^(?:\.?\/+)+/, '').replace(/\/{2,}/g, '/');
    return [
      ...[...modules].filter((path) => reaches(path)),
      ...[...others].filter((path) => literal.startsWith(`${path}/`)),
    ]
      .filter((path) => !isMatch(path))
      .map((path) => `${path} was changed, and what is watched may lie inside it (${glob}).`);
  });
}

const isOfKind: Readonly<Record<PolicyKind, (touched: Touched) => boolean>> = {
  added: ({ status }) => status === 'added' || status === 'untracked',
  deleted: ({ status }) => status === 'deleted',
  renamed: ({ status }) => status === 'renamed',
  binary: ({ binary }) => binary === true,
  executable: ({ executable }) => executable === true,
  link: ({ type }) => type === 'link',
  submodule: ({ type }) => type === 'submodule',
};

function ofKind(kind: PolicyKind, touched: readonly Touched[]): string[] {
  return touched
    .filter(isOfKind[kind])
    .map(({ path }) => `${path} is a change of a kind for a person to judge (${kind}).`);
}

/** Committed lines and those since; where the diff does not show both, a line that was changed twice counts twice. */
function linesOf({ lines, linesCommitted, committed, isGit }: Changed): number | null {
  if (lines === null || !isGit || linesCommitted === true) return lines;
  if (committed === undefined || committed.added === null || committed.removed === null) return null;
  return lines + committed.added + committed.removed;
}

function tooMany(linesMax: number | undefined, lines: number | null): string[] {
  if (linesMax === undefined) return [];
  if (lines === null) return [`Nobody counted the changed lines; more than ${linesMax} need a person.`];
  return lines <= linesMax
    ? []
    : [`${counted(lines, 'line was', 'lines were')} changed; more than ${linesMax} need a person.`];
}
