/** Work that waits for a verdict, made by the built command as several agents in a real git repository. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ControlRoom } from './control-room.ts';

export function write(room: ControlRoom, path: string, text: string): void {
  mkdirSync(dirname(join(room.folder, path)), { recursive: true });
  writeFileSync(join(room.folder, path), text);
}

function git(room: ControlRoom, ...args: readonly string[]): void {
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
    cwd: room.folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

export const limitFile = [
  '/* Limits. */',
  'export function allow(count: number, max: number): boolean {',
  '  return count < max;',
  '}',
  '',
].join('\n');

export const changedFile = limitFile.replace('count < max', 'count <= max');

export function makeRepository(room: ControlRoom): void {
  git(room, 'init', '-q', '-b', 'main');
  write(room, '.gitignore', '.staffetta/\n.cache/\n.config/\n.local/\n');
  write(room, 'src/limit.ts', limitFile);
  git(room, 'add', '.');
  git(room, 'commit', '-qm', 'Begin.');
}

/** Back to the first commit, so that one submission does not hold what another one changed. */
export function cleanTree(room: ControlRoom): void {
  git(room, 'reset', '-q', '--hard');
  git(room, 'clean', '-qfd');
}

export interface Work {
  readonly goal: string;
  readonly by?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly summary?: string;
}

/** Opened by a person, taken and submitted by an agent. */
export function submit(
  room: ControlRoom,
  { goal, by = 'coder', files = { 'src/limit.ts': changedFile }, summary }: Work,
): string {
  const terms = ['--review', 'human', '--validate', 'true', '--non-goal', 'limits per user'];
  const opened = room.run(
    undefined,
    'open',
    goal,
    '--to',
    'lane:execute',
    '--accept',
    'a request over the limit gets status 429',
    ...terms,
  );
  const task = String(opened['task']);
  room.run(by, 'take', task, '--lane', 'execute');
  handIn(room, { task, by, files, summary });
  return task;
}

/** What a holder does until it submits. */
export function handIn(
  room: ControlRoom,
  given: {
    readonly task: string;
    readonly by: string;
    readonly files: Readonly<Record<string, string>>;
    readonly summary?: string | undefined;
  },
): void {
  const { task, by, files, summary = 'The limit is held.' } = given;
  const restated = [
    '--goal',
    'requests over the limit get 429',
    '--gate',
    'true passes',
    '--next',
    'change it',
  ];
  room.run(by, 'ack', task, ...restated);
  for (const [path, text] of Object.entries(files)) write(room, path, text);
  room.run(by, 'validate', task);
  room.run(
    by,
    'submit',
    task,
    '--done',
    'the limit is held',
    '--next',
    'look at the diff',
    // The gate warns of it: an approval needs a reason.
    '--remaining',
    'TBD',
    '--summary',
    summary,
  );
}
