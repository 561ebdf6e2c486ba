import type { Digest } from '../core/journal/digest.ts';
import type { Manifest } from '../core/tree/workspace.ts';
import type { RunEnd } from './workspace.ts';

/**
 * Worktrees, one a task: where an agent works, apart from the user's checkout and from each other.
 * TR1 `make` gives a worktree of the repository outside of it, on the branch `staffetta/RUN/TASK`, at the base. Asked again for the same task it gives the same tree, as its agent left it.
 * TR2 No call changes the user's checkout: no byte of its files and index, nor where HEAD and any branch but those below `staffetta/` are. No hook and no filter that the repository names is run.
 * TR3 What an earlier try left is found again or set aside under another name, and never destroyed: a branch whose folder is gone gets its folder back where it holds the base, and another name where it does not; a folder that is no tree of ours, another name.
 * TR4 `ground` tells before the first tree which commit a base is, whether history is cut off, and what the user's checkout holds that is not committed and no tree will have. A repository without a working tree, one without commits and a base that is not there are refused.
 * TR5 What is declared is copied from the user's checkout, unless it lies elsewhere, is no file, is too large, is there already, or holds a secret without consent: then it is told why not.
 * TR6 `setup` runs in a new tree, command by command, until one fails. A tree is ready only once all have passed; asked again for one that is not ready, it is made so.
 * TR7 A submodule is filled from what this machine has of it, and asked of nobody; one that it has not is told, by `ground` before the first tree.
 * TR8 `remove` takes away a tree only when it is clean, its commits are in `into`, and nobody works in it; then its branch goes too, and what git ignored there is listed. Else it takes away nothing and says why.
 * TR9 A tree in which a process of an earlier leg lives is given to nobody else: its task gets another one, brought back from the packet where one is given.
 * TR10 `make` and `remove` that were killed at any step are finished by the next call. Of two calls at once for one task both get the same tree.
 * TR11 `commit` puts all that is changed in a tree and not ignored into one commit on its head, with no hook, and tells the head; where nothing is changed, the one that is there. In the middle of a merge or rebase it is refused, and changes nothing.
 * TR12 `discard` takes away a tree and its branch whatever they hold, unless somebody works there, and tells what was nowhere else. With `dryRun` it only tells.
 */
export interface Trees {
  ground(base: string): Promise<BaseGround>;
  make(order: TreeOrder): Promise<Tree>;
  /** Without a path the newest tree of the task. */
  remove(tree: TreeName & { readonly path?: string }, into: string): Promise<Removal>;
  discard(
    tree: TreeName & { readonly path?: string },
    how?: { readonly dryRun?: boolean },
  ): Promise<Discarded>;
  /** `by` left it so; `title` is the first line of the message. */
  commit(tree: { readonly path: string; readonly by: string; readonly title: string }): Promise<TreeCommit>;
  /** Every tree of a run, whatever became of it. */
  list(run: string): Promise<readonly KeptTree[]>;
}

/** Both are made of letters, digits, dots, dashes and underscores. */
export interface TreeName {
  readonly run: string;
  readonly task: string;
}

export interface TreeOrder extends TreeName, Furnishing {
  /** A commit, or what names one. */
  readonly base: string;
  /** What the tree starts from, where it cannot be the one that the last leg worked in. */
  readonly packet?: PacketTree;
}

export interface PacketTree {
  readonly manifest: Manifest;
  readonly read: (digest: Digest) => Promise<Uint8Array | undefined>;
}

/** What a tree needs beside the files that are committed. */
export interface Furnishing {
  readonly setup?: readonly (readonly string[])[];
  /** Files of the user's checkout that are not committed. */
  readonly copy?: readonly string[];
  /** Those of them that may be copied although they hold a secret. */
  readonly consent?: readonly string[];
}

export interface BaseGround {
  readonly commit: string;
  readonly isShallow: boolean;
  /** Paths that are changed or new in the user's checkout. */
  readonly uncommitted: readonly string[];
  /** Paths of submodules that no tree can be filled with. */
  readonly absent: readonly string[];
}

export interface KeptTree extends TreeName {
  readonly path: string;
  readonly branch: string;
  /** The commit that it was begun at. */
  readonly base: string;
  readonly isReady: boolean;
}

export interface Tree extends KeptTree, Furnished {
  /** `new`, or what of an earlier try it goes on from. */
  readonly began: 'new' | 'tree' | 'branch' | 'packet';
  /** Names under which was set aside what lay in its place: branches and folders. */
  readonly aside: readonly string[];
  /** The tree that it could not have, and who works in that. */
  readonly insteadOf: { readonly path: string; readonly pids: readonly number[] } | null;
  readonly submodules: readonly SubmoduleFilled[];
  /** Files that a filter such as LFS would have filled; filters are not run. */
  readonly unfiltered: readonly string[];
}

export interface Furnished {
  readonly copied: readonly string[];
  readonly notCopied: readonly { readonly path: string; readonly reason: NotCopied }[];
  /** The command of `setup` that failed. */
  readonly failed: SetupFailure | null;
}

export type NotCopied = 'secret' | 'missing' | 'outside' | 'no-file' | 'too-large' | 'there';

export interface SetupFailure {
  readonly command: readonly string[];
  readonly end: RunEnd;
  /** The end of what it said. */
  readonly output: string;
}

export interface SubmoduleFilled {
  readonly path: string;
  readonly commit: string;
  readonly isFilled: boolean;
}

export interface TreeCommit {
  readonly head: string;
  /** There was something to commit. */
  readonly made: boolean;
}

export type Removal =
  | { readonly removed: true; readonly ignored: readonly string[] }
  | { readonly removed: false; readonly why: KeptReason; readonly details: readonly string[] };

/** `lost` has paths that were not committed, and commits that no other branch has. */
export type Discarded =
  | { readonly removed: true; readonly lost: readonly string[] }
  | Extract<Removal, { readonly removed: false }>;

/** `details` has the processes, the paths, the commits. */
export type KeptReason = 'unknown' | 'alive' | 'changed' | 'untracked' | 'operation' | 'not-contained';
