/** The commands of a contract, as people write them: `npm test`, or `unit: npm test` with a name. */
import { defined } from '../../core/base/defined.ts';
import { worktreeRoot } from '../../home/locate.ts';
import type { Validation } from '../../core/contract/contract.ts';
import { StaffettaError } from '../../core/base/error.ts';
import { folderWithin } from '../../core/tree/work-folder.ts';
import { parsePositiveDuration } from '../frame/duration.ts';
import { splitCommand } from './split-command.ts';
import { UsageError } from '../frame/usage.ts';

/** The folder of the workspace in which somebody types; undefined at its root. */
export function folderHere(): string | undefined {
  const here = process.cwd();
  return folderWithin(worktreeRoot(here), here);
}

export interface CommandTraits {
  readonly shell?: boolean | undefined;
  readonly timeoutMs?: number | undefined;
  readonly name?: string | undefined;
}

export function commandFrom(words: string, traits: CommandTraits = {}): Validation {
  const [, called, rest = ''] = /^([A-Za-z][\w.-]*):\s+(\S[\s\S]*)$/.exec(words.trim()) ?? [];
  const line = called === undefined ? words.trim() : rest;
  const name = traits.name ?? called;
  if (traits.shell !== true) refuseShellWords(line);
  return {
    run: traits.shell === true ? [line] : splitCommand(line),
    ...(traits.shell === true ? { shell: true as const } : {}),
    ...defined({ name, timeoutMs: traits.timeoutMs }),
  };
}

/** Pipes and the like would reach the program as plain words. Inside quotes they are meant so. */
function refuseShellWords(line: string): void {
  const [, variable] = /^([A-Za-z_]\w*)=/.exec(line) ?? [];
  if (variable !== undefined) {
    throw new UsageError(
      `${JSON.stringify(line)} sets ${variable} first, which only a shell understands.`,
      `Begin it with env (env ${line}), or give it with --validate-shell.`,
    );
  }
  const bare = line.replaceAll(/'[^']*'|"(?:[^"\\]|\\.)*"/g, '');
  const [, sign] = /(?:^|\s)(\|\|?|&&?|;|>>?|<|2>&1)(?:\s|$)/.exec(bare) ?? [];
  if (sign === undefined) return;
  throw new UsageError(
    `${JSON.stringify(line)} has ${sign}, which only a shell understands.`,
    'Give it with --validate-shell, or as an object with shell: true in a contract file.',
  );
}

/** A command in a contract file: one text, a list of words, or an object whose `run` is either. */
export function commandIn(entry: unknown): unknown {
  if (typeof entry === 'string') return commandFrom(entry);
  if (Array.isArray(entry)) return { run: entry as readonly unknown[] };
  if (typeof entry !== 'object' || entry === null) return entry;
  const { run, timeout, ...rest } = entry as Record<string, unknown>;
  const limit = timeout === undefined ? {} : { timeoutMs: timeLimit(timeout) };
  if (typeof run !== 'string') return { run, ...rest, ...limit };
  return { ...commandFrom(run, { shell: rest['shell'] === true }), ...rest, ...limit };
}

function timeLimit(given: unknown): number {
  try {
    return parsePositiveDuration(typeof given === 'string' ? given : JSON.stringify(given), 'timeout');
  } catch (cause) {
    throw new StaffettaError('invalid-input', (cause as Error).message.replace('--timeout', 'timeout'), {
      cause,
    });
  }
}
