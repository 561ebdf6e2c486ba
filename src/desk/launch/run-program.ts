/** Starts a program as it was launched, and waits for its end. Its prompt goes by standard input, or the terminal is its own. */
import { limits } from '../../core/base/limits.ts';
import type { Launch } from '../../ports/runtime.ts';
import { startProgram, type ProgramStart } from '../../process/start.ts';

export interface ProgramEnd {
  readonly exit: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it could not be started. */
  readonly failed: string | null;
  /** What it left running and nobody ended. */
  readonly left: readonly number[];
}

export interface ProgramOptions extends Pick<ProgramStart, 'env' | 'note'> {
  /** Where its output goes: to ours, or to stderr where stdout is for data. */
  readonly output: 'stdout' | 'stderr';
  /** Ends it. */
  readonly stop: AbortSignal;
  /** A person has it before them: what runs on after they ended it is theirs, such as a daemon that their other sessions use. */
  readonly isWatched: boolean;
}

/** Resolves once nothing of it is left, or nothing that may be ended. */
export async function runProgram(
  { program, args, cwd, stdin }: Launch,
  { env, note, output, stop, isWatched }: ProgramOptions,
): Promise<ProgramEnd> {
  const started = startProgram({
    program,
    args,
    cwd,
    env,
    note,
    stdio: [stdin === null ? 'inherit' : 'pipe', output === 'stderr' ? 2 : 'inherit', 'inherit'],
    isForeground: true,
  });
  // A program that ends before it has read its prompt says why by its exit code.
  started.child.stdin?.on('error', () => {});
  started.child.stdin?.end(stdin ?? '');
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  const halt = (): void => resolve();
  stop.addEventListener('abort', halt, { once: true });
  if (stop.aborted) halt();
  await Promise.race([started.exited, stopped]);
  stop.removeEventListener('abort', halt);
  // Agents write their session down when they are asked to end, and take seconds for it.
  if (!isWatched || stop.aborted) await started.end({ graceMs: limits.programGraceMs });
  const { exit, signal, failed } = await started.exited;
  const left = started.leave({ asTheirs: isWatched && exit !== null });
  return { exit, signal, failed: failed?.message ?? null, left };
}
