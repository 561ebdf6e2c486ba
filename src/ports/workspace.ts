import type { Digest } from '../core/journal/digest.ts';
import type { WorkStart } from '../core/task/start.ts';
import type { Change, Loss, LossReason, Manifest, WorkspaceFacts } from '../core/tree/workspace.ts';
import type { UnsafeReason } from '../core/tree/paths.ts';

/**
 * The place where the work is done: a git repository, or a folder without one.
 * WS1 `probe` and `capture` change nothing: no byte or time stamp of working tree, index, refs, stash or configuration (where the index is split, git itself renews the time of its shared part). No program that the repository names is started.
 * WS2 The same tree gives the same facts, the same manifest and the same diff, byte for byte.
 * WS3 The digest changes when HEAD, the index, or the content, executable bit or link target of a file that git does not ignore changes, and only then. Of a file that is too large or cannot be read it covers size and time of change.
 * WS4 `capture` hands every content to `store`, one at a time, before it returns: that of a changed file, the staged one where it differs, the sides of a conflict, and the diff.
 * WS5 What is not captured is listed as a loss. A file that vanishes, changes, is too large, cannot be read or must not be stored is a loss and no failure. So is a name or link that no restore would bring back on any system.
 * WS6 Restoring into a clean tree at the manifest's HEAD gives the captured working tree and index, but for what the report lists.
 * WS7 `restore` writes only inside the target, never through a link, and nothing that starts by itself or steers an agent or editor, by whatever name it is reached there, unless `allow` names it. A dry run judges as the restore does.
 * WS8 `restore` refuses a target that has other changes than the manifest's own, or is at another HEAD, unless it makes a new worktree, and replaces nothing that git could not bring back.
 * WS9 A restore that fails has changed nothing; one that was killed is undone when the next begins.
 * WS10 `run` starts the program itself, without a shell and without input, in the workspace, and returns when its process group has ended: by itself, at the time limit, or by the signal. What left the group is ended too, where it can be found, and told if it cannot be ended.
 * WS11 `run` keeps the beginning and the end of the output, in the order written, and says how many bytes between them it dropped. A program that cannot be started is an outcome and no failure.
 * WS12 `exists` says whether something lies at a path of the workspace; a path that leads out of it does not exist.
 * WS13 `runnable` says whether a program can be started from the root: by name along PATH, or by its path.
 * WS14 `start` names HEAD and its branch as they are, without looking at any file; null where there is no git.
 * WS15 `capture` with `since` also tells what commits did since then, the work of others that came with a merge, a pull or a rebase left out, and the diff shows both as one: what was committed since then, and what is not committed. A start that is gone from the repository is told as gone.
 * WS16 `ignored` lists, in order of path, what git ignores and one of the globs matches, and the folders around it that match too, with the time when each last changed in content, mode or place. It changes nothing. Without git nothing is ignored.
 * WS17 `at` says what lies at a path of the tree: a file with its digest, a link with its target, or nothing. Nothing lies behind a link.
 * WS18 `hasCommit` says whether the repository holds a commit, without asking another one; null where there is no git.
 * WS19 `content` is one digest of what lies in the working tree: path, mode and content of each file that git does not ignore, whatever of it is staged or committed. It is taken together with the facts, and by a capture that is asked for it. `run` tells that of the tree it starts on.
 * WS20 `unwatched` names, in order of path, what git ignores and was changed in content, mode or place since a time; with `folders` a folder that is ignored as a whole is named as one, with a slash at its end. Apart from those it names what the repository's own list of exclusions hides and was changed since, if that list was changed since as well. It opens nothing and changes nothing. Without git nothing is ignored.
 */
export interface Workspace {
  readonly root: string;
  exists(path: string): boolean;
  runnable(program: string): boolean;
  start(): Promise<WorkStart | null>;
  probe(): Promise<WorkspaceFacts>;
  content(): Promise<WorkspaceContent>;
  ignored(globs: readonly string[]): Promise<readonly Ignored[]>;
  unwatched(since: number, options?: UnwatchedOptions): Promise<Unwatched>;
  at(path: string): Promise<Lying>;
  hasCommit(commit: string): Promise<boolean | null>;
  capture(store: StoreContent, options?: CaptureOptions): Promise<Capture>;
  restore(manifest: Manifest, options: RestoreOptions): Promise<RestoreReport>;
  run(command: readonly string[], options?: RunOptions): Promise<RunReport>;
}

/** What lies at a path, in the words of a change. */
export type Lying = Pick<Change, 'type' | 'digest' | 'target'>;

export interface WorkspaceContent {
  readonly facts: WorkspaceFacts;
  readonly content: Digest;
}

/** Something that git ignores. */
export interface Ignored {
  readonly path: string;
  /** By the clock of the file system, in milliseconds. */
  readonly changedAt: number;
}

export interface UnwatchedOptions {
  readonly folders?: boolean;
}

export interface Unwatched {
  readonly changed: readonly string[];
  /** How many were not looked at, because there are too many. */
  readonly left: number;
  readonly hidden: readonly string[];
}

/** What a piece of content is, for the redactor. */
export type ContentPiece =
  | {
      readonly kind: 'file' | 'index' | 'conflict';
      readonly path: string;
      readonly binary: boolean;
      /** Only for an archive, a compressed file and other containers. */
      readonly packed?: OpenPacked;
    }
  | { readonly kind: 'diff' };

/** What is packed in a content, part by part; null for a part that cannot be opened. */
export type OpenPacked = (bytes: Uint8Array) => Iterable<Uint8Array | null>;

/** Stores bytes, or a redacted copy, and returns the digest of what it stored; null if they must not be stored. */
export type StoreContent = (bytes: Uint8Array, piece: ContentPiece) => Promise<Digest | null | Remarked>;

/** The same, and what is to be listed beside it, among the losses. */
export interface Remarked {
  readonly stored: Digest | null;
  readonly reason: LossReason;
}

export interface CaptureOptions {
  /** Without the unified diff, which is only for people. */
  readonly noDiff?: boolean;
  /** Where the work began. Null: nobody knows; then it is held against the branch it will go back to. */
  readonly since?: WorkStart | null;
  /** The branch it is agreed to go onto: what came from there is not its own. */
  readonly onto?: string | undefined;
  /** Also tell the digest of what lies in the working tree, taken in the same look. */
  readonly content?: boolean;
}

export interface Capture {
  readonly facts: WorkspaceFacts;
  readonly manifest: Manifest;
  readonly diff: CapturedDiff | null;
  /** Only if asked for. */
  readonly content?: Digest;
}

export interface CapturedDiff {
  readonly stored: Digest;
  readonly bytes: number;
  /** It was longer than the limit and ends early. */
  readonly cut: boolean;
  /** It shows what was committed since the work began, too. */
  readonly committed?: true;
  readonly added: number;
  readonly removed: number;
  /** Lines per file; null for a binary file. */
  readonly files: readonly {
    readonly path: string;
    readonly added: number | null;
    readonly removed: number | null;
  }[];
}

export interface RestoreOptions {
  readonly read: (digest: Digest) => Promise<Uint8Array | undefined>;
  /** Make a new git worktree there, at the manifest's HEAD, detached. */
  readonly worktree?: string;
  /** Paths or globs that may be written although they start by themselves or steer an agent or editor. */
  readonly allow?: readonly string[];
  /** Only say what would happen. */
  readonly dryRun?: boolean;
}

export interface RestoreReport {
  /** Where it was restored to. */
  readonly root: string;
  readonly written: readonly string[];
  readonly deleted: readonly string[];
  /** Paths whose index entry was set. */
  readonly staged: readonly string[];
  readonly held: readonly { readonly path: string; readonly reason: string }[];
  readonly refused: readonly { readonly path: string; readonly reason: UnsafeReason }[];
  /** Written with placeholders where secrets were. */
  readonly redacted: readonly string[];
  /** Written with the values that stood here, where what was captured has placeholders. */
  readonly kept: readonly string[];
  /** Not in the manifest, or not restorable: submodule checkouts, operations under way. */
  readonly losses: readonly Loss[];
  /** Files in a new worktree that a filter such as LFS would have filled; filters are not run. */
  readonly unfiltered: readonly string[];
  /** The workspace digest afterwards; null if nothing was done. */
  readonly digest: Digest | null;
}

export interface RunOptions {
  /** Relative to the root. */
  readonly cwd?: string;
  readonly timeoutMs?: number;
  readonly outputBytesMax?: number;
  /** Added to the environment of the caller, from which `STAFFETTA_…` is taken out. */
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export type RunEnd =
  | { readonly how: 'exited'; readonly code: number }
  | { readonly how: 'signalled'; readonly signal: string }
  | { readonly how: 'timed-out' }
  | { readonly how: 'interrupted' }
  | { readonly how: 'not-started'; readonly reason: 'not-found' | 'not-executable' | 'failed' };

export interface RunReport {
  readonly command: readonly string[];
  readonly end: RunEnd;
  readonly durationMs: number;
  /** Standard output and error as they came. */
  readonly output: Uint8Array;
  readonly outputBytes: number;
  readonly droppedBytes: number;
  /** Processes it left behind were ended. */
  readonly leftovers: boolean;
  /** Something that it started goes on and could not be ended. */
  readonly unended: boolean;
  /** Of the tree before it. */
  readonly content: Digest;
  readonly before: Digest;
  /** Null if the command left a workspace that cannot be probed. */
  readonly after: Digest | null;
}
