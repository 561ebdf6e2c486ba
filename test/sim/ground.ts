/** A repository in memory, with trees and a merge queue: as much of git as a run needs, without a process. */
import { digestOf } from '../../src/core/journal/digest.ts';
import { StaffettaError } from '../../src/core/base/error.ts';
import type { Manifest, WorkspaceFacts } from '../../src/core/tree/workspace.ts';
import type { Integrate, Integration } from '../../src/ports/integrate.ts';
import type { Tree, Trees } from '../../src/ports/trees.ts';
import type { Workspace } from '../../src/ports/workspace.ts';

type Files = ReadonlyMap<string, string>;

interface Commit {
  readonly id: string;
  readonly parents: readonly string[];
  readonly files: Files;
}

export interface SimTree {
  readonly path: string;
  readonly run: string;
  readonly task: string;
  readonly base: string;
  head: string;
  readonly files: Map<string, string>;
  /** Legs that were given it and have not ended. */
  readonly users: Set<string>;
}

export class SimGround {
  readonly trees = new Map<string, SimTree>();
  /** Submitted commits, as often as they were merged. */
  readonly merged: string[] = [];
  readonly base: string;
  readonly #commits = new Map<string, Commit>();
  readonly #heads = new Map<string, string>();

  constructor() {
    this.base = this.#commit([], new Map([['README', 'hello']]));
  }

  #commit(parents: readonly string[], files: Files): string {
    const id = digestOf(JSON.stringify([this.#commits.size, parents, [...files]])).slice(7, 47);
    this.#commits.set(id, { id, parents, files: new Map(files) });
    return id;
  }

  #get(id: string): Commit {
    const commit = this.#commits.get(id);
    if (commit === undefined) throw new Error(`there is no commit ${id}`);
    return commit;
  }

  filesAt(id: string): Files {
    return this.#get(id).files;
  }

  head(run: string): string {
    return this.#heads.get(run) ?? this.base;
  }

  commitTree(tree: SimTree): { readonly head: string; readonly made: boolean } {
    const before = this.#get(tree.head).files;
    if (sameFiles(before, tree.files)) return { head: tree.head, made: false };
    tree.head = this.#commit([tree.head], tree.files);
    return { head: tree.head, made: true };
  }

  /** As an agent would that is told of a conflict: ours where both changed something. */
  mergeIn(tree: SimTree, other: string): void {
    this.commitTree(tree);
    const theirs = this.#get(other).files;
    for (const [path, text] of theirs) if (!tree.files.has(path)) tree.files.set(path, text);
    tree.head = this.#commit([tree.head, other], tree.files);
  }

  #ancestors(id: string): Set<string> {
    const seen = new Set<string>();
    const left = [id];
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      left.push(...this.#get(next).parents);
    }
    return seen;
  }

  contains(head: string, commit: string): boolean {
    return this.#ancestors(head).has(commit);
  }

  port(): { readonly trees: Trees; readonly integrate: Integrate } {
    return { trees: this.#treesPort(), integrate: this.#integratePort() };
  }

  #treesPort(): Trees {
    const told = { copied: [], notCopied: [], failed: null, submodules: [], unfiltered: [], aside: [] };
    return {
      ground: async () => ({ commit: this.base, isShallow: false, uncommitted: [], absent: [] }),
      make: async ({ run, task, base }): Promise<Tree> => {
        const mine = [...this.trees.values()].filter((one) => one.run === run && one.task === task);
        const newest = mine.at(-1);
        const isFree = newest !== undefined && newest.users.size === 0;
        const tree: SimTree = isFree
          ? newest
          : {
              path: `/trees/${run}/${task}${mine.length === 0 ? '' : `+${mine.length + 1}`}`,
              run,
              task,
              base,
              head: newest?.head ?? base,
              files: new Map(this.#get(newest?.head ?? base).files),
              users: new Set(),
            };
        this.trees.set(tree.path, tree);
        const { path } = tree;
        const insteadOf = newest === undefined || isFree ? null : { path: newest.path, pids: [1] };
        const began = isFree ? 'tree' : newest === undefined ? 'new' : 'branch';
        return {
          run,
          task,
          path,
          branch: `staffetta/${run}/${task}`,
          base: tree.base,
          isReady: true,
          began,
          insteadOf,
          ...told,
        };
      },
      commit: async ({ path }) => this.commitTree(this.treeAt(path)),
      remove: async ({ run, task, path }) => {
        const tree = [...this.trees.values()].findLast(
          (one) => one.run === run && one.task === task && (path === undefined || one.path === path),
        );
        if (tree === undefined || tree.users.size > 0) return { removed: false, why: 'alive', details: [] };
        this.trees.delete(tree.path);
        return { removed: true, ignored: [] };
      },
      discard: async () => ({ removed: false, why: 'unknown', details: [] }),
      list: async (run) =>
        [...this.trees.values()]
          .filter((one) => one.run === run)
          .map(({ path, task, base }) => ({ run, task, path, branch: '', base, isReady: true })),
    };
  }

  treeAt(path: string): SimTree {
    const tree = this.trees.get(path);
    if (tree === undefined) throw new StaffettaError('git-failed', `There is no worktree at ${path}.`);
    return tree;
  }

  #integratePort(): Integrate {
    return {
      head: async (run) => this.#heads.get(run) ?? null,
      clear: async () => {},
      hold: async () => {},
      settle: async (run, submitted) =>
        this.contains(this.head(run), submitted) ? { commit: this.head(run) } : null,
      land: async () => ({ landed: false, why: 'nothing', details: [] }),
      integrate: async ({ run, submitted }): Promise<Integration> => {
        const onto = this.head(run);
        if (this.contains(onto, submitted)) {
          if (this.merged.includes(submitted))
            return { how: 'integrated', commit: onto, onto, tree: onto, already: true };
          return { how: 'empty', onto, tree: onto };
        }
        const base =
          [...this.#ancestors(onto)].find((one) => this.#ancestors(submitted).has(one)) ?? this.base;
        const [before, ours, theirs] = [base, onto, submitted].map((id) => this.#get(id).files);
        const files = new Map(ours);
        const conflicts: string[] = [];
        for (const [path, text] of theirs ?? []) {
          if (text === before?.get(path)) continue;
          if (ours?.get(path) !== before?.get(path) && ours?.get(path) !== text) conflicts.push(path);
          else files.set(path, text);
        }
        if (conflicts.length > 0) return { how: 'conflict', onto, files: conflicts };
        const commit = this.#commit([onto, submitted], files);
        if ([...files.values()].some((text) => text.includes('red')))
          return {
            how: 'red',
            onto,
            commit,
            failed: { command: ['check'], end: { how: 'exited', code: 1 }, output: 'red' },
          };
        this.#heads.set(run, commit);
        this.merged.push(submitted);
        return { how: 'integrated', commit, onto, tree: commit, already: false };
      },
    };
  }

  workspaceAt(path: string): Workspace {
    const factsNow = (): WorkspaceFacts => {
      const tree = this.treeAt(path);
      const changed = sameFiles(this.#get(tree.head).files, tree.files) ? 0 : 1;
      return {
        v: 1,
        kind: 'git',
        root: path,
        digest: digestOf(JSON.stringify([tree.head, [...tree.files]])),
        git: {
          worktree: 'linked',
          branch: tree.task,
          head: tree.head,
          base: null,
          upstream: null,
          operation: null,
          shallow: false,
          sparse: false,
          submodules: [],
        },
        counts: { staged: 0, unstaged: changed, untracked: 0, conflicted: 0 },
        changes: [],
        changesLeft: 0,
        losses: [],
        lossesLeft: 0,
      };
    };
    const content = (): ReturnType<typeof digestOf> => digestOf(JSON.stringify([...this.treeAt(path).files]));
    return {
      root: path,
      exists: () => true,
      runnable: () => true,
      start: async () => ({ head: this.treeAt(path).head, branch: 'main' }),
      probe: async () => factsNow(),
      content: async () => ({ facts: factsNow(), content: content() }),
      ignored: async () => [],
      unwatched: async () => ({ changed: [], left: 0, hidden: [] }),
      at: async () => ({ type: 'absent' }),
      hasCommit: async (commit) => this.#commits.has(commit),
      capture: async () => {
        const manifest: Manifest = {
          v: 1,
          kind: 'git',
          head: this.treeAt(path).head,
          entries: [],
          losses: [],
        };
        return { facts: factsNow(), manifest, diff: null, content: content() };
      },
      restore: async () => await Promise.reject(new Error('nothing is restored here')),
      run: async (command) => {
        const isRed = [...this.treeAt(path).files.values()].some((text) => text.includes('red'));
        const isThere = command[1] === undefined || this.treeAt(path).files.has(command[1]);
        const output = Buffer.from(isRed ? 'red\n' : isThere ? 'fine\n' : `${command[1] ?? ''} is missing\n`);
        const before = factsNow().digest;
        return {
          command,
          end: { how: 'exited', code: isRed || !isThere ? 1 : 0 },
          durationMs: 1,
          output,
          outputBytes: output.length,
          droppedBytes: 0,
          leftovers: false,
          unended: false,
          content: content(),
          before,
          after: before,
        };
      },
    };
  }
}

function sameFiles(one: Files, other: Files): boolean {
  return one.size === other.size && [...one].every(([path, text]) => other.get(path) === text);
}
