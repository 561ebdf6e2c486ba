/** From what git tells and what was seen on disk to the facts of a packet, and to the one digest over all of it. */
import { defined, filled } from '../core/base/defined.ts';
import { canonical } from '../core/journal/canonical.ts';
import { digestOf, type Digest } from '../core/journal/digest.ts';
import { fitting } from '../core/base/fitting.ts';
import {
  byPath,
  type Change,
  type GitFacts,
  type Loss,
  type Submodule,
  type WorkspaceFacts,
} from '../core/tree/workspace.ts';
import type { GitItem } from './git/item.ts';
import type { SeenPath } from './look.ts';

/** A path with both of its sides known. */
export interface LookedPath {
  readonly item: GitItem;
  readonly seen: SeenPath;
}

export interface SubmoduleState extends Submodule {
  /** Of everything inside; only where it differs from what the superproject asks for. */
  readonly digest: Digest | undefined;
}

export interface GatheredFacts {
  readonly kind: WorkspaceFacts['kind'];
  readonly root: string;
  readonly git: Omit<GitFacts, 'submodules'> | null;
  readonly looked: readonly LookedPath[];
  readonly submodules: readonly SubmoduleState[];
  readonly losses: readonly Loss[];
}

export function factsOf(gathered: GatheredFacts): WorkspaceFacts {
  const looked = gathered.looked.toSorted((a, b) => byPath(a.item, b.item));
  const changes = looked.map((each) => changeOf(each, gathered.submodules));
  const losses = sortLosses(gathered.losses);
  const [listed, lost] = [fitting(changes), fitting(losses)];
  return {
    v: 1,
    kind: gathered.kind,
    root: gathered.root,
    digest: digestOfTree({ ...gathered, looked, losses }),
    git:
      gathered.git === null
        ? null
        : {
            ...gathered.git,
            submodules: gathered.submodules.map(({ path, commit, head, dirty }) => ({
              path,
              commit,
              head,
              dirty,
            })),
          },
    counts: {
      staged: changes.filter((change) => change.staged !== undefined).length,
      unstaged: changes.filter((change) => change.unstaged !== undefined).length,
      untracked: changes.filter((change) => change.untracked !== undefined).length,
      conflicted: changes.filter((change) => change.conflict !== undefined).length,
    },
    changes: listed,
    changesLeft: changes.length - listed.length,
    losses: lost,
    lossesLeft: losses.length - lost.length,
  };
}

export function sortLosses(losses: readonly Loss[]): Loss[] {
  const distinct = new Map(losses.map((loss) => [`${loss.path}\0${loss.reason}`, loss]));
  return [...distinct.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, loss]) => loss);
}

function changeOf({ item, seen }: LookedPath, submodules: readonly SubmoduleState[]): Change {
  return {
    path: item.path,
    ...defined({ staged: item.staged, unstaged: item.unstaged }),
    ...(item.untracked === undefined ? {} : { untracked: true }),
    ...defined({ conflict: item.conflict, from: item.from, filter: item.filter, hidden: item.hidden }),
    ...appearance(item, seen, submodules),
  };
}

function appearance(
  item: GitItem,
  seen: SeenPath,
  submodules: readonly SubmoduleState[],
): Pick<Change, 'type'> & Partial<Change> {
  switch (seen.type) {
    case 'file':
      return {
        type: 'file',
        bytes: seen.bytes,
        digest: seen.digest,
        ...filled({ executable: seen.executable, binary: seen.binary }),
        ...defined({ lfs: seen.lfs }),
      };
    case 'link':
      return { type: 'link', target: seen.target };
    case 'folder': {
      if (item.submodule === undefined) return { type: 'absent' };
      const head = submodules.find(({ path }) => path === item.path)?.head;
      return { type: 'submodule', ...(head === undefined || head === null ? {} : { commit: head }) };
    }
    case 'absent':
      return { type: 'absent' };
    case 'unknown':
      return { type: 'unknown', ...defined({ bytes: seen.bytes }) };
  }
}

/**
 * Covers HEAD, each index entry that differs from it, and what lies at each path that differs: together they determine index and
 * working tree. Names of branches, renames and the way a change came about are left out: they are not content.
 */
function digestOfTree(gathered: GatheredFacts): Digest {
  const entries = gathered.looked.map(({ item, seen }) => ({
    path: item.path,
    ...(item.index === undefined ? {} : { index: item.index && [item.index.mode, item.index.oid] }),
    ...(item.intent === undefined ? {} : { intent: true }),
    ...(item.stages === undefined
      ? {}
      : { stages: item.stages.map(({ stage, mode, oid }) => [stage, mode, oid]) }),
    worktree: essence(seen),
  }));
  const submodules = gathered.submodules.flatMap(({ path, digest }) =>
    digest === undefined ? [] : [{ path, digest }],
  );
  const losses = gathered.losses.map(({ path, reason, files }) => [path, reason, files ?? 0]);
  return digestOf(
    canonical({
      v: 1,
      kind: gathered.kind,
      head: gathered.git?.head ?? null,
      entries,
      submodules,
      losses,
    }),
  );
}

function essence(seen: SeenPath): unknown {
  switch (seen.type) {
    case 'file':
      return [seen.executable ? '100755' : '100644', seen.digest];
    case 'link':
      return ['120000', seen.target];
    case 'folder':
    case 'absent':
      return null;
    case 'unknown':
      return ['unknown', seen.stamp ?? seen.loss];
  }
}
