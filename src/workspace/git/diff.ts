/** The difference between two trees, or one and the working tree, for people: unified, without external programs, bounded. */
import { createHash } from 'node:crypto';
import type { Repository } from './locate.ts';
import { askGit, type GitPlace } from './spawn.ts';

export interface TrackedDiff {
  readonly text: Buffer;
  readonly cut: boolean;
  readonly files: readonly DiffStat[];
  /** It shows what was committed since the work began, too. */
  readonly committed?: true;
}

export interface DiffStat {
  readonly path: string;
  /** Null for a binary file. */
  readonly added: number | null;
  readonly removed: number | null;
}

const options = [
  'diff',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-relative',
  '--full-index',
  '--find-renames',
  '--unified=3',
  '--inter-hunk-context=0',
  '--indent-heuristic',
  '--diff-algorithm=myers',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--submodule=short',
  '--ignore-submodules=dirty',
  '--numstat',
  '--patch',
  '-z',
];
/** Naming the changed paths saves git from looking at all others; past this, the command line would get too long. */
const namedBytesMax = 64 * 1024;

export interface DiffPart {
  /** Null: a tree without anything. */
  readonly from: string | null;
  /** Absent: the working tree. */
  readonly to?: string;
  readonly paths: readonly string[];
  /** Nothing else differs, or may be shown as well. */
  readonly isAll: boolean;
}

/** Undefined if git cannot give one, for lack of an old content for example. */
export async function diffPart(
  place: HashedPlace,
  { from, to, paths, isAll }: DiffPart,
  bytesMax: number,
): Promise<TrackedDiff | undefined> {
  if (paths.length === 0) return { text: Buffer.alloc(0), cut: false, files: [] };
  const named = fittingNames(paths);
  const isNamed = named.length === paths.length || !isAll;
  const trees = [from ?? emptyTree(place), ...(to === undefined ? [] : [to])];
  const answer = await askGit(place, [...options, ...trees, '--', ...(isNamed ? named : [])], {
    bytesMax,
    cut: true,
    // Commits that the work is held against are the real ones.
    env: to === undefined ? {} : { GIT_NO_REPLACE_OBJECTS: '1' },
  });
  if (answer.code !== 0) return undefined;
  return splitAnswer(answer.stdout, answer.cut || (isNamed && named.length < paths.length));
}

function fittingNames(paths: readonly string[]): readonly string[] {
  let bytes = 0;
  const over = paths.findIndex((path) => (bytes += Buffer.byteLength(path) + 1) > namedBytesMax);
  return over === -1 ? paths : paths.slice(0, over);
}

export type HashedPlace = GitPlace & Pick<Repository, 'hash'>;

/** Its name, which git knows without having it. */
export function emptyTree({ hash }: HashedPlace): string {
  return createHash(hash).update('tree 0\0').digest('hex');
}

/** Counts between NULs, then an empty record, then the patch. */
function splitAnswer(stdout: Buffer, cut: boolean): TrackedDiff {
  const files: DiffStat[] = [];
  let at = 0;
  const word = (): string => {
    const end = stdout.indexOf(0, at);
    const text = stdout.toString('utf8', at, end === -1 ? stdout.length : end);
    at = end === -1 ? stdout.length : end + 1;
    return text;
  };
  while (at < stdout.length) {
    const [added = '', removed = '', path = ''] = word().split('\t');
    if (added === '') break;
    if (path === '') word();
    files.push({
      path: path === '' ? word() : path,
      added: added === '-' ? null : Number(added),
      removed: removed === '-' ? null : Number(removed),
    });
  }
  return { text: stdout.subarray(at), cut, files };
}
