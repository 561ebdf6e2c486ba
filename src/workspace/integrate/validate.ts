/** Validation of a commit that is no head yet, in a tree of its own that is gone afterwards. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { FailedValidation, IntegrateOrder } from '../../ports/integrate.ts';
import { dropLock, takeLock } from '../../process/owned-lock.ts';
import { StaffettaError } from '../../core/base/error.ts';
import { locateRepository, type Repository } from '../git/locate.ts';
import { git } from '../git/spawn.ts';
import { runCommand } from '../run/run.ts';
import { dropSubmodules, fillSubmodules } from '../trees/submodules.ts';
import { forgetMissing } from '../trees/aside.ts';
import { furnish, type FurnishOptions } from '../trees/furnish.ts';
import { realOf } from '../trees/worktrees.ts';

const saidCharsMax = 4000;
const prefix = '+check-';
const ours = /^\+check-[0-9a-f-]{36}$/;

/** Null: all of it passed. `folder` is that of the run. */
export async function validateCommit(
  repository: Repository,
  commit: string,
  about: { readonly order: IntegrateOrder; readonly folder: string; readonly options: FurnishOptions },
): Promise<FailedValidation | null> {
  const { order, folder, options } = about;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await dropKilledChecks(repository, folder);
  const path = join(realOf(folder), `${prefix}${randomUUID()}`);
  takeLock(lockOf(path), Number.POSITIVE_INFINITY);
  try {
    await git(repository, ['worktree', 'add', '--quiet', '--detach', '--no-checkout', '--', path, commit]);
    const tree = await locateRepository(path, { env: repository.given, msMax: repository.msMax });
    if (tree === undefined) throw new StaffettaError('git-failed', `Git made no worktree at ${path}.`);
    await git(tree, ['read-tree', '--reset', '-u', 'HEAD']);
    await fillSubmodules(repository, tree);
    const { failed } = await furnish(path, order, options);
    if (failed !== null) return failed;
    for (const command of order.validation ?? []) {
      const { end, output } = await runCommand(path, command, { base: options.env, note: options.note });
      if (end.how === 'exited' && end.code === 0) continue;
      return { command, end, output: Buffer.from(output).toString('utf8').slice(-saidCharsMax) };
    }
    return null;
  } finally {
    await drop(repository, path);
  }
}

export async function dropKilledChecks(repository: Repository, folder: string): Promise<void> {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const path = join(folder, name);
    if (!ours.test(name)) continue;
    if (takeLock(lockOf(path), Number.POSITIVE_INFINITY) !== 'busy') await drop(repository, path);
  }
}

function lockOf(path: string): string {
  return `${path}.lock`;
}

/** Nobody but validation was in it. */
async function drop(repository: Repository, path: string): Promise<void> {
  if (existsSync(path)) await dropSubmodules(repository, path);
  rmSync(path, { recursive: true, force: true });
  await forgetMissing(repository, path);
  dropLock(lockOf(path));
}
