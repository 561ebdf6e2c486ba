/** The built entry for hooks, called as a program calls it: a process of its own, with an event on its standard input. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sandboxed } from '../support/sandboxed.ts';
import { launcher, newFolder, node, staffetta, type Json, type Ran } from '../cli/command.ts';

export const entry = join(dirname(launcher), '..', 'dist', 'hook', 'main.cjs');

export interface Heard {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** What the model is told; empty for nothing. */
  readonly context: string;
}

export interface Telling {
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Instead of the event. */
  readonly stdin?: string | Uint8Array | null;
  readonly meanwhile?: (child: ChildProcess) => void;
}

export async function tell(
  [runtime, name]: readonly [string, string],
  event: Json,
  { folder, env = {}, stdin, meanwhile }: Telling,
): Promise<Heard> {
  const child = spawn(node, [entry, runtime, name], {
    cwd: folder,
    // A machine that is busy must not decide what is told.
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, STAFFETTA_HOOK_MS: '50000', ...sandboxed, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => undefined);
  // Null: the host goes on telling, and never comes to an end.
  if (stdin !== null) child.stdin.end(stdin ?? JSON.stringify({ cwd: folder, ...event }));
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (piece) => (stdout += String(piece)));
  child.stderr.on('data', (piece) => (stderr += String(piece)));
  meanwhile?.(child);
  const status = await new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  return { status, stdout, stderr, context: contextIn(stdout) };
}

function contextIn(stdout: string): string {
  if (stdout === '') return '';
  const said = JSON.parse(stdout) as {
    context?: string;
    hookSpecificOutput?: { additionalContext?: string };
  };
  return said.context ?? said.hookSpecificOutput?.additionalContext ?? '';
}

export function logOf(folder: string): string {
  const path = join(folder, '.staffetta', 'hook.log');
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

export function recordIn(folder: string): Json {
  const hooks = join(folder, '.staffetta', 'hooks');
  const name = readdirSync(hooks).find((one) => /^session-.*\.json$/.test(one)) ?? '';
  return JSON.parse(readFileSync(join(hooks, name), 'utf8')) as Json;
}

/** The command as the agent in a session of Claude Code calls it. */
export async function asAgent(folder: string, session: string, ...args: readonly string[]): Promise<Ran> {
  const env = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: session, HOME: folder };
  return await staffetta(args, { cwd: folder, env });
}

/** Until it is so: work in the background is waited for by what it leaves behind. */
export async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

export { newFolder };
