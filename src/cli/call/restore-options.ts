import { defined } from '../../core/base/defined.ts';
import type { RestoreRequest } from '../../handoff/verbs/restore.ts';
import type { OptionSpec, Values } from '../frame/spec.ts';
import { UsageError } from '../frame/usage.ts';
import { text, texts } from '../frame/values.ts';

export const restoreOptions: Readonly<Record<string, OptionSpec>> = {
  worktree: {
    type: 'string',
    value: 'DIR',
    help: 'Into a new git worktree there, which is at HEAD where nothing was captured yet',
  },
  allow: {
    type: 'string',
    multiple: true,
    value: 'GLOB',
    help: 'Write this too, although it starts by itself or steers an agent or editor',
  },
};

export function restoreFrom(values: Values): Omit<RestoreRequest, 'packet' | 'dryRun'> {
  const worktree = text(values, 'worktree');
  const allow = texts(values, 'allow');
  if (worktree === '') throw new UsageError('--worktree needs the name of a folder.');
  if (allow?.includes('') === true) throw new UsageError('--allow needs a path or a glob.');
  return {
    ...defined({ worktree, allow }),
  };
}
