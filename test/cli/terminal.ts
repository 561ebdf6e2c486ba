/** The built command at a terminal of its own. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { sandboxed } from '../support/sandboxed.ts';
import { home, launcher, node } from './command.ts';

/** Where there is no `script`, nothing can be typed. */
export const hasTerminal = spawnSync('script', ['--version']).status === 0;

export interface Typed {
  readonly status: number | null;
  readonly text: string;
}

/** The command at a terminal of its own. What somebody types comes once the words before it are there. */
export async function typed(
  folder: string,
  args: readonly string[],
  keys: readonly (readonly [after: string, keys: string])[],
  env: Readonly<Record<string, string>> = {},
): Promise<Typed> {
  const line = [node, launcher, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: home, TERM: 'xterm', ...sandboxed, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const left = [...keys];
  let text = '';
  let seen = 0;
  child.stdin.on('error', () => {});
  child.stdout.on('data', (part: Buffer) => {
    text += part.toString();
    const [next] = left;
    if (next === undefined || !text.includes(next[0], seen)) return;
    seen = text.indexOf(next[0], seen) + next[0].length;
    left.shift();
    child.stdin.write(next[1]);
  });
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, text };
}
