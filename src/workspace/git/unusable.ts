import { defined } from '../../core/base/defined.ts';
import { StaffettaError } from '../../core/base/error.ts';

const inTree = 'Run this in a working tree of the repository: git worktree list names them.';
const hints: Readonly<Record<string, string>> = {
  bare: inTree,
  'inside-git': inTree,
  'no-repository': 'Run this in a git repository with at least one commit; git init makes one.',
  'head-gone': 'Work in another clone or worktree of the repository; git status says what is missing here.',
  broken: 'See what git status says here, or work in another clone.',
};

/** A workspace that is there but cannot be worked with; `details.reason` says why in one word. */
export function unusable(
  reason: string,
  message: string,
  options: { readonly hint?: string; readonly cause?: unknown } = {},
): StaffettaError {
  const hint = options.hint ?? hints[reason];
  return new StaffettaError('workspace-unusable', message, {
    ...options,
    ...defined({ hint }),
    details: { reason },
  });
}
