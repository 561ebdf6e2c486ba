/** What lies at a path of the working tree right now. */
import { defined } from '../core/base/defined.ts';
import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { Digest } from '../core/journal/digest.ts';
import { limits } from '../core/base/limits.ts';
import { utf8 } from '../core/base/utf8.ts';
import { isLfsPointerSize, parseLfsPointer } from './lfs.ts';
import { isBinary, readFile, type Unread } from './read-file.ts';

export type SeenPath =
  | { readonly type: 'absent' }
  | { readonly type: 'folder' }
  | { readonly type: 'link'; readonly target: string }
  | SeenFile
  | ({ readonly type: 'unknown' } & Unread);

export interface SeenFile {
  readonly type: 'file';
  readonly executable: boolean;
  readonly private: boolean;
  readonly bytes: number;
  readonly digest: Digest;
  readonly binary: boolean;
  readonly lfs?: { readonly digest: Digest; readonly bytes: number };
  /** Only if it was asked for and is not too large. */
  readonly content?: Buffer;
}

/** Looks at many paths of one tree, and bounds how much is read in all. */
export class Looker {
  readonly #root: string;
  readonly #keepBytesMax: number;
  readonly #folders = new Map<string, boolean>();
  #hashBytesLeft: number = limits.hashBytesMax;

  constructor(root: string, options: { readonly keep: boolean }) {
    this.#root = root;
    this.#keepBytesMax = options.keep ? limits.captureFileBytesMax : 0;
  }

  async look(path: string): Promise<SeenPath> {
    const file = join(this.#root, path);
    let found: Stats | undefined;
    try {
      // A file behind a link is not in this tree, whatever its name says.
      if (!this.#isReal(parentOf(path))) return { type: 'absent' };
      found = lstatSync(file, { throwIfNoEntry: false });
      if (found?.isSymbolicLink() === true)
        return { type: 'link', target: utf8(readlinkSync(file, 'buffer')) };
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'ENOTDIR') return { type: 'absent' };
      return { type: 'unknown', loss: error instanceof TypeError ? 'name-not-utf8' : 'unreadable' };
    }
    if (found === undefined) return { type: 'absent' };
    if (found.isDirectory()) return { type: 'folder' };
    if (!found.isFile()) return { type: 'unknown', loss: 'special' };
    return await this.#read(file);
  }

  async #read(file: string): Promise<SeenPath> {
    const read = await readFile(file, {
      hashBytesMax: Math.min(limits.hashFileBytesMax, this.#hashBytesLeft),
      keepBytesMax: this.#keepBytesMax,
      exact: true,
    });
    if ('loss' in read) return { type: 'unknown', ...read };
    this.#hashBytesLeft -= read.bytes;
    const lfs = isLfsPointerSize(read.bytes) ? parseLfsPointer(read.beginning) : undefined;
    return {
      type: 'file',
      executable: (read.mode & 0o100) !== 0,
      private: (read.mode & 0o077) === 0,
      bytes: read.bytes,
      digest: read.digest,
      binary: isBinary(read.beginning),
      ...defined({ lfs, content: read.content }),
    };
  }

  /** Whether a folder and those above it, up to the root, are folders and no links. */
  #isReal(folder: string): boolean {
    if (folder === '') return true;
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    const real =
      this.#isReal(parentOf(folder)) &&
      lstatSync(join(this.#root, folder), { throwIfNoEntry: false })?.isDirectory() === true;
    this.#folders.set(folder, real);
    return real;
  }
}

export function parentOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '' : path.slice(0, slash);
}
