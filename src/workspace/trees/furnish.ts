/** What a tree needs beside committed files: copies from the user's checkout, and commands that set it up. */
import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isForged, pathFault } from '../../core/tree/paths.ts';
import type { Furnished, Furnishing, NotCopied, SetupFailure } from '../../ports/trees.ts';
import { runCommand, type NoteRun } from '../run/run.ts';
import type { TreeReached } from './reached.ts';

export interface FurnishOptions {
  /** The user's checkout. */
  readonly from: string;
  readonly env: NodeJS.ProcessEnv;
  readonly holdsSecret: (bytes: Uint8Array) => Promise<boolean>;
  readonly note?: NoteRun | undefined;
  readonly reached: TreeReached;
}

/** Longer files are data, and belong to no declared copy. */
const copyBytesMax = 4 * 1024 * 1024;
const saidCharsMax = 4000;

export async function furnish(root: string, order: Furnishing, options: FurnishOptions): Promise<Furnished> {
  const copied: string[] = [];
  const notCopied: { path: string; reason: NotCopied }[] = [];
  for (const path of order.copy ?? []) {
    const reason = await copyInto(root, path, {
      ...options,
      isAllowed: order.consent?.includes(path) === true,
    });
    if (reason === undefined) copied.push(path);
    else notCopied.push({ path, reason });
  }
  options.reached('copied');
  return { copied, notCopied, failed: await setUp(root, order.setup ?? [], options) };
}

async function setUp(
  root: string,
  commands: readonly (readonly string[])[],
  { env, note }: FurnishOptions,
): Promise<SetupFailure | null> {
  for (const command of commands) {
    const { end, output } = await runCommand(root, command, { base: env, note });
    if (end.how === 'exited' && end.code === 0) continue;
    return { command, end, output: Buffer.from(output).toString('utf8').slice(-saidCharsMax) };
  }
  return null;
}

async function copyInto(
  root: string,
  path: string,
  { from, holdsSecret, isAllowed }: FurnishOptions & { readonly isAllowed: boolean },
): Promise<NotCopied | undefined> {
  const fault = pathFault(path);
  if (fault !== undefined && isForged(fault)) return 'outside';
  const source = join(from, path);
  const there = lstatSync(source, { throwIfNoEntry: false });
  if (there === undefined) return 'missing';
  if (realpathSync(source) !== join(realpathSync(from), path)) return 'outside';
  if (!there.isFile()) return 'no-file';
  if (there.size > copyBytesMax) return 'too-large';
  const bytes = readFileSync(source);
  if (!isAllowed && (await holdsSecret(bytes))) return 'secret';
  const target = join(root, path);
  if (!isInside(root, path)) return 'outside';
  if (lstatSync(target, { throwIfNoEntry: false }) !== undefined)
    return lstatSync(target).isFile() && readFileSync(target).equals(bytes) ? undefined : 'there';
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, bytes, { flag: 'wx', mode: there.mode & 0o777 });
  return undefined;
}

/** No link of the tree leads the copy out of it. */
function isInside(root: string, path: string): boolean {
  const real = realpathSync(root);
  let at = '';
  for (const part of path.split('/').slice(0, -1)) {
    at = join(at, part);
    if (!existsSync(join(root, at))) return true;
    if (realpathSync(join(root, at)) !== join(real, at)) return false;
  }
  return true;
}
