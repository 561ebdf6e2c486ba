/** What the index holds that `status` does not tell: submodules, and entries that git was told to look away from. */
import { lstatSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../../core/base/limits.ts';
import { indexModes } from '../../core/tree/workspace.ts';
import { readIndexAt, type IndexEntryRead } from './read-index.ts';
import type { IndexSide, Items } from './item.ts';
import { git, RecordStream, type GitPlace } from './spawn.ts';
import { readPath } from './status.ts';
import type { Repository } from './locate.ts';

export interface IndexList {
  readonly submodules: readonly { readonly path: string; readonly commit: string }[];
  readonly hidden: readonly HiddenEntry[];
  /** Some entries are left out of the working tree on purpose. */
  readonly sparse: boolean;
  /** Every path in the index; only if asked for. */
  readonly paths: ReadonlySet<string>;
  /** Those of them that are links. */
  readonly links: readonly string[];
  /** Mode and object of every file and link, by the bytes of its path; only if asked for. */
  readonly sides: ReadonlyMap<string, string>;
}

interface HiddenEntry extends IndexSide {
  readonly path: string;
  readonly flag: 'assume-unchanged' | 'skip-worktree';
}

export async function listIndex(
  place: GitPlace & Pick<Repository, 'gitFolder' | 'hash'>,
  items: Items,
  options: { readonly paths: boolean; readonly sides: boolean },
): Promise<IndexList> {
  const all = options.paths || options.sides;
  let entries: IndexEntryRead[] = [];
  const see = (entry: IndexEntryRead): unknown => entries.push(entry);
  if (!readIndexAt(place, { see, all })) {
    entries = [];
    const stream = new RecordStream((record) => {
      // `H 100644 …` is an ordinary file or link: nearly all of them, so they are passed over without being decoded.
      if (all || record[0] !== cached || record[3] === 0x36) see(entryIn(record));
    });
    await git(place, ['ls-files', '-s', '-v', '-z'], { take: (bytes) => stream.push(bytes) });
  }
  return listOf(entries, items, options);
}

const cached = 'H'.charCodeAt(0);

/** `H 100644 OID 0<TAB>PATH`: an `S` is left out of the tree, a small letter is assumed unchanged. */
function entryIn(record: Buffer): IndexEntryRead {
  const tab = record.indexOf(0x09);
  const [tag = '', mode = '', oid = '', stage = ''] = record.toString('latin1', 0, tab).split(' ');
  const isSkipped = tag.toUpperCase() === 'S';
  return {
    mode,
    oid,
    path: Buffer.from(record.subarray(tab + 1)),
    stage: Number(stage),
    flag: isSkipped ? 'skip-worktree' : tag === tag.toUpperCase() ? undefined : 'assume-unchanged',
  };
}

function listOf(
  entries: readonly IndexEntryRead[],
  items: Items,
  options: { readonly paths: boolean; readonly sides: boolean },
): IndexList {
  const submodules: { path: string; commit: string }[] = [];
  const hidden: HiddenEntry[] = [];
  const paths = new Set<string>();
  const links: string[] = [];
  const sides = new Map<string, string>();
  for (const { mode: word, oid, path: bytes, stage, flag } of entries) {
    // The sides of a conflict are no content of the tree.
    if (options.sides && stage === 0) sides.set(bytes.toString('latin1'), `${word} ${oid}`);
    if (options.paths) {
      const name = bytes.toString('utf8');
      paths.add(name);
      if (word === '120000') links.push(name);
    }
    const mode = indexModes.find((each) => each === word);
    if (mode === undefined || stage !== 0 || (mode !== '160000' && flag === undefined)) continue;
    const path = readPath(items, bytes);
    if (path === undefined) continue;
    if (mode === '160000') submodules.push({ path, commit: oid });
    else if (flag !== undefined) hidden.push({ path, mode, oid, flag });
  }
  return {
    submodules,
    hidden,
    sparse: hidden.some(({ flag }) => flag === 'skip-worktree'),
    paths,
    links,
    sides,
  };
}

/**
 * Work in a file that git was told to ignore is still work. A missing file is a deletion only if it was assumed unchanged;
 * one that a sparse checkout left out is meant to be missing.
 */
export async function uncover(
  repository: Repository,
  items: Items,
  hidden: readonly HiddenEntry[],
): Promise<void> {
  const files: HiddenEntry[] = [];
  for (const entry of hidden) {
    const found = lstatSync(join(repository.root, entry.path), { throwIfNoEntry: false });
    if (found === undefined) {
      if (entry.flag === 'assume-unchanged') mark(items, entry, 'deleted');
    } else if (found.isSymbolicLink()) {
      const same = entry.mode === '120000' && (await isTarget(repository, entry));
      if (!same) mark(items, entry, entry.mode === '120000' ? 'modified' : 'typechange');
    } else if (!found.isFile() || entry.mode === '120000') mark(items, entry, 'typechange');
    else if (isExecutable(found.mode) !== (entry.mode === '100755') || found.size > limits.hashFileBytesMax)
      mark(items, entry, 'modified');
    else files.push(entry);
  }
  const paths = files.map(({ path }) => path);
  for (const [i, oid] of (await hashFiles(repository, paths)).entries()) {
    const entry = files[i];
    if (entry !== undefined && oid !== entry.oid) mark(items, entry, 'modified');
  }
}

function isExecutable(mode: number): boolean {
  return (mode & 0o100) !== 0;
}

function mark(items: Items, entry: HiddenEntry, unstaged: 'modified' | 'deleted' | 'typechange'): void {
  const item = items.at(entry.path);
  item.unstaged = unstaged;
  item.hidden = entry.flag;
  item.oid = entry.oid;
}

async function isTarget(repository: Repository, entry: HiddenEntry): Promise<boolean> {
  const target = readlinkSync(join(repository.root, entry.path));
  const { stdout } = await git(repository, ['hash-object', '--stdin'], { input: target });
  return stdout.toString('latin1').trim() === entry.oid;
}

/** Object ids as `git add` would give them; nothing is stored. */
export async function hashFiles(repository: Repository, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const input = paths.map((path) => `${quoted(path)}\n`).join('');
  const { stdout } = await git(repository, ['hash-object', '--stdin-paths'], { input });
  return stdout.toString('latin1').trim().split('\n');
}

/** Read back by git as C does: only then may a name hold a line break. */
function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`;
}
