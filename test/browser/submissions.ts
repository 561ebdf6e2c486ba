/** Work that waits for a verdict, made by several agents in a real git repository. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openStaffetta, type Staffetta } from '../../src/library/staffetta.ts';
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
  git(room, 'reset', '-q', '--hard', ':/^Begin');
  git(room, 'clean', '-qfd');
}

export interface Work {
  readonly goal: string;
  readonly by?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly summary?: string;
  /** The files are committed before they are handed in. */
  readonly isCommitted?: boolean;
}

/** Opened by a person, taken and submitted by an agent: by another process than the server's, and in this one, which is quicker than to start many. */
export async function submit(
  room: ControlRoom,
  { goal, by = 'coder', files = { 'src/limit.ts': changedFile }, summary, isCommitted }: Work,
): Promise<string> {
  const relay = await opened(room);
  const contract = {
    goal,
    acceptance: ['a request over the limit gets status 429'],
    nonGoals: ['limits per user'],
    validation: [{ run: ['true'] as [string] }],
    review: { human: true as const },
  };
  const { task } = await relay.open(contract, { to: 'lane:execute' });
  await relay.close();
  await handIn(room, { task, by, files, summary, isCommitted });
  return task;
}

async function opened(room: ControlRoom): Promise<Staffetta> {
  const as = { name: 'you', kind: 'human' } as const;
  return await openStaffetta({ store: room.store, workspace: room.folder, as });
}

/** What an agent does until it submits. */
export async function handIn(
  room: ControlRoom,
  given: {
    readonly task: string;
    readonly by: string;
    readonly files: Readonly<Record<string, string>>;
    readonly summary?: string | undefined;
    readonly isCommitted?: boolean | undefined;
  },
): Promise<void> {
  const { task, by, files, summary = 'The limit is held.', isCommitted } = given;
  const relay = await opened(room);
  try {
    const leg = await relay.take({ task, as: { name: by, lane: 'execute' } });
    await leg?.acknowledge({
      goal: 'requests over the limit get 429',
      gate: 'true passes',
      next: 'change it',
    });
    for (const [path, text] of Object.entries(files)) write(room, path, text);
    if (isCommitted === true) {
      git(room, 'add', '.');
      git(room, 'commit', '-qm', 'Hold it.');
    }
    await leg?.validate();
    // The gate warns of what remains: an approval needs a reason.
    await leg?.submit({
      claims: { summary, done: ['the limit is held'], remaining: ['TBD'], next: 'look at the diff' },
    });
  } finally {
    await relay.close();
  }
}
