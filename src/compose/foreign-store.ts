/**
 * A store that came with a repository, or that belongs to another user, says what somebody else wants said, to agents too. Wherever a
 * store is found and not named, such a one is refused; what runs by itself passes it over.
 *
 * Whether git tracks it stands in git's index. Git is asked, which takes longer than a short command, and its answer "no" is kept beside
 * the store, in `store.db.untracked`, with the mark of the index that it was read from. A repository cannot bring that answer along:
 * nobody knows the mark of an index that is yet to be written.
 */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { StaffettaError } from '../core/error.ts';
import { defaultStore, type Located } from './locate.ts';

const gitMsMax = 1000;

export interface Look {
  /** Nothing is to be left behind: git is asked each time. */
  readonly leavesNothing?: boolean;
}

/** Throws for a store that was found here and is somebody else's. One that somebody named is used as told. */
export function refuseForeign({ path, named }: Located, options: Look = {}): void {
  const why = named === true || path === 'memory:' ? null : whyForeign(path, options);
  if (why === null) return;
  throw new StaffettaError('denied', `The store of this folder is not used unasked: ${why}.`, {
    details: { store: path },
    hint: 'Ask the person you work for. Whoever trusts those who wrote it names it in STAFFETTA_STORE; for work of your own, name another file there.',
  });
}

/** The store that is meant where nobody names one, if it is this user's own. */
export function ownStore(from: string, env: NodeJS.ProcessEnv): string {
  const located = defaultStore(from, env);
  refuseForeign(located);
  return located.path;
}

/** Why a store is not this user's own, in words; null for one that is. */
export function whyForeign(path: string, options: Look = {}): string | null {
  const folder = dirname(path);
  const user = process.getuid?.();
  for (const each of [folder, path]) {
    const owner = statSync(each, { throwIfNoEntry: false })?.uid;
    if (user !== undefined && owner !== undefined && owner !== user)
      return `${each} belongs to another user (${owner})`;
  }
  return isTracked(path, options)
    ? `git tracks ${path}, or what belongs to it: it came with the repository, and its words are those of whoever committed it`
    : null;
}

function isTracked(path: string, { leavesNothing = false }: Look): boolean {
  const folder = dirname(path);
  const root = dirname(folder);
  const git = statSync(join(root, '.git'), { throwIfNoEntry: false });
  if (git === undefined || !existsSync(folder)) return false;
  const mark = git.isDirectory() ? indexMark(join(root, '.git', 'index')) : undefined;
  // Nothing was ever added.
  if (mark === '') return false;
  const answer = `${path}.untracked`;
  if (mark !== undefined && textOf(answer) === mark) return false;
  const tracked = trackedBelow(root, basename(folder));
  const ours = basename(folder).toLowerCase();
  const file = basename(path).toLowerCase();
  // The folder itself where it is a link or a repository within this one; the store, and what lies beside it by its name.
  const isOurs = (name: string): boolean =>
    name === ours || name.startsWith(`${ours}/${file}`) || name.startsWith(`${ours}/hooks`);
  if (tracked?.some(isOurs) === true) return true;
  if (tracked !== undefined && mark !== undefined && !leavesNothing && existsSync(path)) keep(answer, mark);
  return false;
}

/** Git writes its index as a new file each time. Empty where there is none. */
function indexMark(index: string): string {
  const found = statSync(index, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? '' : `${found.dev}:${found.ino}:${found.mtimeNs}:${found.size}\n`;
}

/** Whatever the case of its letters: on many disks that makes no difference. Undefined where git does not answer. */
function trackedBelow(root: string, folder: string): readonly string[] | undefined {
  const { GIT_DIR: _dir, GIT_WORK_TREE: _tree, GIT_INDEX_FILE: _index, ...env } = process.env;
  const args = ['-c', 'core.fsmonitor=false', 'ls-files', '-z', '--', `:(top,icase)${folder}`];
  // Loaded when it is needed, which is seldom.
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const asked = spawnSync('git', args, {
    cwd: root,
    env,
    timeout: gitMsMax,
    windowsHide: true,
    encoding: 'utf8',
  });
  return asked.status === 0 ? asked.stdout.toLowerCase().split('\0') : undefined;
}

function keep(answer: string, mark: string): void {
  try {
    writeFileSync(answer, mark, { mode: 0o600 });
  } catch {
    // A place that cannot be written: git is asked again.
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Which file lies there, as far as the system tells them apart. */
export function fileMark(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? '' : `${found.dev}:${found.ino}`;
}
