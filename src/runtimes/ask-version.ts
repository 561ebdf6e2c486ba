/**
 * Asks a program for its version (RT13). It is started in a folder without a project, with nothing to read, and ended when it has
 * not answered in time; with all that it started, because some of these programs start themselves again.
 */
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';

/** The slowest of the four needs four seconds on a busy machine. */
const versionMsMax = 20_000;
const answerCharsMax = 64 * 1024;

export interface VersionQuestion {
  readonly program: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Keeps the program from looking for a newer one. */
  readonly quiet?: Readonly<Record<string, string>>;
  readonly msMax?: number;
}

export async function askVersion(question: VersionQuestion): Promise<string | null> {
  const { program, env, quiet = {}, msMax = versionMsMax } = question;
  if (program === null) return null;
  return await new Promise((resolve) => {
    const child = spawn(program, ['--version'], {
      cwd: tmpdir(),
      env: { ...env, ...quiet },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    let said = '';
    const timer = setTimeout(() => {
      endGroup(child.pid);
      resolve(null);
    }, msMax);
    child.stdout.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString('utf8')).slice(0, answerCharsMax);
    });
    child.once('error', () => {
      clearTimeout(timer);
      resolve(null);
    });
    child.once('close', (exit) => {
      clearTimeout(timer);
      resolve(exit === 0 ? versionIn(said) : null);
    });
  });
}

/** `codex-cli 0.166.0`, `2.1.325 (Claude Code)`, `0.61.0`. */
export function versionIn(said: string): string | null {
  return /(?<![\w.])\d+\.\d+\.\d+(?:[-+][\w.+-]+)?/.exec(said)?.[0] ?? null;
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended by itself at the last moment.
  }
}
