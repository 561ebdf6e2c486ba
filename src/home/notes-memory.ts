/** Which files of notes there are, and what of each was taken before. Small, because it is asked at every call of a tool. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { worktreeRoot } from './locate.ts';
import { hooksFolder, writePrivate } from './session-record.ts';

export const notesBytesMax = 1024 * 1024;

export interface Seen {
  readonly size: number;
  readonly mtimeMs: number;
  readonly lines: readonly string[];
  /** Digest of a progress.json as it was taken. */
  readonly progress: string;
}

export type Memory = Readonly<Record<string, Seen>>;

export function watchedFiles(
  store: string,
  folder: string,
): { readonly path: string; readonly own: boolean }[] {
  const root = worktreeRoot(folder);
  return [
    ...['NOTES.md', 'NOTES.txt', 'NOTES', 'progress.json'].map((name) => ({
      path: join(root, name),
      own: false,
    })),
    { path: join(dirname(store), 'notes.md'), own: true },
  ];
}

/** Whether any of them changed, without reading one. */
export function hasNewNotes(store: string, folder: string): boolean {
  const memory = remembered(store);
  return watchedFiles(store, folder).some(({ path }) => isChanged(path, memory[path]));
}

export function isChanged(path: string, seen: Seen | undefined): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile() || stats.size > notesBytesMax) return false;
  return seen === undefined || seen.size !== stats.size || seen.mtimeMs !== stats.mtimeMs;
}

function memoryPath(store: string): string {
  return join(hooksFolder(store), 'notes.json');
}

export function remembered(store: string): Memory {
  try {
    return JSON.parse(readFileSync(memoryPath(store), 'utf8')) as Memory;
  } catch {
    return {};
  }
}

export function remember(store: string, memory: Memory): void {
  writePrivate(memoryPath(store), JSON.stringify(memory));
}
