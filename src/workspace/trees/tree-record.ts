/**
 * What is known of a tree while it is made, worked in and removed: `SLOT+tree.json` beside its folder, written before each step. A call
 * that was killed leaves it, and the next goes on from there. Nobody but `make` has been in a tree whose step comes before `ready`.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SubmoduleFilled, Tree, TreeName } from '../../ports/trees.ts';
import { writePrivate } from '../../process/private-file.ts';
import { slotOf } from './names.ts';

export interface TreeRecord extends TreeName, Pick<Tree, 'path' | 'branch' | 'base' | 'began' | 'aside'> {
  readonly v: 1;
  readonly attempt: number;
  readonly step: 'adding' | 'checking-out' | 'furnishing' | 'ready' | 'removing';
  /** The commit that the branch begins at. */
  readonly start: string;
  readonly submodules: readonly SubmoduleFilled[];
  readonly unfiltered: readonly string[];
}

/** The newest try of a task, or the one at a path. */
export function newestRecord(
  folder: string,
  { run, task, path }: TreeName & { readonly path?: string },
): TreeRecord | undefined {
  return recordsIn(folder)
    .filter((record) => record.run === run && record.task === task && (path ?? record.path) === record.path)
    .toSorted((a, b) => b.attempt - a.attempt)[0];
}

export function recordsIn(folder: string): TreeRecord[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names.filter((name) => name.endsWith('+tree.json')).flatMap((name) => parsed(join(folder, name)));
}

export function writeTreeRecord(folder: string, record: TreeRecord): TreeRecord {
  writePrivate(fileOf(folder, record), JSON.stringify(record));
  return record;
}

export function dropTreeRecord(folder: string, record: TreeRecord): void {
  rmSync(fileOf(folder, record), { force: true });
}

function fileOf(folder: string, record: TreeRecord): string {
  return join(folder, `${slotOf(record, record.attempt)}+tree.json`);
}

function parsed(path: string): TreeRecord[] {
  try {
    const record = JSON.parse(readFileSync(path, 'utf8')) as TreeRecord;
    const isOurs =
      (record.v as number) === 1 && typeof record.task === 'string' && typeof record.path === 'string';
    return isOurs ? [record] : [];
  } catch {
    // Without it a tree is one that somebody else made, which is set aside and never taken.
    return [];
  }
}
