/** Starts a program as it was launched, and waits for its end. Its prompt goes by standard input, or the terminal is its own. */
import { spawn } from 'node:child_process';
import type { Launch } from '../../ports/runtime.ts';

export interface ProgramEnd {
  readonly exit: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it could not be started. */
  readonly failed: string | null;
}

export interface ProgramOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Where its output goes: to ours, or to stderr where stdout is for data. */
  readonly output: 'stdout' | 'stderr';
  /** Ends it. */
  readonly stop: AbortSignal;
  /** Told the number of its process. */
  readonly began: (pid: number | undefined) => void;
}

export async function runProgram(
  launch: Launch,
  { env, output, stop, began }: ProgramOptions,
): Promise<ProgramEnd> {
  const { program, args, cwd, stdin } = launch;
  return await new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env,
      stdio: [stdin === null ? 'inherit' : 'pipe', output === 'stderr' ? 2 : 'inherit', 'inherit'],
    });
    began(child.pid);
    const end = (): void => void child.kill('SIGTERM');
    stop.addEventListener('abort', end);
    const over = (ended: ProgramEnd): void => {
      stop.removeEventListener('abort', end);
      resolve(ended);
    };
    child.once('error', (error) => over({ exit: null, signal: null, failed: error.message }));
    child.once('close', (exit, signal) => over({ exit, signal, failed: null }));
    // A program that ends before it has read its prompt says why by its exit code.
    child.stdin?.on('error', () => {});
    child.stdin?.end(stdin ?? '');
  });
}
