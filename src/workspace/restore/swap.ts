/** Moving files out and in, and moving them back. `staging.ts` says why this is safe. */
import { lstatSync, readFileSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { StaffettaError } from '../../core/base/error.ts';
import { isForged, pathFault } from '../../core/tree/paths.ts';
import { UndoRecord } from '../../core/tree/workspace.ts';
import { parentOf } from '../look.ts';
import { withinFolder } from './real-folder.ts';
import { syncStaged, writeDurably, type Staging } from './staging.ts';

export type Move = UndoRecord['moves'][number];

export interface SwapSteps {
  /** Called after each move; for tests that kill or fail. */
  readonly moved: (n: number) => void;
}

/** What changes when somebody writes to a file. */
export function stampOf(path: string): string {
  const found = lstatSync(path, { bigint: true });
  return `${found.ino} ${found.mtimeNs} ${found.size}`;
}

/** Deletions come first and then what is new, parents before children: `moves` is in that order. */
export function recordMoves(staging: Staging, moves: readonly Move[], folders: readonly string[]): void {
  writeDurably(join(staging.folder, 'undo.json'), JSON.stringify({ v: 1, moves, folders }));
  syncStaged(staging.folder);
}

export function makeMoves(staging: Staging, moves: readonly Move[], steps: SwapSteps): void {
  const { root, folder } = staging;
  for (const [n, { path, does, oldStamp }] of moves.entries()) {
    if (does !== 'create') {
      const old = join(folder, 'old', String(n));
      withinFolder(root, parentOf(path), (base) => {
        renameSync(join(base, nameOf(path)), old);
      });
      // Somebody wrote to it after it was found clean: theirs is kept, and the restore undone.
      if (stampOf(old) !== oldStamp) throw touched(path);
    }
    if (does === 'delete') removeEmptyFolders(root, parentOf(path));
    else {
      withinFolder(
        root,
        parentOf(path),
        (base) => {
          const there = lstatSync(join(base, nameOf(path)), { throwIfNoEntry: false });
          // Emptied by the deletions before; anything left in it makes this fail.
          if (there?.isDirectory() === true) rmdirSync(join(base, nameOf(path)));
          else if (there !== undefined) throw appeared(path);
          renameSync(join(folder, 'new', String(n)), join(base, nameOf(path)));
        },
        true,
      );
    }
    steps.moved(n);
  }
}

function touched(path: string): StaffettaError {
  return new StaffettaError('workspace-busy', `${path} was changed while the restore was under way.`, {
    details: { path },
  });
}

function appeared(path: string): StaffettaError {
  return new StaffettaError('workspace-busy', `${path} appeared while the restore was under way.`, {
    details: { path },
  });
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** As git does: a folder without files is not kept. */
function removeEmptyFolders(root: string, folder: string): void {
  for (let at = folder; at !== ''; at = parentOf(at)) {
    try {
      withinFolder(root, parentOf(at), (base) => {
        rmdirSync(join(base, nameOf(at)));
      });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'EBUSY') return;
      throw error;
    }
  }
}

/** Undoes whatever of the moves was done, from any point. */
export function undoMoves(root: string, folder: string): void {
  const undo = readUndo(folder);
  const numbered = [...undo.moves.entries()].toReversed();
  const placed = numbered.filter(
    ([n, { does }]) => does !== 'delete' && !isThere(join(folder, 'new', String(n))),
  );
  refuseTouched(
    root,
    placed.map(([, move]) => move),
  );
  for (const [, { path }] of placed) {
    withinFolder(root, parentOf(path), (base) => {
      unlinkSync(join(base, nameOf(path)));
    });
  }
  // Folders that were made for what was put in place; those that hold something stay.
  const made = new Set(undo.folders);
  for (const at of [...made].sort().toReversed()) removeIfEmpty(root, at);
  for (const [n, { path }] of numbered) {
    const old = join(folder, 'old', String(n));
    if (!isThere(old)) continue;
    withinFolder(
      root,
      parentOf(path),
      (base) => {
        const there = lstatSync(join(base, nameOf(path)), { throwIfNoEntry: false });
        if (there?.isDirectory() === true) rmdirSync(join(base, nameOf(path)));
        renameSync(old, join(base, nameOf(path)));
      },
      true,
    );
  }
}

function readUndo(folder: string): UndoRecord {
  const undo = UndoRecord.parse(JSON.parse(readFileSync(join(folder, 'undo.json'), 'utf8')));
  for (const at of [...undo.moves.map((move) => move.path), ...undo.folders]) {
    const fault = pathFault(at);
    if (fault !== undefined && isForged(fault))
      throw new StaffettaError('corrupt', `The record of an unfinished restore in ${folder} is damaged.`);
  }
  return undo;
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function refuseTouched(root: string, placed: readonly Move[]): void {
  const touched = placed.filter(({ path, stamp }) => {
    const file = join(root, path);
    return !isThere(file) || stampOf(file) !== stamp;
  });
  if (touched.length === 0) return;
  throw new StaffettaError(
    'workspace-dirty',
    `A restore was cut off here, and ${touched.length} of its files were changed since.`,
    {
      details: { changed: touched.slice(0, 100).map(({ path }) => path) },
      hint: 'Keep a copy of these files elsewhere before going on; restore into a new worktree meanwhile.',
    },
  );
}

/** The folder holds something, was never made, or its name is still a file's. */
const harmless = new Set(['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR', 'unsafe-path']);

function removeIfEmpty(root: string, at: string): void {
  try {
    withinFolder(root, parentOf(at), (base) => {
      rmdirSync(join(base, nameOf(at)));
    });
  } catch (error) {
    if (!harmless.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
