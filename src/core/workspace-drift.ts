/**
 * Facts probed when a packet was sealed, held against facts probed now. One line per fact: still as it was, changed, committed since, gone, or new.
 * Only the wording is decided here; nothing is probed.
 */
import { canonical } from './canonical.ts';
import { statusOf, type Change, type GitFacts, type WorkspaceFacts } from './workspace.ts';

export type Standing = 'same' | 'changed' | 'committed' | 'gone' | 'new';

export interface Drift {
  /** What the fact is about: `head`, `branch`, `tree`, or a path. */
  readonly fact: string;
  readonly was: string | null;
  readonly is: string | null;
  readonly standing: Standing;
}

/** What lies at a path now, for those that are no longer changed. */
export type LyingAt = ReadonlyMap<string, Pick<Change, 'type' | 'digest' | 'target'>>;

/** Paths that were changed and are not any more: HEAD moved, and may have taken them in as they were. */
export function perhapsCommitted(then: WorkspaceFacts, now: WorkspaceFacts): string[] {
  if (then.git === null || now.git === null || then.git.head === now.git.head) return [];
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

function standingOf(was: string | null, is: string | null): Standing {
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
  return paths.map((path) => {
    const [old, young] = [before.get(path), after.get(path)];
    const line = drift(path, old ? statusOf(old) : null, young ? statusOf(young) : null);
    const differs = old !== undefined && young !== undefined && canonical(old) !== canonical(young);
    if (differs) return { ...line, standing: 'changed' };
    return young === undefined && old !== undefined && isAsItWas(old, lying.get(path))
      ? { ...line, standing: 'committed' }
      : line;
  });
}

/** No longer a change, and still what it was: it can only have been committed. */
function isAsItWas(old: Change, is: Pick<Change, 'type' | 'digest' | 'target'> | undefined): boolean {
  if (is?.type !== old.type) return false;
  if (old.type === 'file') return old.digest !== undefined && is.digest === old.digest;
  return old.type === 'absent' || (old.type === 'link' && is.target === old.target);
}

/** The last path of a list that was cut; undefined where it is complete. */
function listedUpTo({ changes, changesLeft }: WorkspaceFacts): string | undefined {
  return changesLeft === 0 ? undefined : (changes.at(-1)?.path ?? '');
}
