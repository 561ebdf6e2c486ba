import type { ChangeKind, conflictKinds, IndexMode, Loss } from '../../core/tree/workspace.ts';

/** One path that differs from HEAD somewhere, as git tells it, before anybody looked at the file. */
export interface GitItem {
  readonly path: string;
  staged?: ChangeKind;
  unstaged?: ChangeKind;
  untracked?: true;
  conflict?: (typeof conflictKinds)[number];
  from?: string;
  /** Undefined: as in HEAD. Null: not in the index. */
  index?: IndexSide | null;
  /** The object in the index, whether or not it is as in HEAD. */
  oid?: string;
  intent?: true;
  stages?: (IndexSide & { readonly stage: 1 | 2 | 3 })[];
  /** The index or the working tree has a submodule here. */
  submodule?: true;
  hidden?: 'assume-unchanged' | 'skip-worktree';
  filter?: string;
}

export interface IndexSide {
  readonly mode: IndexMode;
  readonly oid: string;
}

/** Items by path: several lines of git's answer may speak of the same one. */
export class Items {
  readonly losses: Loss[] = [];
  readonly #byPath = new Map<string, GitItem>();

  at(path: string): GitItem {
    const known = this.#byPath.get(path);
    if (known !== undefined) return known;
    const item: GitItem = { path };
    this.#byPath.set(path, item);
    return item;
  }

  find(path: string): GitItem | undefined {
    return this.#byPath.get(path);
  }

  drop(path: string): void {
    this.#byPath.delete(path);
  }

  [Symbol.iterator](): IterableIterator<GitItem> {
    return this.#byPath.values();
  }
}
