/**
 * Brings the real programs, in exactly the versions of `programs/`, into a folder that is kept between runs: STAFFETTA_LAB, or a
 * folder of ours in the user's cache. Each program has a folder of its own there, named after all that decides what is in it.
 *
 * A folder that is there is whole: a program is installed beside it, started once, and only then renamed. What a
 * killed install left behind is removed an hour later. No install script runs but those of the packages that an agent names as `scripted`.
 */
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { Agent } from './agents/agent.ts';

export type Installed =
  | { readonly program: string; readonly version: string }
  /** Why it is not there. */
  | { readonly missing: string };

const installMsMax = 15 * 60_000;
const startMsMax = 60_000;
const leftoverMsMax = 60 * 60_000;

export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const chosen = env['STAFFETTA_LAB'];
  if (chosen !== undefined && chosen !== '') return chosen;
  const caches =
    process.platform === 'win32'
      ? env['LOCALAPPDATA']
      : process.platform === 'darwin'
        ? join(homedir(), 'Library', 'Caches')
        : env['XDG_CACHE_HOME'];
  return join(caches ?? join(homedir(), '.cache'), 'staffetta', 'lab');
}

export function versionOf(agent: Agent): string {
  const manifest = JSON.parse(readFileSync(join(sourceOf(agent), 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  return manifest.dependencies[agent.package] ?? '';
}

export async function install(
  agent: Agent,
  cache: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Installed> {
  const folder = join(cache, nameOf(agent));
  const version = versionOf(agent);
  const program = join(folder, 'node_modules', '.bin', agent.command);
  if (existsSync(program)) return { program, version };
  try {
    mkdirSync(cache, { recursive: true });
    removeLeftovers(cache);
    const missing = room(agent, cache) ?? (await installInto(folder, agent, env));
    return missing === null ? { program, version } : { missing };
  } catch (error) {
    return { missing: error instanceof Error ? error.message : String(error) };
  }
}

function sourceOf(agent: Agent): string {
  return join(import.meta.dirname, 'programs', agent.runtime);
}

function nameOf(agent: Agent): string {
  const hash = createHash('sha256');
  for (const file of ['package.json', 'package-lock.json'])
    hash.update(readFileSync(join(sourceOf(agent), file)));
  const key = hash.update(String(agent.scripted)).digest('hex').slice(0, 12);
  return [agent.runtime, versionOf(agent), process.platform, process.arch, key].join('-');
}

function removeLeftovers(cache: string): void {
  for (const name of readdirSync(cache).filter((each) => each.startsWith('part-'))) {
    const begun = statSync(join(cache, name), { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (Date.now() - begun > leftoverMsMax) rmSync(join(cache, name), { recursive: true, force: true });
  }
}

/** What npm downloads is kept in its own cache besides. */
function room(agent: Agent, cache: string): string | null {
  const { bavail, bsize } = statfsSync(cache);
  const free = Math.floor((bavail * bsize) / 1e6);
  const needed = agent.megabytes * 2;
  return free >= needed ? null : `It needs ${needed} MB in ${cache}, which has ${free} MB left.`;
}

/** Why it failed, or null. */
async function installInto(folder: string, agent: Agent, env: NodeJS.ProcessEnv): Promise<string | null> {
  const part = join(dirname(folder), `part-${randomBytes(6).toString('hex')}`);
  mkdirSync(part);
  try {
    for (const file of ['package.json', 'package-lock.json'])
      cpSync(join(sourceOf(agent), file), join(part, file));
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
    // Not `npm ci`: it refuses a lockfile that lacks an optional package for another system, and a registry may lack one.
    const brought = await npm(['install', '--ignore-scripts', ...quiet], part, env);
    if (brought.status !== 0) return `npm install ended with ${brought.status}: ${firstWords(brought.said)}`;
    // From here on code of others runs: in a home that is thrown away.
    const home = join(part, 'home');
    mkdirSync(home);
    const away = { ...env, HOME: home, ...agent.env({ home, model: 'http://127.0.0.1:9' }) };
    if (agent.scripted) {
      const built = await npm(['rebuild', agent.package, '--ignore-scripts=false', ...quiet], part, away);
      if (built.status !== 0) return `npm rebuild ended with ${built.status}: ${firstWords(built.said)}`;
    }
    const said = await startedVersion(agent, part, away);
    rmSync(home, { recursive: true, force: true });
    if (!said.includes(versionOf(agent)))
      return `It was installed, and does not give its version when it is started: ${firstWords(said)}`;
    // Another run may have been faster; what it brought is the same.
    if (!existsSync(folder)) renameSync(part, folder);
    return null;
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

async function startedVersion(agent: Agent, part: string, env: NodeJS.ProcessEnv): Promise<string> {
  const program = join(part, 'node_modules', '.bin', agent.command);
  const { said } = await run(program, ['--version'], { cwd: part, env: withNode(env), timeout: startMsMax });
  return said;
}

/** npm is run by this Node, so that packages are chosen for it and not for the host's. */
async function npm(args: readonly string[], folder: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  const given = [...args, '--prefix', folder];
  const cli = env['npm_execpath'];
  const options = { cwd: folder, env: withNode(env), timeout: installMsMax };
  return cli !== undefined && cli.endsWith('.js')
    ? await run(process.execPath, [cli, ...given], options)
    : await run(process.platform === 'win32' ? 'npm.cmd' : 'npm', given, options);
}

function withNode(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, PATH: [dirname(process.execPath), env['PATH'] ?? ''].join(delimiter) };
}

interface Ended {
  readonly status: number | string;
  readonly said: string;
}

async function run(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly timeout: number },
): Promise<Ended> {
  return await new Promise((resolve) => {
    let said = '';
    const child = spawn(program, args, {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    child.stdout.on('data', (chunk) => (said += String(chunk)));
    child.stderr.on('data', (chunk) => (said += String(chunk)));
    child.once('error', (error) => resolve({ status: error.message, said }));
    child.once('close', (code, signal) => resolve({ status: code ?? signal ?? 'nothing', said }));
  });
}

/** What went wrong stands first; advice and the place of a log follow. */
function firstWords(said: string): string {
  const lines = said.split('\n').map((line) => line.replace(/^npm error\s*/, '').trim());
  const words = lines.filter((line) => line !== '' && !line.startsWith('npm warn'));
  return words.slice(0, 4).join(' / ').slice(0, 400) || 'it said nothing';
}
