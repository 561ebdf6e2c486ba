/**
 * Branches, read from the files that git keeps them in: one each below `refs`, or a line in `packed-refs`. A file is not yet a branch: it
 * may be damaged, or name one that is gone; then git is asked.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from './locate.ts';
import { askGit, type GitPlace } from './spawn.ts';

export interface RefRead {
  /** The branch that it stands for: itself, but where it only names another. */
  readonly name: string;
  readonly commit: string;
}

/** A longer list is git's to search. */
const packedBytesMax = 4 * 1024 * 1024;
const linksMax = 5;

/** Null: there is none. Undefined: git must be asked. */
export function readRef(commonFolder: string, name: string, links = 0): RefRead | null | undefined {
  // Another way to keep them, in files of another kind.
  if (existsSync(join(commonFolder, 'reftable'))) return undefined;
  try {
    const file = join(commonFolder, name);
    const text = statSync(file, { throwIfNoEntry: false })?.isFile() === true && readFileSync(file, 'latin1');
    if (text === false) return packedRef(commonFolder, name);
    const commit = text.replace(/\n$/, '');
    if (isCommitId(commit)) return { name, commit };
    const target = /^ref: (refs\/\S+)\n?$/.exec(text)?.[1];
    if (target === undefined || target.includes('..') || links >= linksMax) return undefined;
    return readRef(commonFolder, target, links + 1) ?? undefined;
  } catch {
    return undefined;
  }
}

/** The branch that is checked out; undefined where there is none, or git must be asked. */
export function headBranch(gitFolder: string): string | undefined {
  try {
    return /^ref: refs\/heads\/(\S+)\n?$/.exec(readFileSync(join(gitFolder, 'HEAD'), 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}

/** Whether other objects may stand for commits here, which only git then knows. */
export function mayReplace(commonFolder: string): boolean {
  if (existsSync(join(commonFolder, 'refs/replace')) || existsSync(join(commonFolder, 'reftable')))
    return true;
  try {
    return packedRefs(commonFolder)?.includes(' refs/replace/') ?? true;
  } catch {
    return true;
  }
}

function packedRefs(commonFolder: string): string | undefined {
  const packed = join(commonFolder, 'packed-refs');
  const size = statSync(packed, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return '';
  return size > packedBytesMax ? undefined : readFileSync(packed, 'latin1');
}

function packedRef(commonFolder: string, name: string): RefRead | null | undefined {
  const text = packedRefs(commonFolder);
  if (text === undefined) return undefined;
  const end = text.indexOf(` ${name}\n`);
  if (end === -1) return null;
  const commit = text.slice(text.lastIndexOf('\n', end) + 1, end);
  return isCommitId(commit) ? { name, commit } : undefined;
}

/** Zeros alone stand for a branch that was never written. */
function isCommitId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text) && !/^0+$/.test(text);
}

const defaults = [
  'refs/remotes/origin/HEAD',
  'refs/remotes/origin/main',
  'refs/remotes/origin/master',
  'refs/heads/main',
  'refs/heads/master',
];

/** Branches that others work on, as far as they are there, in the order in which they are believed: one that was agreed on comes first. */
export async function defaultBranches(
  place: GitPlace & Pick<Repository, 'commonFolder'>,
  agreed?: string,
): Promise<ReadonlyMap<string, RefRead>> {
  const names = agreed === undefined ? defaults : [`refs/heads/${agreed}`, ...defaults];
  const found = new Map<string, RefRead>();
  for (const name of names) {
    const ref = readRef(place.commonFolder, name);
    if (ref === undefined) return await askForBranches(place, names);
    if (ref !== null) found.set(name, ref);
  }
  return found;
}

async function askForBranches(
  place: GitPlace,
  names: readonly string[],
): Promise<ReadonlyMap<string, RefRead>> {
  const format = '--format=%(refname)%00%(symref)%00%(objectname)';
  const { stdout } = await askGit(place, ['for-each-ref', format, ...names]);
  const there = new Map(
    stdout
      .toString('utf8')
      .split('\n')
      .map((line) => line.split('\0'))
      .map(([name = '', target = '', commit = '']) => [
        name,
        { name: target === '' ? name : target, commit },
      ]),
  );
  return new Map(
    names.flatMap((name) => {
      const ref = there.get(name);
      return ref === undefined ? [] : [[name, ref]];
    }),
  );
}
