/**
 * Facts probed when a packet was sealed, held against facts probed now. One line per fact: still as it was, changed, gone, or new.
 * Only the wording is decided here; nothing is probed.
 */
import { canonical } from './canonical.ts';
import { statusOf, type GitFacts, type WorkspaceFacts } from './workspace.ts';

export type Standing = 'same' | 'changed' | 'gone' | 'new';

export interface Drift {
  /** What the fact is about: `head`, `branch`, `tree`, or a path. */
  readonly fact: string;
  readonly was: string | null;
  readonly is: string | null;
  readonly standing: Standing;
}

/** `now` is null where there is no workspace any more. */
export function driftOf(then: WorkspaceFacts, now: WorkspaceFacts | null): Drift[] {
  return [
    drift('workspace', then.root, now?.root ?? null),
    drift('tree', then.digest, now?.digest ?? null),
    ...gitDrift(then.git, now?.git ?? null),
    ...changeDrift(then, now),
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

function changeDrift(then: WorkspaceFacts, now: WorkspaceFacts | null): Drift[] {
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
    return differs ? { ...line, standing: 'changed' } : line;
  });
}

/** The last path of a list that was cut; undefined where it is complete. */
function listedUpTo({ changes, changesLeft }: WorkspaceFacts): string | undefined {
  return changesLeft === 0 ? undefined : (changes.at(-1)?.path ?? '');
}
