/**
 * Git as a reader that runs nothing but itself. A repository's configuration can name programs, and ordinary commands start
 * them: `status` and `diff` run clean filters and the fsmonitor, in submodules too; a missing object in a partial clone
 * starts ssh or a remote helper. None of that may happen in a repository we only look at. Every git of ours therefore gets
 *   - an environment without the caller's GIT_ variables, but for those that say where git and its user configuration are;
 *   - settings that override the repository's, handed over in the environment because a filter's name may hold any character;
 *   - for each filter, configured hook and merge driver that any configuration file defines, a setting that empties it;
 *   - no network: no protocol is allowed, no object is fetched lazily, nobody is asked for a password.
 * Built-in conversions (line endings, encodings, ident) start nothing and stay on. Git before 2.31 would ignore the overrides
 * silently, so the first answer must show that they took effect.
 */
import { devNull } from 'node:os';
import { resolve } from 'node:path';
import { StaffettaError } from '../../core/base/error.ts';
import { sanitizeLine } from '../../core/base/sanitize.ts';
import { utf8 } from '../../core/base/utf8.ts';
import { safePath } from './program.ts';
import { askGit, records, type GitPlace } from './spawn.ts';

type Settings = readonly (readonly [key: string, value: string])[];

const overrides: Settings = [
  ['core.hooksPath', devNull],
  ['core.fsmonitor', 'false'],
  ['core.untrackedCache', 'false'],
  // An edit of the same size with its old time is told by these alone.
  ['core.trustctime', 'true'],
  ['core.checkStat', 'default'],
  ['core.pager', 'cat'],
  ['core.quotePath', 'false'],
  ['core.editor', 'false'],
  ['core.askPass', ''],
  ['core.sshCommand', 'false'],
  ['core.protectHFS', 'true'],
  ['core.protectNTFS', 'true'],
  ['core.bigFileThreshold', '8m'],
  ['credential.helper', ''],
  ['diff.autoRefreshIndex', 'false'],
  ['diff.orderFile', devNull],
  ['diff.renameLimit', '1000'],
  ['diff.suppressBlankEmpty', 'false'],
  ['status.renameLimit', '1000'],
  ['diff.submodule', 'short'],
  ['gc.auto', '0'],
  ['gpg.program', 'false'],
  ['log.showSignature', 'false'],
  ['maintenance.auto', 'false'],
  ['protocol.allow', 'never'],
  ['submodule.recurse', 'false'],
];

/** Where git is installed and what its user decided; everything else under GIT_ belongs to some other git. */
const kept = new Set([
  'GIT_CEILING_DIRECTORIES',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_NOSYSTEM',
  'GIT_CONFIG_SYSTEM',
  'GIT_DISCOVERY_ACROSS_FILESYSTEM',
  'GIT_EXEC_PATH',
]);

export interface Guarded extends GitPlace {
  /** The environment of the caller, for a guard elsewhere. */
  readonly given: NodeJS.ProcessEnv;
  /** Names of the filters that were switched off. */
  readonly filters: readonly string[];
  /** What the repository's own configuration says of where it is and what it is. */
  readonly settings: readonly Setting[];
}

/** A line of some configuration file. */
export interface Setting {
  /** The file it stands in; undefined if it stands in none. */
  readonly file: string | undefined;
  readonly key: string;
  readonly value: string;
}

function quietEnvironment(env: NodeJS.ProcessEnv, cwd: string): NodeJS.ProcessEnv {
  const quiet: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(env)) {
    const upper = name.toUpperCase();
    if ((upper.startsWith('GIT_') && !kept.has(upper)) || upper === 'PATH') continue;
    quiet[name] = value;
  }
  return {
    ...quiet,
    PATH: safePath(env['PATH'] ?? env['Path'], cwd),
    NoDefaultCurrentDirectoryInExePath: '1',
    LC_ALL: 'C',
    LANGUAGE: '',
    GIT_ALLOW_PROTOCOL: '',
    GIT_ASKPASS: '',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
    SSH_ASKPASS: '',
  };
}

function settingsIn(env: NodeJS.ProcessEnv): Settings {
  const count = Number(env['GIT_CONFIG_COUNT'] ?? 0);
  if (!Number.isInteger(count) || count < 0 || count > 1000) return [];
  return Array.from({ length: count }, (_, i) => [
    env[`GIT_CONFIG_KEY_${i}`] ?? '',
    env[`GIT_CONFIG_VALUE_${i}`] ?? '',
  ]);
}

function withSettings(env: NodeJS.ProcessEnv, settings: Settings): NodeJS.ProcessEnv {
  const handed: NodeJS.ProcessEnv = { GIT_CONFIG_COUNT: String(settings.length) };
  for (const [i, [key, value]] of settings.entries()) {
    handed[`GIT_CONFIG_KEY_${i}`] = key;
    handed[`GIT_CONFIG_VALUE_${i}`] = value;
  }
  return { ...env, ...handed };
}

/** A git that tells the configuration as the user's own git sees it. Only `config` may be asked of it: that starts nothing. */
export function configGit({ program, cwd, given, msMax }: Guarded): GitPlace {
  return { program, cwd, msMax, env: withSettings(quietEnvironment(given, cwd), settingsIn(given)) };
}

/** A git that is safe for commands that read neither index nor working tree. */
export function quietGit(program: string, cwd: string, options: GuardOptions): GitPlace {
  return {
    program,
    cwd,
    env: withSettings(quietEnvironment(options.env, cwd), [...settingsIn(options.env), ...overrides]),
    msMax: options.msMax,
  };
}

export interface GuardOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly msMax: number;
}

/**
 * Looks up what the configuration that applies in this folder would start, and returns a git that does not. Asking for
 * configuration starts nothing.
 */
export async function guard(program: string, cwd: string, options: GuardOptions): Promise<Guarded> {
  const first = quietGit(program, cwd, options);
  const answer = await askGit(first, ['config', '-z', '--show-origin', '--get-regexp', ours]);
  if (answer.code > 1) throw unreadable(answer.stderr);
  const found = settingsOf(answer.stdout, cwd);
  if (found.findLast(({ key }) => key === 'core.hookspath')?.value !== devNull) {
    throw new StaffettaError('git-missing', 'This git is too old to be used safely.', {
      hint: 'Install git 2.31 or newer.',
      details: { program },
    });
  }
  const filters = namesIn(found, 'filter');
  const emptied = [
    ...filters.flatMap((name): Settings => [
      [`filter.${name}.clean`, ''],
      [`filter.${name}.smudge`, ''],
      [`filter.${name}.process`, ''],
      [`filter.${name}.required`, 'false'],
    ]),
    ...namesIn(found, 'hook').map((name) => [`hook.${name}.enabled`, 'false'] as const),
    // A merge that needs one is a conflict.
    ...namesIn(found, 'merge').map((name) => [`merge.${name}.driver`, 'false'] as const),
  ];
  return {
    ...first,
    given: options.env,
    // What the user set in the environment, such as safe.directory in a container, holds; ours comes last and wins.
    env: withSettings(first.env, [...settingsIn(options.env), ...overrides, ...emptied]),
    filters,
    settings: found.filter(({ key }) => isOfPlace.test(key)),
  };
}

const ofPlace = String.raw`^extensions\.|^core\.(repositoryformatversion|bare|worktree)$`;
const ours = String.raw`^(filter|hook)\.|^merge\..*\.driver$|^core\.hookspath$|${ofPlace}`;
const isOfPlace = new RegExp(ofPlace);

/** Where it stands, and the line itself. */
function settingsOf(stdout: Buffer, cwd: string): Setting[] {
  const words = [...records(stdout)];
  const found: Setting[] = [];
  for (let i = 0; i + 1 < words.length; i += 2) {
    const origin = words[i]?.toString('utf8') ?? '';
    const [key, value] = keyAndValue(words[i + 1] ?? Buffer.alloc(0));
    found.push({
      file: origin.startsWith('file:') ? resolve(cwd, origin.slice(5)) : undefined,
      key,
      value,
    });
  }
  return found;
}

function keyAndValue(record: Buffer): readonly [key: string, value: string] {
  let text: string;
  try {
    text = utf8(record);
  } catch (cause) {
    // It could not be named in the environment, so it could not be switched off.
    throw new StaffettaError(
      'workspace-unusable',
      'The git configuration names a filter or hook that is not UTF-8.',
      {
        details: { reason: 'configuration' },
        cause,
      },
    );
  }
  const cut = text.indexOf('\n');
  return cut === -1 ? [text, ''] : [text.slice(0, cut), text.slice(cut + 1)];
}

function unreadable(stderr: string): StaffettaError {
  const line = stderr.split('\n').find((text) => text.startsWith('fatal:')) ?? stderr;
  return new StaffettaError(
    'workspace-unusable',
    `The git configuration cannot be read: ${sanitizeLine(line.replace(/^fatal: /, '')).trim()}.`,
    { details: { reason: 'configuration' } },
  );
}

/** The middle of keys such as `filter.lfs.clean`; it may hold dots itself. */
function namesIn(found: readonly Setting[], section: string): string[] {
  const names = new Set<string>();
  for (const { key } of found) {
    const name = new RegExp(`^${section}\\.(.*)\\.[^.]*$`, 's').exec(key)?.[1];
    if (name !== undefined) names.add(name);
  }
  return [...names].sort();
}
