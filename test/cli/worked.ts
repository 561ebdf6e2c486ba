/** A real git repository whose store holds a task that was handed over with its workspace. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openStaffetta, type Staffetta } from '../../src/library/staffetta.ts';
import type { PacketInput } from '../../src/handoff/sealing/gather.ts';
import type { ContractInput } from '../../src/handoff/verbs/open.ts';
import { home, newFolder } from './command.ts';
import { code, type Stage } from './stage.ts';

export function git(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
      GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
    },
  });
}

export function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

export function read(folder: string, path: string): string {
  return readFileSync(join(folder, path), 'utf8');
}

export function repository(): string {
  const folder = newFolder();
  git(folder, 'init', '-q', '-b', 'main');
  write(folder, 'limit.js', 'export const limit = 10;\n');
  write(folder, 'old.js', 'old\n');
  write(folder, '.gitignore', '.staffetta/\n');
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'Begin.');
  return folder;
}

/** What the first agent left in the tree. */
export function work(folder: string): void {
  write(folder, 'limit.js', 'export const limit = 20;\n');
  write(folder, 'notes.txt', 'seen\n');
  git(folder, 'rm', '-q', 'old.js');
}

/** As if nobody had worked here: at HEAD, without changes. */
export function clean(folder: string): void {
  git(folder, 'reset', '-q', '--hard');
  git(folder, 'clean', '-qfd');
}

export const contract: ContractInput = {
  goal: 'Requests over the limit in limit.js get status 429.',
  acceptance: ['`node limit.js` ends well'],
  nonGoals: ['limits per user'],
  validation: [{ run: ['node', 'limit.js'] }],
  review: { owner: 'lane:audit' },
};

export const claims = {
  done: [{ text: 'limit.js counts requests', evidence: ['file:limit.js'] }],
  next: 'answer with 429 in limit.js',
};

export async function withRelay<T>(folder: string, act: (relay: Staffetta) => Promise<T>): Promise<T> {
  const store = join(folder, '.staffetta', 'store.db');
  const relay = await openStaffetta({ store, as: code, gate: 'record', workspace: folder });
  try {
    return await act(relay);
  } finally {
    await relay.close();
  }
}

export interface Worked extends Stage {
  readonly packet: string;
}

/** The tree is left as the giver left it. */
export async function handedOver(
  options: {
    readonly folder?: string;
    readonly contract?: Partial<ContractInput>;
    readonly input?: PacketInput;
  } = {},
): Promise<Worked> {
  const folder = options.folder ?? repository();
  return await withRelay(folder, async (relay) => {
    const leg = await relay.begin({ ...contract, ...options.contract });
    if (options.folder === undefined) work(folder);
    const { state } = await leg.handoff({ to: 'anyone', claims, ...options.input });
    const store = join(folder, '.staffetta', 'store.db');
    return { folder, store, task: leg.task, packet: state.packet ?? '' };
  });
}

/** The same, and the tree is clean again: what was worked is only in the packet. */
export async function captured(): Promise<Worked> {
  const made = await handedOver();
  clean(made.folder);
  return made;
}
