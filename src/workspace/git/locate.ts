import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { isStaffettaError, StaffettaError } from '../../core/base/error.ts';
import { sanitizeLine } from '../../core/base/sanitize.ts';
import { guard, quietGit, type Guarded, type GuardOptions } from './guard.ts';
import { damagedMarker, gitMarker, isBare, upwards } from './marker.ts';
import { findGit } from './program.ts';
import { askGit } from './spawn.ts';
import { unusable } from './unusable.ts';

export interface Repository extends Guarded {
  /** The top of the working tree, without symbolic links. */
  readonly root: string;
  /** This worktree's own git folder. */
  readonly gitFolder: string;
  /** Shared by all worktrees. */
  readonly commonFolder: string;
  readonly linked: boolean;
  readonly shallow: boolean;
  /** What object ids are made with. */
  readonly hash: 'sha1' | 'sha256';
}

const questions = [
  '--is-bare-repository',
  '--is-inside-git-dir',
  '--is-shallow-repository',
  '--show-object-format',
  '--absolute-git-dir',
  '--git-common-dir',
  '--show-toplevel',
];

/** The repository a folder belongs to; undefined if it belongs to none. Everything in between is an error that says what is wrong. */
export async function locateRepository(
  folder: string,
  options: GuardOptions,
): Promise<Repository | undefined> {
  const marker = gitMarker(folder, options.env) ?? damagedMarker(folder, options.env);
  if (marker === undefined && ![...upwards(folder, options.env)].some(isBare)) return undefined;
  const program = findGit(options.env, marker === undefined ? folder : dirname(marker));
  if (program === undefined) {
    throw new StaffettaError('git-missing', `${folder} is in a git repository, and there is no git to ask.`, {
      hint: 'Install git 2.31 or newer.',
    });
  }
  const known = await knownRepository(program, folder, options);
  if (known !== undefined) return known;
  const [guarded, answered] = await Promise.allSettled([
    guard(program, folder, options),
    askGit(quietGit(program, folder, options), ['rev-parse', '--path-format=absolute', ...questions]),
  ]);
  if (guarded.status === 'rejected' && !isStaffettaError(guarded.reason, 'workspace-unusable'))
    throw guarded.reason;
  if (answered.status === 'rejected') throw answered.reason;
  const answer = answered.value;
  const [bare, inside, shallow, format, gitFolder, commonFolder, root, ...rest] = answer.stdout
    .toString('utf8')
    .replace(/\n$/, '')
    .split('\n');
  if (bare === 'true') throw unusable('bare', `${folder} is a bare repository: it has no working tree.`);
  if (inside === 'true') throw unusable('inside-git', `${folder} is inside git's own folder.`);
  if (answer.code !== 0 && !/bad config/.test(answer.stderr)) return explain(folder, marker, answer.stderr);
  if (guarded.status === 'rejected') throw guarded.reason;
  if (gitFolder === undefined || commonFolder === undefined || root === undefined || rest.length > 0)
    throw unusable('path', `The path of the repository at ${folder} holds a line break.`);
  refuseForeignTree(folder, root, gitFolder);
  return {
    ...guarded.value,
    cwd: root,
    root,
    gitFolder,
    commonFolder,
    linked: realpathSync(gitFolder) !== realpathSync(commonFolder),
    shallow: shallow === 'true',
    hash: format === 'sha256' ? 'sha256' : 'sha1',
  };
}

/**
 * An ordinary repository without a second question: where it is, its files say; that git takes it for one, trusts it and means the same
 * one is told by its answer to the first, which lists the repository's own configuration only then. Undefined: git must be asked.
 */
async function knownRepository(
  program: string,
  folder: string,
  options: GuardOptions,
): Promise<Repository | undefined> {
  try {
    const place = placeOf(folder, options.env);
    if (place === undefined) return undefined;
    const guarded = await guard(program, place.root, options);
    const own = guarded.settings.filter(({ file }) => file === join(place.commonFolder, 'config'));
    const value = (name: string): string | undefined => own.findLast(({ key }) => key === name)?.value;
    const isOrdinary =
      value('core.repositoryformatversion') !== undefined &&
      guarded.settings.every(({ key, value: said }) => {
        if (key === 'core.bare') return said === 'false';
        return !key.startsWith('extensions.') || key === 'extensions.objectformat';
      });
    const tree = value('core.worktree');
    if (!isOrdinary || (tree !== undefined && realpathSync(resolve(place.gitFolder, tree)) !== place.root))
      return undefined;
    return {
      ...guarded,
      ...place,
      linked: place.gitFolder !== place.commonFolder,
      shallow: existsSync(join(place.commonFolder, 'shallow')),
      hash: value('extensions.objectformat') === 'sha256' ? 'sha256' : 'sha1',
    };
  } catch (error) {
    // What is wrong with it is for git to say.
    if (isStaffettaError(error, 'workspace-unusable') || (error instanceof Error && 'syscall' in error))
      return undefined;
    throw error;
  }
}

/** Where git would find the repository of a folder, if nothing is out of the ordinary there. */
function placeOf(
  given: string,
  env: NodeJS.ProcessEnv,
): Pick<Repository, 'root' | 'gitFolder' | 'commonFolder'> | undefined {
  const folder = realpathSync(given);
  const marker = gitMarker(folder, env);
  if (marker === undefined || !isOnSameDisk(folder, marker)) return undefined;
  const root = dirname(marker);
  // Git takes a folder on the way up for a repository without a working tree, if it looks like one.
  for (const on of upwards(folder, env)) {
    if (on === root) break;
    if (isBare(on)) return undefined;
  }
  const gitFolder = realpathSync(gitFolderAt(marker));
  const common = join(gitFolder, 'commondir');
  const commonFolder = existsSync(common)
    ? realpathSync(resolve(gitFolder, readFileSync(common, 'utf8').trim()))
    : gitFolder;
  const isOdd = [root, gitFolder, commonFolder].some((path) => path.includes('\n'));
  return isOdd ? undefined : { root, gitFolder, commonFolder };
}

function gitFolderAt(marker: string): string {
  if (statSync(marker).isDirectory()) return marker;
  const pointer = /^gitdir: (.+)$/m.exec(readFileSync(marker, 'utf8'))?.[1]?.trim();
  return pointer === undefined ? marker : resolve(dirname(marker), pointer);
}

/** The same repository with a fresh guard: its configuration may have changed since. */
export async function guardAgain(repository: Repository): Promise<Repository> {
  const { program, root, given, msMax } = repository;
  return { ...repository, ...(await guard(program, root, { env: given, msMax })) };
}

function explain(folder: string, marker: string | undefined, stderr: string): undefined {
  const said = sanitizeLine(/^(?:fatal|error): (.*)$/m.exec(stderr)?.[1] ?? stderr.trim());
  if (/dubious ownership/.test(stderr)) {
    throw unusable('ownership', `Git does not trust the repository at ${folder}: somebody else owns it.`, {
      hint: "A person who trusts it can list it in git's safe.directory setting.",
    });
  }
  if (/not a git repository \(or any/.test(stderr) && !isOnSameDisk(folder, marker)) return undefined;
  const gone = /not a git repository: (.*)/.exec(said)?.[1];
  if (gone !== undefined) {
    const fault = existsSync(gone) ? faultIn(gone) : undefined;
    if (fault !== undefined) throw unusable('broken', `Git cannot use the worktree at ${folder}: ${fault}.`);
    throw unusable('head-gone', `The worktree at ${folder} has lost its repository: ${gone} is gone.`);
  }
  throw unusable('broken', `Git cannot use the repository at ${folder}: ${said}.`);
}

/** What is wrong with a git folder that is there and that git does not take for one; undefined where nobody can tell. */
function faultIn(gitFolder: string): string | undefined {
  const head = join(gitFolder, 'HEAD');
  if (!existsSync(head)) return `${head} is missing`;
  const text = readFileSync(head, 'utf8').trim();
  if (!/^(?:ref: refs\/\S+|[0-9a-f]{40}|[0-9a-f]{64})$/.test(text))
    return `${head} names neither a branch nor a commit`;
  const common = join(gitFolder, 'commondir');
  if (!existsSync(common)) return `${common} is missing`;
  const shared = resolve(gitFolder, readFileSync(common, 'utf8').trim());
  return existsSync(shared) ? `${gitFolder} is damaged` : `${shared}, which ${common} names, is gone`;
}

/** Git stops looking at the edge of a file system, and so do we; a `.git` before that which git refuses is broken. */
function isOnSameDisk(folder: string, marker: string | undefined): boolean {
  return marker !== undefined && statSync(folder).dev === statSync(dirname(marker)).dev;
}

/**
 * The configuration of a repository can claim any folder as its working tree, the user's home for one. Only a tree that says
 * itself that it belongs to this repository is believed.
 */
function refuseForeignTree(folder: string, root: string, gitFolder: string): void {
  const inside = relative(root, realpathSync(folder));
  const within = inside !== '..' && !inside.startsWith(`..${sep}`);
  const marker = join(root, '.git');
  if (within && existsSync(marker) && belongs(marker, gitFolder)) return;
  throw unusable(
    'foreign-tree',
    `The repository at ${folder} claims ${root} as its working tree, which does not belong to it.`,
  );
}

function belongs(marker: string, gitFolder: string): boolean {
  return realpathSync(gitFolderAt(marker)) === realpathSync(gitFolder);
}
