/**
 * Facts probed when a packet was sealed, held against facts probed now. One line per fact: still as it was, changed, committed since, gone, or new.
 * A path that was changed and is no change any more is looked at: gone is only what is not there. What is there, and not as it was, is
 * `undone`: the work on it is not in this tree, in a fresh clone say.
 * Only the wording is decided here; nothing is probed.
 */
import { canonical } from '../journal/canonical.ts';
import { changeWords, statusOf, type Change, type GitFacts, type WorkspaceFacts } from './workspace.ts';

export type DriftStanding = 'same' | 'changed' | 'committed' | 'undone' | 'gone' | 'new';

export interface Drift {
  /** What the fact is about: `head`, `branch`, `tree`, or a path. */
  readonly fact: string;
  readonly was: string | null;
  readonly is: string | null;
  readonly standing: DriftStanding;
}

/** What lies at a path now, for those that are no longer changed. */
export type LyingAt = ReadonlyMap<string, Lying>;
type Lying = Pick<Change, 'type' | 'digest' | 'target'>;

/** Paths that were changed and are not any more: what lies there now has to be looked at. */
export function noLongerChanged(then: WorkspaceFacts, now: WorkspaceFacts): string[] {
  const after = new Set(now.changes.map(({ path }) => path));
  const end = listedUpTo(now);
  return then.changes
    .map(({ path }) => path)
    .filter((path) => !after.has(path) && (end === undefined || path <= end));
}

/** `now` is null where there is no workspace any more. */
export function driftOf(
  then: WorkspaceFacts,
  now: WorkspaceFacts | null,
  lying: LyingAt = new Map(),
): Drift[] {
  return [
    drift('workspace', then.root, now?.root ?? null),
    drift('tree', then.digest, now?.digest ?? null),
    ...gitDrift(then.git, now?.git ?? null),
    ...changeDrift(then, now, lying),
  ];
}

function drift(fact: string, was: string | null, is: string | null): Drift {
  return { fact, was, is, standing: standingOf(was, is) };
}

function standingOf(was: string | null, is: string | null): DriftStanding {
  if (was === is) return 'same';
  if (is === null) return 'gone';
  return was === null ? 'new' : 'changed';
}

function gitDrift(then: GitFacts | null, now: GitFacts | null): Drift[] {
  if (then === null && now === null) return [];
  const facts: readonly [name: string, of: (git: GitFacts) => string | null][] = [
    ['head', (git) => git.head],
    ['branch', (git) => git.branch ?? 'detached'],
    ['base', (git) => git.base && `${git.base.ref} at ${git.base.commit}`],
    ['upstream', (git) => git.upstream && upstreamWords(git.upstream)],
    ['operation', (git) => git.operation && git.operation.kind],
  ];
  return facts
    .map(([name, of]) => drift(name, then && of(then), now && of(now)))
    .filter(({ was, is }) => was !== null || is !== null);
}

function upstreamWords({ name, ahead, behind }: NonNullable<GitFacts['upstream']>): string {
  return ahead === null || behind === null ? `${name} (gone)` : `${name} +${ahead} -${behind}`;
}

function changeDrift(then: WorkspaceFacts, now: WorkspaceFacts | null, lying: LyingAt): Drift[] {
  const before = new Map(then.changes.map((change) => [change.path, change]));
  const after = new Map(now?.changes.map((change) => [change.path, change]));
  const [listedBefore, listedAfter] = [listedUpTo(then), now === null ? undefined : listedUpTo(now)];
  // Beyond the end of a list that was cut nobody knows what else changed: such a path is neither new nor gone.
  const known = (path: string): boolean =>
    (before.has(path) || listedBefore === undefined || path <= listedBefore) &&
    (after.has(path) || listedAfter === undefined || path <= listedAfter);
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter(known).sort();
  const sameTree = then.digest === now?.digest;
  const moved = then.git?.head !== now?.git?.head;
  return paths.map((path) => {
    const [old, young] = [before.get(path), after.get(path)];
    const line = drift(path, old ? changeWords(old) : null, young ? changeWords(young) : null);
    if (old === undefined) return line;
    if (young === undefined) return { ...line, ...withoutChange(old, lying.get(path), moved) };
    // Of a file with secrets nothing names the content; in the same tree it is the same.
    return !sameTree && canonical(old) !== canonical(young) ? { ...line, standing: 'changed' } : line;
  });
}

/** How a path stands that was changed and is not: by what lies there, where anybody looked. */
function withoutChange(
  old: Change,
  is: Lying | undefined,
  moved: boolean,
): Partial<Pick<Drift, 'is' | 'standing'>> {
  if (is === undefined) return {};
  if (isAsItWas(old, is))
    return moved ? { standing: 'committed' } : { is: 'as it was, and no change to git', standing: 'undone' };
  if (is.type === 'absent') return {};
  const status = statusOf(old);
  if (status === 'deleted') return { is: 'there', standing: 'undone' };
  const isNew = status === 'untracked' || status === 'added' || status === 'renamed';
  return { is: isNew ? 'there, with another content' : 'as committed', standing: 'undone' };
}

/** No longer a change, and still what it was: where HEAD moved, it can only have been committed. */
function isAsItWas(old: Change, is: Lying): boolean {
  if (is.type !== old.type) return false;
  if (old.type === 'file') return old.digest !== undefined && is.digest === old.digest;
  return old.type === 'absent' || (old.type === 'link' && is.target === old.target);
}

/** The last path of a list that was cut; undefined where it is complete. */
function listedUpTo({ changes, changesLeft }: WorkspaceFacts): string | undefined {
  return changesLeft === 0 ? undefined : (changes.at(-1)?.path ?? '');
}
