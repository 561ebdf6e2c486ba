/** An operation that somebody began and did not finish. Git keeps these notes in files; nothing is run to read them. */
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Operation } from '../../core/tree/workspace.ts';

export function readOperation(gitFolder: string): Operation | null {
  const note = (name: string): string | undefined => readNote(join(gitFolder, name));
  const has = (name: string): boolean => existsSync(join(gitFolder, name));
  if (has('rebase-merge')) {
    return {
      kind: 'rebase',
      ...branchOf(note('rebase-merge/head-name')),
      ...commitsOf(note('rebase-merge/onto')),
      ...stepOf(note('rebase-merge/msgnum'), note('rebase-merge/end')),
    };
  }
  if (has('rebase-apply')) {
    return {
      kind: has('rebase-apply/applying') ? 'am' : 'rebase',
      ...branchOf(note('rebase-apply/head-name')),
      ...commitsOf(note('rebase-apply/onto')),
      ...stepOf(note('rebase-apply/next'), note('rebase-apply/last')),
    };
  }
  if (has('MERGE_HEAD')) return { kind: 'merge', ...commitsOf(note('MERGE_HEAD')) };
  if (has('CHERRY_PICK_HEAD')) return { kind: 'cherry-pick', ...commitsOf(note('CHERRY_PICK_HEAD')) };
  if (has('REVERT_HEAD')) return { kind: 'revert', ...commitsOf(note('REVERT_HEAD')) };
  if (has('BISECT_LOG')) return { kind: 'bisect' };
  return null;
}

function readNote(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size < 65_536 ? readFileSync(path, 'utf8') : undefined;
}

function branchOf(text: string | undefined): { branch?: string } {
  const name = /^refs\/heads\/(.{1,4000})$/m.exec(text ?? '')?.[1];
  return name === undefined ? {} : { branch: name };
}

function commitsOf(text: string | undefined): { commits?: string[] } {
  const commits = (text ?? '').match(/^(?:[0-9a-f]{64}|[0-9a-f]{40})$/gm);
  return commits === null ? {} : { commits: commits.slice(0, 100) };
}

function stepOf(step: string | undefined, of: string | undefined): { step?: number; of?: number } {
  const [at, last] = [Number(step?.trim()), Number(of?.trim())];
  return Number.isSafeInteger(at) && Number.isSafeInteger(last) && at >= 0 && last >= 0
    ? { step: at, of: last }
    : {};
}
