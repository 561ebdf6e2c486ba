import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Without the caller's own settings; with compiled code kept, a child is there in half the time. */
export function childEnvironment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/staffetta-tests'),
    ...more,
  };
}

/** Runs a program of the tests with this Node and waits for its end. */
export async function runChild(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...args], {
    env: childEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

/** All items, a few at a time. If one fails, the others are finished first: nobody works on behind the back of a test that is over. */
export async function inParallel<T>(
  items: readonly T[],
  body: (item: T) => Promise<void>,
  width = availableParallelism(),
): Promise<void> {
  const waiting = items.values();
  const lane = async (): Promise<void> => {
    for (const item of waiting) await body(item);
  };
  const ended = await Promise.allSettled(Array.from({ length: width }, lane));
  const failure = ended.find((result) => result.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}
