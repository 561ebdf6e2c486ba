/**
 * Runs the built command in a home and a folder of its own. Most calls are made in this process, by the function that the command's own
 * process calls: starting one took longer than all that it does. A call that is about the process has one, and so has a call beside
 * another.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { cpSync, existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { DatabaseSync } from 'node:sqlite';
import { afterAll } from 'vitest';
import { defined } from '../../src/core/base/defined.ts';
import { bareBones } from '../support/bare-bones.ts';
import type * as main from '../../src/cli/main.ts';
import { sandboxed } from '../support/sandboxed.ts';

const root = join(import.meta.dirname, '..', '..');
export const launcher = join(root, 'bin', 'staffetta.cjs');
export const node = process.execPath;

if (!existsSync(join(root, 'dist', 'cli', 'main.cjs')))
  throw new Error('The command is not built: run "npm run build" before these tests.');

export interface Ran {
  /** Null if a signal ended it. */
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output as the one JSON document it must be. */
  readonly json: Json;
  /** Standard output as one JSON document per line. */
  readonly lines: readonly Json[];
}

export type Json = Readonly<Record<string, unknown>>;

export interface RunOptions {
  /** As its users call it, in a process of its own. */
  readonly isProcess?: boolean;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string | Uint8Array;
  /** Node options, before the launcher. */
  readonly node?: readonly string[];
  readonly uid?: number;
  /** Called with the process once it runs. */
  readonly meanwhile?: (child: ChildProcess) => void;
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

export function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'staffetta-cli-')));
  folders.push(folder);
  return folder;
}

/** As little of a repository as git takes for one. */
export function newRepository(): string {
  const folder = newFolder();
  bareBones(folder);
  return folder;
}

/** What was a repository once, and is damaged. */
export function newDamaged(): string {
  const folder = newRepository();
  rmSync(join(folder, '.git', 'HEAD'));
  return folder;
}

let begun: string | undefined;

/** A repository with a commit, where work can be done: a fence, and a check that it stands. */
export function newWorkplace(): string {
  begun ??= begin();
  const folder = newFolder();
  cpSync(begun, folder, { recursive: true });
  return folder;
}

function begin(): string {
  const folder = newFolder();
  writeFileSync(join(folder, 'fence.txt'), 'one post\n');
  writeFileSync(join(folder, 'check.mjs'), checkSource);
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  const git = (...args: readonly string[]): unknown => execFileSync('git', ['-C', folder, ...args], { env });
  git('init', '-q', '-b', 'main');
  git('config', 'user.email', 'ada@example.com');
  git('config', 'user.name', 'Ada');
  git('add', '.');
  git('commit', '-qm', 'Begin.');
  return folder;
}

/** Passes unless the fence has fallen. */
const checkSource = `import { readFileSync } from 'node:fs';
const fence = readFileSync('fence.txt', 'utf8');
console.log('looked at', fence.length, 'letters');
process.exit(fence.includes('fallen') ? 3 : 0);
`;

export const home = newFolder();

/** Only what a fresh shell has: nothing of the surrounding run may decide who speaks or where the store is. */
function cleanEnvironment(): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: home, LANG: 'C.UTF-8', ...sandboxed };
}

/** Those that serve, watch, prove a place, or hand their streams to a program. */
function isBound([name = '', ...words]: readonly string[]): boolean {
  if (name === 'resume') return words.includes('--launch');
  return (
    ['doctor', 'far-end', 'hook', 'mcp', 'run', 'up', 'watch'].includes(name) && !words.includes('--dry-run')
  );
}

const { callCommand } = createRequire(import.meta.url)(join(root, 'dist', 'cli', 'main.cjs')) as {
  callCommand: typeof main.callCommand;
};
let isCalled = false;

export async function staffetta(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { isProcess = false, node: flags, uid, meanwhile } = options;
  const isOwn = isProcess || isCalled || isBound(args);
  if (isOwn || [flags, uid, meanwhile].some((option) => option !== undefined))
    return await inProcess(args, options);
  isCalled = true;
  try {
    return await calledHere(args, options);
  } finally {
    isCalled = false;
  }
}

async function calledHere(
  args: readonly string[],
  { cwd = home, env, stdin = '' }: RunOptions,
): Promise<Ran> {
  const said = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof said): Parameters<typeof callCommand>[1]['stdout'] => ({
    isTTY: false,
    columns: 0,
    rows: 0,
    write(text: string | Uint8Array) {
      said[name] += typeof text === 'string' ? text : Buffer.from(text).toString('utf8');
      return true;
    },
    once: () => {
      throw new Error('Nobody waits here.');
    },
  });
  const streams = { stdout: stream('stdout'), stderr: stream('stderr') };
  const before = process.cwd();
  const putBack = replace({
    argv: [node, launcher, ...args],
    env: defined({ ...cleanEnvironment(), ...env }),
    stdin: Readable.from([Buffer.from(stdin)]),
    stderr: new Writable({
      write: (piece: Buffer, _, done) => {
        streams.stderr.write(piece);
        done();
      },
    }),
  });
  try {
    process.chdir(cwd);
    const status = await callCommand(args, streams);
    return ranWith({ status, signal: null, ...said });
  } finally {
    putBack();
    process.chdir(before);
  }
}

/** Parts of this process, by those that the command would find in its own. */
function replace(parts: Readonly<Record<string, unknown>>): () => void {
  const before = Object.keys(parts).map((name) => [name, Object.getOwnPropertyDescriptor(process, name)]);
  for (const [name, value] of Object.entries(parts))
    Object.defineProperty(process, name, { value, configurable: true, enumerable: true, writable: true });
  return () => void Object.defineProperties(process, Object.fromEntries(before) as PropertyDescriptorMap);
}

async function inProcess(args: readonly string[], options: RunOptions): Promise<Ran> {
  const env = { ...cleanEnvironment(), ...options.env };
  const child = spawn(node, [...(options.node ?? []), launcher, ...args], {
    cwd: options.cwd ?? home,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
  // A command that does not read its input closes it; that is no failure of the test.
  child.stdin.on('error', () => {});
  child.stdin.end(options.stdin ?? '');
  return await finished(child, options);
}

async function finished(child: ReturnType<typeof spawn>, options: RunOptions): Promise<Ran> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on('data', (part: Buffer) => out.push(part));
  child.stderr?.on('data', (part: Buffer) => err.push(part));
  options.meanwhile?.(child);
  const [status, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, by) => resolve([code, by]));
  });
  return ranWith({
    status,
    signal,
    stdout: Buffer.concat(out).toString('utf8'),
    stderr: Buffer.concat(err).toString('utf8'),
  });
}

function ranWith(ended: Omit<Ran, 'json' | 'lines'>): Ran {
  const { stdout, stderr } = ended;
  return {
    ...ended,
    get json() {
      return parsed(stdout, { stdout, stderr });
    },
    get lines() {
      return stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => parsed(line, { stdout, stderr }));
    },
  };
}

function parsed(text: string, said: { readonly stdout: string; readonly stderr: string }): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new Error(`Standard output is not JSON:\n${said.stdout}\nStandard error:\n${said.stderr}`);
  }
}

/** Everything a store holds, to see whether anything changed. */
export function contentOf(path: string): string {
  if (!existsSync(path)) return 'no store';
  const db = new DatabaseSync(path);
  try {
    const tables = db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .all()
      .map((row) => String(row['name']));
    return tables
      .map((table) => {
        const rows = db.prepare(`SELECT * FROM "${table}"`).all();
        return `${table}\n${rows.map((row) => JSON.stringify(Object.values(row).map(shown))).join('\n')}`;
      })
      .join('\n\n');
  } finally {
    db.close();
  }
}

function shown(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
}
