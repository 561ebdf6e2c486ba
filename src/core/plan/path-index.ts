/**
 * Who changes which paths, by globs. Two globs can only meet if the folders that one begins with begin the other, so they lie in a tree
 * of folders: what a glob may meet is on the way to it or below it. A glob that many tasks have is compared once.
 */
import { globsMeet } from '../base/glob.ts';

/** Files that a package manager writes for everybody: two tasks that both add a dependency are no reason to wait. */
const lockfiles: ReadonlySet<string> = new Set([
  'bun.lock',
  'bun.lockb',
  'Cargo.lock',
  'composer.lock',
  'deno.lock',
  'flake.lock',
  'Gemfile.lock',
  'go.sum',
  'go.work.sum',
  'gradle.lockfile',
  'mix.lock',
  'npm-shrinkwrap.json',
  'package-lock.json',
  'packages.lock.json',
  'pdm.lock',
  'Pipfile.lock',
  'pnpm-lock.yaml',
  'poetry.lock',
  'pubspec.lock',
  'uv.lock',
  'yarn.lock',
]);

/** What a task has to itself while it is worked on. */
export function pathClaims(paths: readonly string[] = []): string[] {
  return paths.filter((path) => !lockfiles.has(path.slice(path.lastIndexOf('/') + 1)));
}

interface Folder {
  readonly below: Map<string, Folder>;
  /** By glob. */
  readonly owners: Map<string, number[]>;
}

export interface Meeting {
  readonly owner: number;
  /** The glob that is asked for, and the one that it meets. */
  readonly asked: string;
  readonly met: string;
}

export interface PathIndex {
  readonly add: (owner: number, claims: readonly string[]) => void;
  /** Those that have a path in common with any of these; an owner may come several times. */
  readonly meeting: (claims: readonly string[]) => IterableIterator<Meeting>;
}

export function pathIndex(): PathIndex {
  const root = emptyFolder();
  return {
    add(owner, claims) {
      for (const claim of claims) {
        let at = root;
        for (const name of foldersOf(claim)) {
          const next = at.below.get(name) ?? emptyFolder();
          at.below.set(name, next);
          at = next;
        }
        const owners = at.owners.get(claim);
        if (owners === undefined) at.owners.set(claim, [owner]);
        else owners.push(owner);
      }
    },
    *meeting(claims) {
      for (const asked of claims) yield* meetingOf(root, asked);
    },
  };
}

function* meetingOf(root: Folder, asked: string): IterableIterator<Meeting> {
  let at: Folder | undefined = root;
  for (const name of foldersOf(asked)) {
    yield* ownersIn(at, asked);
    at = at.below.get(name);
    if (at === undefined) return;
  }
  const below = [at];
  for (let folder = below.pop(); folder !== undefined; folder = below.pop()) {
    yield* ownersIn(folder, asked);
    below.push(...folder.below.values());
  }
}

function* ownersIn({ owners }: Folder, asked: string): IterableIterator<Meeting> {
  for (const [met, all] of owners) {
    if (met !== asked && !globsMeet(asked, met)) continue;
    for (const owner of all) yield { owner, asked, met };
  }
}

function emptyFolder(): Folder {
  return { below: new Map(), owners: new Map() };
}

/** The names that a glob begins with, up to the first that has a star. One that may lie anywhere begins with none. */
function foldersOf(glob: string): string[] {
  const rooted = glob.replace(/^(?:\.\/+)+/, '').replace(/\/{2,}/g, '/');
  if (!rooted.replace(/\/$/, '').includes('/')) return [];
  const names = rooted.replace(/^\//, '').replace(/\/$/, '').split('/');
  const wild = names.findIndex((name) => /[*?]/.test(name));
  return wild === -1 ? names : names.slice(0, wild);
}
