/**
 * What commits did since the work began. Two trees are compared, not the commits between them: amending, rebasing and squashing
 * change commits and leave the work what it is.
 *
 *   changed since the start   S → HEAD
 *   brought in from outside   whatever HEAD has exactly as the branch it will go back to, at their merge base M
 *
 * Where M goes on from S, the work is what differs from M: others' lines in the same files are not in it, and what a merge took back of
 * theirs is. Else a path counts if it differs from S and from M. That branch is the one that the contract names, else a remote one where
 * there is one, and never the branch the work is on or began on, nor the one it is pushed to: on those, the agent's own commits lie. Git
 * does not say who moved a branch: an agent that moves somebody else's branch to its own commits hides them.
 */
import { filled } from '../../core/base/defined.ts';
import { limits } from '../../core/base/limits.ts';
import type { WorkStart } from '../../core/task/start.ts';
import {
  byPath,
  type ChangeKind,
  type Committed,
  type CommittedFile,
  type GitFacts,
} from '../../core/tree/workspace.ts';
import { fitting } from '../../core/base/fitting.ts';
import { isPartOf, mergeBase } from './base.ts';
import { emptyTree } from './diff.ts';
import { Items } from './item.ts';
import { askGit, records, type GitPlace } from './spawn.ts';
import type { Repository } from './locate.ts';
import { defaultBranches, headBranch, mayReplace, readRef, type RefRead } from './ref-files.ts';
import { readPath } from './status.ts';

type Place = GitPlace & Pick<Repository, 'hash' | 'commonFolder'>;

export interface Now {
  readonly head: string | null;
  readonly branch: string | null;
  readonly upstream: { readonly name: string } | null;
  /** The branch that the work is agreed to go onto. */
  readonly onto?: string | undefined;
  /** Where HEAD left a branch, as the survey asked for it. */
  readonly base?: GitFacts['base'];
}

/** The same with what a diff of it needs. */
export interface CommittedWork {
  readonly facts: Committed;
  /** The tree it is held against; null where there is nothing to show. */
  readonly from: string | null;
  readonly files: readonly Pick<CommittedFile, 'path' | 'from'>[];
  /** Nothing else differs. */
  readonly isAll: boolean;
  /** How many have names that cannot be told, at least. */
  readonly unnamed: number;
}

/** By git's own files where they tell; else both in one question, and where HEAD names no commit yet, only the branch is asked for. */
export async function readStart(
  place: GitPlace & Pick<Repository, 'gitFolder' | 'commonFolder'>,
): Promise<WorkStart> {
  const branchHere = headBranch(place.gitFolder);
  const tip = branchHere === undefined ? undefined : readRef(place.commonFolder, `${heads}${branchHere}`);
  if (branchHere !== undefined && tip && tip.name === `${heads}${branchHere}`)
    return { head: tip.commit, branch: branchHere };
  const both = await askGit(place, ['rev-parse', '--quiet', 'HEAD^{commit}', '--symbolic-full-name', 'HEAD']);
  const [head = '', name = ''] = both.stdout.toString('utf8').split('\n');
  if (both.code === 0 && name === 'HEAD') return { head, branch: null };
  if (both.code === 0 && name.startsWith(heads)) return { head, branch: name.slice(heads.length) };
  const branch = await askGit(place, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  const short = branch.stdout.toString('utf8').trim();
  return {
    head: both.code === 0 ? head : null,
    branch: branch.code === 0 && short !== '' ? short : null,
  };
}

const heads = 'refs/heads/';

/** Undefined where nobody knows what to hold it against. */
export async function readCommitted(
  place: Place,
  start: WorkStart | null,
  now: Now,
): Promise<CommittedWork | undefined> {
  if (start !== null && start.head === now.head) return nothing(start.head);
  if (now.head === null) return start === null ? undefined : nothing(start.head);
  const others = await othersBranch(place, start, { ...now, head: now.head });
  const base = others === undefined ? undefined : await baseWith(place, others, { ...now, head: now.head });
  const since = start === null ? base : (start.head ?? emptyTree(place));
  if (since === undefined) return undefined;
  const isBroughtAlong =
    start !== null &&
    start.head !== null &&
    base !== undefined &&
    base !== since &&
    !isPartOf(place, base, since)
      ? (await mergeBase(place, base, { ref: since, tip: since, env: honest })) === since
      : false;
  const from = isBroughtAlong && base !== undefined ? base : since;
  const named = start === null || isBroughtAlong ? from : start.head;
  const changed = await compare(place, from, now.head);
  if (changed === undefined) return gone(named);
  // Where the work is held against that branch as it is, the two trees to compare are the same two.
  const isSame = start === null || base === undefined || base === from;
  const foreign = isSame ? undefined : await pathsBetween(place, base, now.head);
  const own = changed.files.filter(
    ({ path, from }) =>
      foreign === undefined || foreign.has(path) || (from !== undefined && foreign.has(from)),
  );
  const files = own.map(({ lines: _lines, ...file }) => file).sort(byPath);
  const listed = fitting(files);
  return {
    facts: {
      since: named,
      files: listed,
      left: files.length - listed.length + changed.unnamed,
      added: total(own, 'added'),
      removed: total(own, 'removed'),
    },
    from,
    files,
    isAll: files.length === changed.files.length,
    unnamed: changed.unnamed,
  };
}

function nothing(since: string | null): CommittedWork {
  const facts = { since, files: [], left: 0, added: 0, removed: 0 };
  return { facts, from: null, files: [], isAll: true, unnamed: 0 };
}

function gone(since: string | null): CommittedWork {
  const { facts, ...work } = nothing(since);
  return { ...work, facts: { ...facts, gone: true, added: null, removed: null } };
}

/** What the survey was told of the same branch holds here, unless one object may have been passed off as another. */
async function baseWith(
  place: Place,
  { name, commit }: RefRead,
  { head, base }: Now & { readonly head: string },
): Promise<string | undefined> {
  const isAsked =
    base !== undefined &&
    base !== null &&
    (name === `refs/heads/${base.ref}` || name === `refs/remotes/${base.ref}`);
  if (isAsked && !mayReplace(place.commonFolder)) return base.commit;
  return await mergeBase(place, head, { ref: name, tip: commit, env: honest });
}

/** The branch that others work on; undefined where there is none. */
async function othersBranch(
  place: Place,
  start: WorkStart | null,
  now: Now & { readonly head: string },
): Promise<RefRead | undefined> {
  const mine = new Set([
    ...[now.branch, start?.branch].map((branch) => `refs/heads/${branch}`),
    `refs/remotes/origin/${now.branch}`,
    `refs/remotes/${now.upstream?.name}`,
    `refs/heads/${now.upstream?.name}`,
  ]);
  return [...(await defaultBranches(place, now.onto)).values()].find(({ name }) => !mine.has(name));
}

/** A repository can pass one object off as another; here we want the real ones. */
const honest = { GIT_NO_REPLACE_OBJECTS: '1' };
const question = ['diff-tree', '-r', '-z', '--no-ext-diff', '--no-textconv', '--raw', '--no-abbrev'];

interface Counted extends CommittedFile {
  readonly lines: { readonly added: number | null; readonly removed: number | null } | null;
}

/** Undefined if one of the two is not there. */
async function compare(
  place: GitPlace,
  from: string,
  to: string,
): Promise<{ readonly files: Counted[]; readonly unnamed: number } | undefined> {
  const ask = async (...more: string[]): ReturnType<typeof askGit> =>
    await askGit(place, [...question, ...more, '--end-of-options', from, to], { env: honest, cut: true });
  let answer = await ask('--find-renames', '--numstat');
  // Counting lines reads contents, which a partial clone may not have.
  if (answer.code !== 0) answer = await ask('--no-renames');
  if (answer.code !== 0) return undefined;
  const parsed = parseTrees(answer.stdout);
  return answer.cut ? { ...parsed, unnamed: parsed.unnamed + 1 } : parsed;
}

const kinds: Readonly<Record<string, ChangeKind>> = {
  A: 'added',
  C: 'added',
  D: 'deleted',
  M: 'modified',
  R: 'renamed',
  T: 'typechange',
};

/** Records of the raw form begin with a colon; those that count lines follow. */
function parseTrees(stdout: Buffer): { readonly files: Counted[]; readonly unnamed: number } {
  const items = new Items();
  const found = new Map<string, Counted>();
  const lines = records(stdout);
  let unnamed = 0;
  const path = (): string | undefined => {
    const next = lines.next();
    return next.done === true ? undefined : readPath(items, next.value);
  };
  for (let next = lines.next(); next.done !== true; next = lines.next()) {
    if (next.value[0] !== 0x3a) {
      readCount(next.value, path, found);
      continue;
    }
    const [, mode = '', , , letter = ''] = next.value.toString('latin1').split(' ');
    const status = kinds[letter[0] ?? ''] ?? 'modified';
    const first = path();
    const moved = letter[0] === 'R' || letter[0] === 'C';
    const at = moved ? path() : first;
    if (at === undefined) {
      unnamed += 1;
      continue;
    }
    found.set(at, {
      path: at,
      status,
      ...(status === 'renamed' && first !== undefined ? { from: first } : {}),
      ...typeOf(mode),
      lines: null,
    });
  }
  return { files: [...found.values()], unnamed };
}

function readCount(line: Buffer, path: () => string | undefined, found: Map<string, Counted>): void {
  const [added = '', removed = '', ...rest] = line.toString('utf8').split('\t');
  let name: string | undefined = rest.join('\t');
  if (name === '') {
    path();
    name = path();
  }
  const file = name === undefined ? undefined : found.get(name);
  if (file === undefined) return;
  const binary = added === '-';
  found.set(file.path, {
    ...file,
    ...filled({ binary }),
    lines: { added: binary ? null : Number(added), removed: binary ? null : Number(removed) },
  });
}

function typeOf(mode: string): Pick<CommittedFile, 'type' | 'executable'> {
  if (mode === '120000') return { type: 'link' };
  if (mode === '160000') return { type: 'submodule' };
  if (mode === '000000') return { type: 'absent' };
  return { type: 'file', ...(mode === '100755' ? { executable: true as const } : {}) };
}

/** Null if any of them was not counted; a binary file has no lines. */
function total(files: readonly Counted[], side: 'added' | 'removed'): number | null {
  return files.some(({ lines }) => lines === null)
    ? null
    : files.reduce((sum, { lines }) => sum + (lines?.[side] ?? 0), 0);
}

/** Undefined where that cannot be told: then nothing counts as brought in. */
async function pathsBetween(
  place: GitPlace,
  from: string,
  to: string,
): Promise<ReadonlySet<string> | undefined> {
  const answer = await askGit(place, [...question, '--no-renames', '--end-of-options', from, to], {
    env: honest,
    bytesMax: limits.gitOutputBytesMax,
    cut: true,
  });
  if (answer.code !== 0 || answer.cut) return undefined;
  return new Set(parseTrees(answer.stdout).files.map(({ path }) => path));
}
