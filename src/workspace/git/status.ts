/** What differs between HEAD, index and working tree, in the words of `git status --porcelain=v2 -z`. */
import { foldName, isForged, pathFault } from '../../core/tree/paths.ts';
import {
  indexModes,
  type ChangeKind,
  type conflictKinds,
  type IndexMode,
} from '../../core/tree/workspace.ts';
import { utf8 } from '../../core/base/utf8.ts';
import type { GitPlace } from './spawn.ts';
import { Items, type IndexSide } from './item.ts';
import { askGit, git, records } from './spawn.ts';
import { unusable } from './unusable.ts';

export interface GitStatus {
  readonly items: Items;
  readonly head: string | null;
  readonly branch: string | null;
  readonly upstream: {
    readonly name: string;
    readonly ahead: number | null;
    readonly behind: number | null;
  } | null;
}

const question = [
  'status',
  '--porcelain=v2',
  '--branch',
  '-z',
  '--untracked-files=all',
  '--ignored=no',
  // Looking into a submodule would start a git without our settings there.
  '--ignore-submodules=dirty',
  '--ahead-behind',
];

export async function readStatus(place: GitPlace): Promise<GitStatus> {
  // Untracked files come last: of an enormous heap of them, what is beyond the limit is lost, and nothing else.
  let answer = await askGit(place, [...question, '--find-renames'], { cut: true });
  // Finding renames reads old contents, which a partial clone may not have. Everything else can be told without.
  if (answer.code !== 0) answer = await askGit(place, [...question, '--no-renames'], { cut: true });
  if (answer.code !== 0) {
    if (/bad object HEAD|could not parse HEAD/i.test(answer.stderr))
      throw unusable('head-gone', `The commit that HEAD names is gone from the repository at ${place.cwd}.`);
    await git(place, [...question, '--no-renames']);
  }
  const whole = answer.cut ? answer.stdout.subarray(0, answer.stdout.lastIndexOf(0) + 1) : answer.stdout;
  const status = parseStatus(whole, answer.stderr, place.cwd);
  if (answer.cut) status.items.losses.push({ path: '.', reason: 'too-many' });
  return status;
}

function parseStatus(stdout: Buffer, stderr: string, root: string): GitStatus {
  const items = new Items();
  const headers = new Map<string, string>();
  const lines = records(stdout);
  for (let next = lines.next(); next.done !== true; next = lines.next()) {
    const line = next.value;
    switch (String.fromCharCode(line[0] ?? 0)) {
      case '#': {
        const [, key = '', ...value] = line.toString('utf8').split(' ');
        headers.set(key, value.join(' '));
        break;
      }
      case '1':
        readChanged(items, line);
        break;
      case '2': {
        const origin = lines.next();
        readRenamed(items, line, origin.done === true ? Buffer.alloc(0) : origin.value);
        break;
      }
      case 'u':
        readConflict(items, line);
        break;
      case '?':
        readUntracked(items, line.subarray(2));
        break;
      default:
    }
  }
  readWarnings(items, stderr);
  return { items, ...readHeaders(headers, root) };
}

function readHeaders(headers: ReadonlyMap<string, string>, root: string): Omit<GitStatus, 'items'> {
  const oid = headers.get('branch.oid') ?? '(initial)';
  const branch = headers.get('branch.head') ?? '(unknown)';
  if (branch === '(unknown)')
    throw unusable('head-gone', `HEAD of the repository at ${root} names nothing that git can read.`);
  const name = headers.get('branch.upstream');
  const counts = /^\+(\d+) -(\d+)$/.exec(headers.get('branch.ab') ?? '');
  return {
    head: oid === '(initial)' ? null : oid,
    branch: branch === '(detached)' ? null : branch,
    upstream:
      name === undefined
        ? null
        : {
            name,
            ahead: counts === null ? null : Number(counts[1]),
            behind: counts === null ? null : Number(counts[2]),
          },
  };
}

const kinds: Readonly<Record<string, ChangeKind>> = {
  A: 'added',
  C: 'added',
  D: 'deleted',
  M: 'modified',
  R: 'renamed',
  T: 'typechange',
};
const conflicts: Readonly<Record<string, (typeof conflictKinds)[number]>> = {
  DD: 'both-deleted',
  AU: 'added-by-us',
  UD: 'deleted-by-them',
  UA: 'added-by-them',
  DU: 'deleted-by-us',
  AA: 'both-added',
  UU: 'both-modified',
};

/** The fields before the path, and the path. */
function fields(line: Buffer, count: number): { readonly words: string[]; readonly path: Buffer } {
  let at = 0;
  const words: string[] = [];
  for (let i = 0; i < count; i++) {
    const end = line.indexOf(0x20, at);
    words.push(line.toString('latin1', at, end));
    at = end + 1;
  }
  return { words, path: line.subarray(at) };
}

function readChanged(items: Items, line: Buffer): void {
  const { words, path: bytes } = fields(line, 8);
  const [, xy = '..', sub = 'N', , indexMode = '', , , indexOid = ''] = words;
  const path = readPath(items, bytes);
  if (path === undefined) return;
  readSides(items, path, { xy, sub, side: side(indexMode, indexOid) });
}

function readRenamed(items: Items, line: Buffer, origin: Buffer): void {
  const { words, path: bytes } = fields(line, 9);
  const [, xy = '..', sub = 'N', , indexMode = '', , , indexOid = ''] = words;
  const path = readPath(items, bytes);
  const from = readPath(items, origin);
  if (from !== undefined && xy[0] === 'R') Object.assign(items.at(from), { staged: 'deleted', index: null });
  if (from !== undefined && xy[1] === 'R') items.at(from).unstaged = 'deleted';
  if (path === undefined) return;
  readSides(items, path, { xy, sub, side: side(indexMode, indexOid) });
  if (from !== undefined) items.at(path).from = from;
}

function readSides(
  items: Items,
  path: string,
  told: { readonly xy: string; readonly sub: string; readonly side: IndexSide | null },
): void {
  const item = items.at(path);
  const staged = kinds[told.xy[0] ?? '.'];
  const unstaged = kinds[told.xy[1] ?? '.'];
  if (staged !== undefined) {
    item.staged = staged;
    item.index = staged === 'deleted' ? null : told.side;
  }
  if (unstaged !== undefined) item.unstaged = unstaged;
  if (told.side !== null && staged !== 'deleted') item.oid = told.side.oid;
  // Only an entry that was announced and not yet added can be new in the working tree.
  if (unstaged === 'added' || unstaged === 'renamed') item.intent = true;
  if (told.sub.startsWith('S')) item.submodule = true;
}

function readConflict(items: Items, line: Buffer): void {
  const { words, path: bytes } = fields(line, 10);
  const [, xy = '', sub = 'N', m1 = '', m2 = '', m3 = '', , h1 = '', h2 = '', h3 = ''] = words;
  const path = readPath(items, bytes);
  const conflict = conflicts[xy];
  if (path === undefined || conflict === undefined) return;
  const item = items.at(path);
  item.conflict = conflict;
  item.stages = (
    [
      [1, m1, h1],
      [2, m2, h2],
      [3, m3, h3],
    ] as const
  ).flatMap(([stage, mode, oid]) => {
    const entry = side(mode, oid);
    return entry === null ? [] : [{ stage, ...entry }];
  });
  if (sub.startsWith('S')) item.submodule = true;
}

function side(mode: string, oid: string): IndexSide | null {
  const known = indexModes.find((each) => each === mode);
  return known === undefined ? null : { mode: known satisfies IndexMode, oid };
}

function readUntracked(items: Items, bytes: Buffer): void {
  // A folder is only named when it is a repository of its own.
  const nested = bytes[bytes.length - 1] === 0x2f;
  const path = readPath(items, nested ? bytes.subarray(0, -1) : bytes);
  if (path === undefined) return;
  if (nested) items.losses.push({ path, reason: 'nested-repository' });
  else items.at(path).untracked = true;
}

/** A path that JSON can hold and a restore would take, and that is not our own; anything else becomes a loss. */
export function readPath(items: Items, bytes: Buffer): string | undefined {
  let path: string;
  try {
    path = utf8(bytes);
  } catch {
    items.losses.push({ path: bytes.toString('utf8'), reason: 'name-not-utf8' });
    return undefined;
  }
  if (foldName(path.split('/', 1)[0] ?? '') === '.staffetta') return undefined;
  const fault = pathFault(path);
  if (fault === undefined || !isForged(fault)) return path;
  items.losses.push({ path, reason: 'unsafe-name' });
  return undefined;
}

/** Git tells of what it could not look into, and goes on. */
function readWarnings(items: Items, stderr: string): void {
  const seen = new Set<string>();
  for (const line of stderr.split('\n')) {
    const folder = /^warning: could not open directory '(.*)': /.exec(line)?.[1];
    const file =
      /^(?:error: |warning: )?(?:open\(|lstat\(|unable to (?:access|open|stat) |unable to index file )?["']?(.+?)["']?\)?: (?:Permission denied|Input\/output error)$/.exec(
        line,
      )?.[1];
    const path = (folder ?? file)?.replace(/\/$/, '');
    if (path === undefined || path === '' || seen.has(path)) continue;
    seen.add(path);
    items.losses.push({ path, reason: 'unreadable' });
  }
}
