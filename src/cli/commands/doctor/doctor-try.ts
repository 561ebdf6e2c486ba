/**
 * Calls a hook once as its program would, with an event that says nothing. Ours writes a line into the log beside the store and ends with 0;
 * the store is one that is made for this, so that nothing of the user's is touched. Whatever else is called writes no such line.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const endMsMax = 10_000;

/** What is wrong with it; undefined where it ran as it should. */
export async function tryHook(
  call: string | readonly string[],
  msMax = endMsMax,
): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'staffetta-hook-'));
  try {
    const store = join(folder, 'store.db');
    writeFileSync(store, '');
    const { status, stderr } = await runCall(call, { folder, store, msMax });
    const why = stderr.trim().split('\n')[0] ?? '';
    const said = why === '' ? '' : `: ${why}`;
    if (status === null) return `did not end within ${msMax / 1000} s${said}`;
    if (status !== 0) return `ended with ${status}${said}`;
    const log = join(folder, 'hook.log');
    return existsSync(log) && readFileSync(log, 'utf8') !== '' ? undefined : 'ran, but is not our hook';
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

interface Calling {
  readonly folder: string;
  readonly store: string;
  readonly msMax: number;
}

async function runCall(
  call: string | readonly string[],
  { folder, store, msMax }: Calling,
): Promise<{ readonly status: number | null; readonly stderr: string }> {
  const env = { ...process.env, STAFFETTA_STORE: store, STAFFETTA_HOOKS: '' };
  const [program = '', ...args] = typeof call === 'string' ? [call] : call;
  const child = spawn(program, args, {
    cwd: folder,
    env,
    shell: typeof call === 'string',
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (piece) => (stderr += String(piece)));
  child.stdin.on('error', () => undefined);
  child.stdin.end();
  return await new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), msMax);
    const end = (status: number | null): void => {
      clearTimeout(timer);
      resolve({ status, stderr });
    };
    child.once('error', (error) => {
      stderr += error.message;
      end(-1);
    });
    child.once('exit', end);
  });
}
