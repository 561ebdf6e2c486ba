/** Which files of notes there are, and what of each was taken before. Small, because it is asked at every call of a tool. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Home } from './home.ts';
import { worktreeRoot } from './locate.ts';
import { writePrivate } from '../process/private-file.ts';

export const notesBytesMax = 1024 * 1024;

export interface SeenNotes {
  readonly size: number;
  readonly mtimeMs: number;
  readonly lines: readonly string[];
  /** Digest of a progress.json as it was taken. */
  readonly progress: string;
}

export type Memory = Readonly<Record<string, SeenNotes>>;

export function watchedFiles(home: Home, folder: string): { readonly path: string; readonly own: boolean }[] {
  const root = worktreeRoot(folder);
  return [
    ...['NOTES.md', 'NOTES.txt', 'NOTES', 'progress.json'].map((name) => ({
      path: join(root, name),
      own: false,
    })),
    { path: home.notes, own: true },
  ];
}

/** Whether any of them changed, without reading one. */
export function hasNewNotes(home: Home, folder: string): boolean {
  const memory = remembered(home);
  return watchedFiles(home, folder).some(({ path }) => isChanged(path, memory[path]));
}

export function isChanged(path: string, seen: SeenNotes | undefined): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile() || stats.size > notesBytesMax) return false;
  return seen === undefined || seen.size !== stats.size || seen.mtimeMs !== stats.mtimeMs;
}

function memoryPath(home: Home): string {
  return join(home.hooks, 'notes.json');
}

export function remembered(home: Home): Memory {
  try {
    return JSON.parse(readFileSync(memoryPath(home), 'utf8')) as Memory;
  } catch {
    return {};
  }
}

export function remember(home: Home, memory: Memory): void {
  writePrivate(memoryPath(home), JSON.stringify(memory));
}
