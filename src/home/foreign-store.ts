/**
 * A store that came with a repository, or that belongs to another user, says what somebody else wants said, to agents too. Wherever a
 * store is found and not named, such a one is refused; what runs by itself passes it over.
 *
 * Whether git tracks it stands in git's index, which is read for its name: starting git would take longer than a short command. Only where
 * the name is found, or the index is of a form in which names are not written out, git is asked.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { StaffettaError } from '../core/base/error.ts';
import type { StoreAddress } from '../ports/store-address.ts';
import { homeOf } from './home.ts';
import { lookAt } from './look-at.ts';
import { defaultStore, type Located } from './locate.ts';

const gitMsMax = 1000;

/** Throws for a store that was found here and is somebody else's. One that somebody named is used as told. */
export function refuseForeign(located: Located): void {
  const why = whyForeign(located);
  if (why === null) return;
  const { store } = located;
  throw new StaffettaError('denied', `The store of this folder was not opened: ${why}.`, {
    details: { store: store.shown },
    hint: 'Ask the person you work for. A person who trusts its authors names it in STAFFETTA_STORE; for work of your own, name another file there.',
  });
}

/** The store that is meant where nobody names one, if it is this user's own. */
export function ownStore(from: string, env: NodeJS.ProcessEnv): StoreAddress {
  const located = defaultStore(from, env);
  refuseForeign(located);
  return located.store;
}

/** Why a store is not this user's own, in words: the file that it is, or the one that names it. Null for one that is, or that somebody named. */
export function whyForeign({ store, named, at }: Located): string | null {
  return named === true ? null : whyForeignFile(at ?? homeOf(store)?.file);
}

export function whyForeignFile(path: string | undefined): string | null {
  if (path === undefined) return null;
  const folder = dirname(path);
  const user = process.getuid?.();
  for (const each of [folder, path]) {
    const owner = lookAt(each)?.uid;
    if (user !== undefined && owner !== undefined && owner !== user)
      return `${each} belongs to another user (${owner})`;
  }
  return isTracked(folder, path)
    ? `git tracks ${path}, or what belongs to it: it came with the repository, and its words are those of its committers`
    : null;
}

function isTracked(folder: string, path: string): boolean {
  const root = dirname(folder);
  if (!existsSync(folder)) return false;
  const [ours, file] = [basename(folder).toLowerCase(), basename(path).toLowerCase()];
  // The folder itself where it is a link or a repository within this one; the store, and what lies beside it by its name.
  if (!mayName(join(root, '.git'), [`${ours}\0`, `${ours}/${file}`, `${ours}/hooks`])) return false;
  return trackedBelow(root, basename(folder)).some(
    (name) => name === ours || name.startsWith(`${ours}/${file}`) || name.startsWith(`${ours}/hooks`),
  );
}

/** Names end with a NUL in the index; from the fourth version on, and where a part of it lies in another file, they are not all there. */
function mayName(git: string, names: readonly string[]): boolean {
  const found = statSync(git, { throwIfNoEntry: false });
  if (found === undefined) return false;
  if (!found.isDirectory()) return true;
  try {
    // Nothing was ever added.
    if (!existsSync(join(git, 'index'))) return false;
    const index = readFileSync(join(git, 'index'));
    const plain =
      index.readUInt32BE(4) < 4 && !readdirSync(git).some((one) => one.startsWith('sharedindex.'));
    if (!plain) return true;
    if (process.platform === 'linux') return names.some((name) => index.includes(name));
    const text = index.toString('latin1').toLowerCase();
    return names.some((name) => text.includes(name));
  } catch {
    return true;
  }
}

/** Whatever the case of its letters: on many disks that makes no difference. Nothing where git does not answer. */
function trackedBelow(root: string, folder: string): readonly string[] {
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
  return asked.status === 0 ? asked.stdout.toLowerCase().split('\0') : [];
}
