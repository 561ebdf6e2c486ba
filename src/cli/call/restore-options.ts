import { defined } from '../../core/base/defined.ts';
import { basename, dirname, join } from 'node:path';
import type { TaskId } from '../../core/journal/id.ts';
import type { TakeRestoredOptions } from '../../handoff/verbs/take-restored.ts';
import { worktreeRoot } from '../../home/locate.ts';
import type { OptionSpec, Values } from '../frame/spec.ts';
import { UsageError } from '../frame/usage.ts';
import { text, texts } from '../frame/values.ts';

/** Stands for a folder beside this one, named after it and the task. */
const beside = '-';

export const restoreOptions: Readonly<Record<string, OptionSpec>> = {
  worktree: {
    type: 'string',
    value: 'DIR',
    alone: beside,
    help: 'Into a new git worktree there, or beside this folder, which is at HEAD where nothing was captured yet',
  },
  allow: {
    type: 'string',
    multiple: true,
    value: 'GLOB',
    help: 'Write this too, although it starts by itself or steers an agent or editor',
  },
};

export function restoreFrom(values: Values): TakeRestoredOptions['restore'] {
  const given = text(values, 'worktree');
  const worktree = given === beside ? folderBeside : given;
  const allow = texts(values, 'allow');
  if (given === '') throw new UsageError('--worktree needs the name of a folder.');
  if (allow?.includes('') === true) throw new UsageError('--allow needs a path or a glob.');
  return {
    ...defined({ worktree, allow }),
  };
}

export function folderBeside(task: TaskId): string {
  const root = worktreeRoot(process.cwd());
  return join(dirname(root), `${basename(root)}-${task}`);
}
