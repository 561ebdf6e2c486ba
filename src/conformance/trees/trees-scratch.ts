import type { Integrate } from '../../ports/integrate.ts';
import type { Trees } from '../../ports/trees.ts';

/** A repository of its own for one case, with a user's checkout of `main` that has one commit with `a.txt` and `b.txt` of ten lines each. */
export interface TreesScratch {
  readonly trees: () => Promise<Trees>;
  readonly integrate: () => Promise<Integrate>;
  /** The same, of a repository without a working tree. */
  readonly bare: () => Promise<Trees>;
  /** The same, of a clone whose history is cut off. */
  readonly shallow: () => Promise<Trees>;
  /** The user's checkout. */
  readonly root: string;
  /** Bytes of the checkout and its index, HEAD, and every branch but ours. */
  readonly imprint: () => unknown;
  /** Every branch with its commit. */
  readonly branches: () => Readonly<Record<string, string>>;
  readonly write: (folder: string, path: string, content: string) => void;
  readonly read: (folder: string, path: string) => string | undefined;
  readonly exists: (path: string) => boolean;
  /** Of all that is changed in a folder. The commit. */
  readonly commit: (folder: string, message: string) => string;
  /** What git answers in a folder. */
  readonly git: (folder: string, ...args: readonly string[]) => string;
  readonly removeFolder: (folder: string) => void;
  /** Has the repository name a program wherever it can. Whether one was started since. */
  readonly trap: () => () => boolean;
  /** A submodule at `sub` with the file `inner.txt`, committed; `isHere`: this machine has its commits. */
  readonly submodule: (isHere: boolean) => void;
  /** Starts a process that works in a folder for a leg. Ends it. */
  readonly live: (folder: string) => Promise<() => Promise<void>>;
  /** A line that holds a secret. */
  readonly secret: string;
  readonly dispose: () => Promise<void>;
}

export type OpenTreesScratch = () => Promise<TreesScratch>;
