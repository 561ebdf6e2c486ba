/** Coding agents for the tests of the command: programs that record how they were started, and sessions that real ones wrote. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RuntimeName } from '../../src/ports/index.ts';
import {
  launcher,
  newFolder,
  newWorkplace,
  node,
  staffetta,
  type Json,
  type Ran,
  type RunOptions,
} from './command.ts';

const fixtures = join(import.meta.dirname, '..', 'runtimes', 'fixtures');

export const programs: Readonly<Record<RuntimeName, readonly [name: string, version: string]>> = {
  'claude-code': ['claude', '2.1.325'],
  cline: ['cline', '3.0.65'],
  codex: ['codex', '0.166.0'],
  'copilot-cli': ['copilot', '1.0.102'],
  'gemini-cli': ['gemini', '0.61.0'],
  opencode: ['opencode', '1.18.33'],
  'qwen-code': ['qwen', '0.24.4'],
};

export interface Started {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly stdin: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Desk {
  readonly home: string;
  readonly folder: string;
  readonly store: string;
  readonly session: string;
  readonly task: string;
  readonly run: (args: readonly string[], options?: RunOptions) => Promise<Ran>;
  /** How the program was started last; null where it never was. */
  readonly started: () => Started | null;
  readonly show: () => Promise<Json>;
}

export interface DeskOptions {
  readonly to?: string;
  readonly version?: string;
  readonly fixture?: string;
  /** What the user of the session says first, instead of what the fixture has. */
  readonly says?: string;
  /** The folder of the workspace that the session worked in, and in which it is handed on; its root unless told. */
  readonly within?: string;
  /** What else is said when it is handed on. */
  readonly handed?: readonly string[];
  /** Programs that are there. */
  readonly installed?: readonly RuntimeName[];
  /** What a program does, as a piece of a script; `id` is the session it was told to make, if any. */
  readonly does?: string;
}

export const session = '246b28e2-f5d7-4c6f-9cee-22ae9ee57704';

/** Programs in a home that record how they were started, and the environment that finds them. */
export function fakePrograms(
  home: string,
  installed: readonly RuntimeName[],
  does: string,
  version?: string,
): { readonly env: Readonly<Record<string, string>>; readonly started: Desk['started'] } {
  const bin = join(home, 'bin');
  mkdirSync(bin);
  const trace = join(home, 'trace.json');
  for (const runtime of installed) {
    const [name, proven] = programs[runtime];
    const script = join(bin, `${name}.cjs`);
    writeFileSync(script, recorder(trace, does));
    writeFileSync(join(bin, name), program(script, version ?? proven), { mode: 0o755 });
  }
  return {
    env: { HOME: home, PATH: `${bin}:${process.env['PATH'] ?? ''}` },
    started: () => (existsSync(trace) ? (JSON.parse(readFileSync(trace, 'utf8')) as Started) : null),
  };
}

/** A workspace with a session of Claude Code that was handed on. */
export async function desk(options: DeskOptions = {}): Promise<Desk> {
  const { to = 'anyone', fixture = 'basic.jsonl', does = '' } = options;
  const home = newFolder();
  const folder = newWorkplace();
  const installed = options.installed ?? (Object.keys(programs) as RuntimeName[]);
  const { env, started } = fakePrograms(home, installed, does, options.version);
  const within = join(folder, options.within ?? '');
  mkdirSync(within, { recursive: true });
  put(claudePlace(home, within), saying(sessionText(fixture, within), options.says));
  const run = async (args: readonly string[], more: RunOptions = {}): Promise<Ran> =>
    await staffetta(args, { cwd: folder, ...more, env: { ...env, ...more.env } });
  await run(['init']);
  const how = options.handed ?? ['--trigger', 'crash'];
  const handed = await run(['handoff', '--from', session, '--to', to, ...how, '--json'], { cwd: within });
  const { task } = handed.json;
  if (typeof task !== 'string') throw new Error(handed.stdout + handed.stderr);
  return {
    home,
    folder,
    store: join(folder, '.staffetta', 'store.db'),
    session,
    task,
    run,
    started,
    show: async () => (await run(['show', task, '--json'])).json,
  };
}

/** Lets a fake Gemini CLI leave a session under the id it was given. */
export const leavesGemini = `
const chats = join(process.env.HOME, '.gemini/tmp/demo/chats');
put(join(chats, '../.project_root'), process.cwd());
put(join(chats, 'session-2026-11-15T18-00-' + id.slice(0, 8) + '.jsonl'), [
  { sessionId: id, projectHash: 'x', startTime: '2026-11-15T18:00:00Z' },
  { id: 'm1', type: 'user', content: [{ text: stdin }] },
  { id: 'm2', type: 'gemini', content: 'I went on.' },
].map((line) => JSON.stringify(line) + '\\n').join(''));
console.log('the answer of the model');
`;

export function claudePlace(home: string, folder: string, id = session): string {
  return join(home, '.claude/projects', folder.replaceAll(/[^a-zA-Z0-9]/g, '-'), `${id}.jsonl`);
}

export function sessionText(fixture: string, folder: string): string {
  return readFileSync(join(fixtures, 'claude-code', fixture), 'utf8').replaceAll('/home/dev/demo', folder);
}

/** With other first words of the user. */
function saying(text: string, words: string | undefined): string {
  if (words === undefined) return text;
  const lines = text.split('\n');
  const at = lines.findIndex((line) => line.includes('"type":"user"') && line.includes('"role":"user"'));
  const record = JSON.parse(lines[at] ?? '{}') as Json;
  lines[at] = JSON.stringify({ ...record, message: { role: 'user', content: words } });
  return lines.join('\n');
}

/** A user goes on in a session of Claude Code. */
export function says(transcript: string, text: string): void {
  const lines = readFileSync(transcript, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Json);
  const said = lines.find(({ type }) => type === 'user') ?? {};
  const last = lines.findLast(({ uuid }) => uuid !== undefined) ?? {};
  const message = { role: 'user', content: text };
  const uuid = `77777777-2222-3333-4444-${String(lines.length).padStart(12, '0')}`;
  const more = { ...said, parentUuid: last['uuid'], uuid, promptId: uuid, message };
  appendFileSync(transcript, `${JSON.stringify(more)}\n`);
}

export function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Its version is asked for more often than it is started. */
function program(script: string, version: string): string {
  return `#!/bin/sh
if [ "$1" = --version ]; then echo 'program ${version}'; exit; fi
exec '${node}' '${script}' "$@"
`;
}

function recorder(trace: string, does: string): string {
  return `const { mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { execFileSync } = require('node:child_process');
const argv = process.argv.slice(2);
const stdin = readFileSync(0, 'utf8');
writeFileSync(${JSON.stringify(trace)}, JSON.stringify({ argv, cwd: process.cwd(), stdin, env: process.env }));
const id = argv[argv.indexOf('--session-id') + 1];
const put = (path, text) => { mkdirSync(dirname(path), { recursive: true }); writeFileSync(path, text); };
const staffetta = (...args) => execFileSync(${JSON.stringify(node)}, [${JSON.stringify(launcher)}, ...args], { encoding: 'utf8' });
${does}
`;
}

export interface Place {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly run: (...args: readonly string[]) => Promise<Ran>;
  readonly leaves: (fixture: string, id?: string) => string;
}

/** A workplace with programs that stand in for coding agents, and sessions of one that worked there. */
export function place(installed: readonly RuntimeName[] = ['claude-code', 'codex'], does = ''): Place {
  const home = newFolder();
  const folder = newWorkplace();
  const { env } = fakePrograms(home, installed, does);
  return {
    folder,
    env,
    run: async (...args) => await staffetta(args, { cwd: folder, env }),
    leaves: (fixture, id = session) => {
      const path = claudePlace(home, folder, id);
      put(path, sessionText(fixture, folder).replaceAll(session, id));
      return path;
    },
  };
}
