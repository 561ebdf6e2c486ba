/**
 * A restore in three acts, so that a failure or a kill anywhere leaves the tree as it was:
 *   1. everything new is written aside, in `.staffetta/restore` under the root, on the same file system;
 *   2. a record of all moves is made durable: the undo record;
 *   3. files are moved, old ones out and new ones in, and last the index is exchanged.
 * `.staffetta/restore` holds
 *   owner       process id of the restore; the folder itself is the lock
 *   first       there if `.staffetta` was made for this, and goes with it
 *   new/N       what move N puts in place          old/N   what move N took out
 *   undo.json   the moves; while it exists, the restore counts as not done
 *   index       the index to be
 * A move of N is done when `new/N` is gone (a write) or `old/N` is there (a deletion), so the undo needs no log of progress: it
 * looks. The undo refuses if a file that was put in place has been touched since, for then somebody works in it.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { StaffettaError } from '../../core/base/error.ts';
import { withinFolder } from './real-folder.ts';

const own = '.staffetta';
const name = 'restore';
/** A folder without an owner this old was left by somebody who was killed before writing the owner's name. */
const ownerlessMsMax = 10_000;

export interface Staging {
  readonly root: string;
  readonly folder: string;
  /** Whether our own folder was there before. */
  readonly found: boolean;
}

export function stagingFolder(root: string): string {
  return join(root, own, name);
}

/** Takes the lock. Undefined: somebody was killed here, and what they did must be undone first. */
export function takeStaging(root: string): Staging | undefined {
  const found = lstatSync(join(root, own), { throwIfNoEntry: false });
  if (found !== undefined && !found.isDirectory())
    throw new StaffettaError('unsafe-path', `${join(root, own)} is not a folder.`, {
      details: { path: own },
    });
  const folder = stagingFolder(root);
  return withinFolder(root, '', (base) => {
    if (found === undefined) {
      mkdirSync(join(base, own), { mode: 0o700 });
      // Nothing in here is ever committed or captured.
      writeFileSync(join(base, own, '.gitignore'), '*\n');
    }
    try {
      mkdirSync(join(base, own, name), { mode: 0o700 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      refuseLiving(folder);
      return undefined;
    }
    writeFileSync(join(folder, 'owner'), String(process.pid));
    if (found === undefined) writeFileSync(join(folder, 'first'), '');
    mkdirSync(join(folder, 'new'));
    mkdirSync(join(folder, 'old'));
    return { root, folder, found: found !== undefined };
  });
}

function refuseLiving(folder: string): void {
  const owner = join(folder, 'owner');
  const living = existsSync(owner)
    ? isAlive(Number(readFileSync(owner, 'utf8')))
    : Date.now() - statSync(folder).mtimeMs < ownerlessMsMax;
  if (!living) return;
  throw new StaffettaError('workspace-busy', 'Another restore is under way in this workspace.', {
    details: { folder },
    hint: 'Wait until it has ended, then try again.',
  });
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether the folder around an abandoned staging was made for it. */
export function wasFirst(root: string): boolean {
  return existsSync(join(stagingFolder(root), 'first'));
}

/** Leaves no trace. */
export function dropStaging(staging: Staging): void {
  rmSync(staging.folder, { recursive: true, force: true });
  if (staging.found) return;
  const folder = join(staging.root, own);
  if (readdirSync(folder).some((each) => each !== '.gitignore')) return;
  rmSync(join(folder, '.gitignore'), { force: true });
  rmdirSync(folder);
}

export function writeDurably(path: string, content: string | Uint8Array): void {
  const descriptor = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(descriptor, content);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export function syncStaged(path: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
