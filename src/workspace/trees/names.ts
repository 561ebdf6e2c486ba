/**
 * Where a tree lies and what its branch is called. A name of ours that is made from a task's holds a plus, which no task's name does.
 */
import { basename, join } from 'node:path';
import { StaffettaError } from '../../core/base/error.ts';
import { runBranch } from '../../core/plan/run-document.ts';
import { sha256Hex } from '../../core/journal/sha256.ts';
import type { TreeName } from '../../ports/trees.ts';
import type { Repository } from '../git/locate.ts';

const part = /^[A-Za-z0-9_](?:[A-Za-z0-9_-]|\.(?!\.)){0,99}$/;

export function checkNames(...names: readonly string[]): void {
  for (const name of names) {
    if (part.test(name) && !name.endsWith('.') && !name.endsWith('.lock')) continue;
    throw new StaffettaError('invalid-input', `${JSON.stringify(name)} cannot be the name of a branch.`, {
      hint: 'Use letters, digits, dots, dashes and underscores.',
    });
  }
}

export function refOf(branch: string): string {
  return `refs/heads/${branch}`;
}

export function integratedBranch(run: string): string {
  checkNames(run);
  return runBranch(run);
}

/** Which try it is: the first has the name of the task. */
export function slotOf({ task }: TreeName, attempt: number): string {
  return attempt === 1 ? task : `${task}+${attempt}`;
}

export function branchOf({ run }: TreeName, slot: string): string {
  return `staffetta/${run}/${slot}`;
}

/** The trees of one run of one repository. */
export function runFolder(home: string, { root, commonFolder }: Repository, run: string): string {
  // A linked worktree has the trees of the repository that it belongs to.
  const name = basename(basename(commonFolder) === '.git' ? join(commonFolder, '..') : root);
  const readable = name.replaceAll(/[^A-Za-z0-9._-]/g, '-').slice(0, 60);
  return join(home, `${readable}-${sha256Hex(commonFolder).slice(0, 12)}`, run);
}
