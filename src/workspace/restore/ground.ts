/** The tree that a restore begins with: one that lies on disk, or a commit that nobody has checked out yet. */
import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../../core/base/limits.ts';
import type { LinkTree } from '../../core/tree/links.ts';
import { objectContents, objectSizes } from '../git/objects.ts';
import { git, records, type GitPlace } from '../git/spawn.ts';
import { inside } from '../inside.ts';
import { parentOf } from '../look.ts';

export type Lies = 'file' | 'link' | 'folder' | 'other';

export interface Ground extends LinkTree {
  /** Undefined: nothing lies there. */
  at(path: string): Lies | undefined;
  /** The bytes of a file; undefined if there is none, or one that is too large to be looked into. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Everything in a folder but folders, however deep. */
  filesIn(folder: string): string[];
  /** The links that lie in a folder itself. */
  linksIn(folder: string): string[];
  /** Where a link ends that leaves the tree and comes back; undefined if it does not. */
  comesBack(path: string): string | undefined;
}

export class DiskGround implements Ground {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  at(path: string): Lies | undefined {
    const found = this.#lstat(path);
    if (found === undefined) return undefined;
    if (found.isFile()) return 'file';
    if (found.isSymbolicLink()) return 'link';
    return found.isDirectory() ? 'folder' : 'other';
  }

  linkAt(path: string): string | undefined {
    return this.at(path) === 'link' ? readlinkSync(join(this.#root, path)) : undefined;
  }

  async read(path: string): Promise<Uint8Array | undefined> {
    try {
      const found = this.#lstat(path);
      const fits = found?.isFile() === true && found.size <= limits.captureFileBytesMax;
      return fits ? readFileSync(join(this.#root, path)) : undefined;
    } catch {
      // Nobody may read it: then nothing is known of it.
      return undefined;
    }
  }

  filesIn(folder: string): string[] {
    return readdirSync(join(this.#root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? this.filesIn(path) : [path];
    });
  }

  linksIn(folder: string): string[] {
    if (folder !== '' && this.at(folder) !== 'folder') return [];
    return readdirSync(join(this.#root, folder), { withFileTypes: true })
      .filter((entry) => entry.isSymbolicLink())
      .map(({ name }) => (folder === '' ? name : `${folder}/${name}`));
  }

  comesBack(path: string): string | undefined {
    try {
      return inside(this.#root, realpathSync(join(this.#root, path)));
    } catch {
      return undefined;
    }
  }

  #lstat(path: string): Stats | undefined {
    try {
      return lstatSync(join(this.#root, path), { throwIfNoEntry: false });
    } catch (error) {
      // A parent is a file, or the name is longer than any here: then nothing is there.
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOTDIR' || code === 'ENAMETOOLONG' || code === 'ELOOP') return undefined;
      throw error;
    }
  }
}

interface Blob {
  readonly lies: Lies;
  readonly oid: string;
}

/** A fresh checkout of a commit, as it would be. */
export class CommitGround implements Ground {
  readonly paths: ReadonlySet<string>;
  readonly links: readonly string[];
  readonly #place: GitPlace;
  readonly #blobs: ReadonlyMap<string, Blob>;
  readonly #targets: ReadonlyMap<string, string>;
  readonly #folders: ReadonlySet<string>;

  private constructor(
    place: GitPlace,
    blobs: ReadonlyMap<string, Blob>,
    targets: ReadonlyMap<string, string>,
  ) {
    this.#place = place;
    this.#blobs = blobs;
    this.#targets = targets;
    this.paths = new Set(blobs.keys());
    this.links = [...targets.keys()];
    const folders = new Set<string>();
    for (const path of blobs.keys())
      for (let folder = parentOf(path); folder !== '' && !folders.has(folder); folder = parentOf(folder))
        folders.add(folder);
    this.#folders = folders;
  }

  static async open(place: GitPlace, commit: string): Promise<CommitGround> {
    const { stdout } = await git(place, ['ls-tree', '-r', '-z', '--full-tree', commit]);
    const blobs = new Map<string, Blob>();
    for (const record of records(stdout)) {
      const tab = record.indexOf(0x09);
      const [mode, , oid = ''] = record.toString('latin1', 0, tab).split(' ');
      // Nothing is checked out in a submodule: it is an empty folder.
      const lies = mode === '120000' ? 'link' : mode === '160000' ? 'folder' : 'file';
      blobs.set(record.toString('utf8', tab + 1), { lies, oid });
    }
    return new CommitGround(place, blobs, await readTargets(place, blobs));
  }

  at(path: string): Lies | undefined {
    return this.#blobs.get(path)?.lies ?? (this.#folders.has(path) ? 'folder' : undefined);
  }

  linkAt(path: string): string | undefined {
    return this.#targets.get(path);
  }

  async read(path: string): Promise<Uint8Array | undefined> {
    const blob = this.#blobs.get(path);
    if (blob?.lies !== 'file') return undefined;
    const size = (await objectSizes(this.#place, [blob.oid])).get(blob.oid);
    if (size === undefined || size > limits.captureFileBytesMax) return undefined;
    return (await objectContents(this.#place, [blob.oid], size)).get(blob.oid);
  }

  filesIn(folder: string): string[] {
    return [...this.#blobs].flatMap(([path, { lies }]) =>
      lies !== 'folder' && path.startsWith(`${folder}/`) ? [path] : [],
    );
  }

  linksIn(folder: string): string[] {
    return this.links.filter((path) => parentOf(path) === folder);
  }

  comesBack(): undefined {
    return undefined;
  }
}

async function readTargets(
  place: GitPlace,
  blobs: ReadonlyMap<string, Blob>,
): Promise<ReadonlyMap<string, string>> {
  const links = [...blobs].filter(([, { lies }]) => lies === 'link');
  const sizes = await objectSizes(place, [...new Set(links.map(([, { oid }]) => oid))]);
  const sound = [...sizes].filter(([, size]) => size <= limits.pathBytesMax);
  const bytes = sound.reduce((sum, [, size]) => sum + size, 0);
  const contents = await objectContents(
    place,
    sound.map(([oid]) => oid),
    bytes,
  );
  return new Map(
    // One that is too long to be a link leads nowhere.
    links.map(([path, { oid }]) => [path, contents.get(oid)?.toString('utf8') ?? '/']),
  );
}
