/** Real repositories in a temporary folder, with no configuration but their own. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { digestOf, type Digest } from '../../src/core/journal/digest.ts';
import { isStaffettaError, type StaffettaError } from '../../src/core/base/error.ts';
import type { Manifest } from '../../src/core/tree/workspace.ts';
import type { Capture, RestoreOptions, RestoreReport, Workspace } from '../../src/ports/workspace.ts';
import { openWorkspace, type WorkspaceOptions } from '../../src/workspace/open.ts';
import { sandboxed } from '../support/sandboxed.ts';

const top = realpathSync(mkdtempSync(join(tmpdir(), 'staffetta-workspace-')));
afterAll(() => {
  rmSync(top, { recursive: true, force: true });
});
chmodSync(top, 0o755);
let count = 0;

/** A path that does not exist yet. */
export function fresh(name = 'w'): string {
  return join(top, `${name}-${count++}`);
}

mkdirSync(join(top, 'home'));
export const env: NodeJS.ProcessEnv = {
  PATH: process.env['PATH'],
  HOME: join(top, 'home'),
  TMPDIR: process.env['TMPDIR'],
  GIT_CONFIG_NOSYSTEM: '1',
  ...sandboxed,
};

const dates = { GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z', GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z' };

export function git(folder: string, ...args: readonly string[]): string {
  return gitWith(folder, args);
}

export function gitWith(
  folder: string,
  args: readonly string[],
  more: { readonly input?: string; readonly env?: NodeJS.ProcessEnv } = {},
): string {
  return execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
    cwd: folder,
    env: { ...env, ...dates, ...more.env },
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(more.input === undefined ? {} : { input: more.input }),
  });
}

export function write(
  folder: string,
  path: string,
  content: string | Uint8Array = `${path}\n`,
  mode = 0o644,
): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { recursive: true, force: true });
  writeFileSync(file, content);
  chmodSync(file, mode);
}

export function link(folder: string, path: string, target: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { recursive: true, force: true });
  symlinkSync(target, file);
}

export function init(...args: readonly string[]): string {
  const folder = fresh('repository');
  mkdirSync(folder);
  git(folder, 'init', '-q', '-b', 'main', ...args);
  return folder;
}

/** One commit of the given files. */
export function repository(
  files: Readonly<Record<string, string>> = { 'a.txt': 'one\ntwo\n', 'src/b.ts': 'b\n' },
): string {
  const folder = init();
  for (const [path, content] of Object.entries(files)) write(folder, path, content);
  commit(folder);
  return folder;
}

export function commit(folder: string, message = 'a commit'): string {
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '--allow-empty', '-m', message);
  return git(folder, 'rev-parse', 'HEAD').trim();
}

export function clone(folder: string): string {
  const copy = fresh('clone');
  git(top, 'clone', '-q', folder, copy);
  return copy;
}

export async function open(folder: string, options: WorkspaceOptions = {}): Promise<Workspace> {
  return await openWorkspace(folder, { env, ...options });
}

/** What a store would keep. */
export class Blobs {
  readonly byDigest = new Map<Digest, Buffer>();
  readonly store = async (bytes: Uint8Array): Promise<Digest> => {
    const digest = digestOf(bytes);
    this.byDigest.set(digest, Buffer.from(bytes));
    return digest;
  };
  readonly read = async (digest: Digest): Promise<Uint8Array | undefined> => this.byDigest.get(digest);
}

export async function captureOf(folder: string, blobs = new Blobs()): Promise<Capture & { blobs: Blobs }> {
  return { ...(await (await open(folder)).capture(blobs.store)), blobs };
}

export type RestoreSettings = Partial<RestoreOptions> & Pick<WorkspaceOptions, 'reached' | 'names'>;

export async function restoreInto(
  folder: string,
  taken: { readonly manifest: Manifest; readonly blobs: Blobs },
  options: RestoreSettings = {},
): Promise<RestoreReport> {
  const { reached, names, ...about } = options;
  const workspace = await open(folder, {
    ...(reached === undefined ? {} : { reached }),
    ...(names === undefined ? {} : { names }),
  });
  return await workspace.restore(taken.manifest, { read: taken.blobs.read, ...about });
}

/** The refusal, which must be one. */
export async function refusal(act: Promise<unknown>): Promise<StaffettaError> {
  try {
    await act;
  } catch (error) {
    if (isStaffettaError(error)) return error;
    throw error;
  }
  throw new Error('it was not refused');
}
