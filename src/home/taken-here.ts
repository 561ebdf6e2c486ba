/** Which tasks were taken in which folder: a file for each, named after the task, in a folder named after the digest of the place. */
import { mkdirSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isTaskId, type TaskId } from '../core/journal/id.ts';
import { sha256Hex } from '../core/journal/sha256.ts';
import type { TakenHere } from '../ports/taken-here.ts';
import type { Home } from './home.ts';
import { worktreeRoot } from './locate.ts';

const othersMax = 20;

export function takenHere({ taken }: Home, folder: string): TakenHere {
  const notes = (): string => join(taken, sha256Hex(realpathSync(worktreeRoot(folder))).slice(0, 16));
  return {
    note: (task) => {
      asFarAsItGoes(() => {
        mkdirSync(notes(), { recursive: true, mode: 0o700 });
        writeFileSync(join(notes(), task), '', { mode: 0o600 });
      });
    },
    forget: (task) => {
      asFarAsItGoes(() => rmSync(join(notes(), task), { force: true }));
    },
    others: (than) =>
      (asFarAsItGoes(() => newest(notes())) ?? []).filter((task) => task !== than).slice(0, othersMax),
  };
}

/** A full disk, or a folder that went away: the work itself goes on. */
function asFarAsItGoes<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}

function newest(notes: string): TaskId[] {
  return readdirSync(notes)
    .filter(isTaskId)
    .map((task) => ({ task, at: statSync(join(notes, task)).mtimeMs }))
    .sort((a, b) => b.at - a.at)
    .map(({ task }) => task);
}
