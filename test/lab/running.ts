/** A program under way: what it says, how it ends, and how it is killed with all that it started. */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Agent } from './agents/agent.ts';
import type { Machine } from './machine.ts';

export interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly ended: Promise<Ended>;
  /** Without a chance to put anything in order. */
  kill(): void;
}

export interface Order {
  readonly program: string;
  readonly args: readonly string[];
  readonly stdin?: string | null;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Where it starts several programs, one after the other. */
  readonly msMax?: number;
}

/** Programs of the lab answer within seconds, on a busy machine within a minute; what takes longer hangs. */
const runMsMax = 240_000;

const underWay = new Set<Running>();

/** For a test that gave up on one. */
export function killAll(): void {
  for (const running of underWay) running.kill();
}

export function start({ program, args, stdin, cwd, env, msMax = runMsMax }: Order): Running {
  const child: ChildProcessByStdio<Writable, Readable, Readable> = spawn(program, args, {
    cwd,
    env: { ...env, PWD: cwd },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own, so that a launcher and the program behind it end together.
    detached: true,
  });
  const { pid } = child;
  const kill = (): void => {
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  };
  // A program that ends early does not read all that it is given.
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin ?? '');
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  const hung = setTimeout(kill, msMax);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status, signal) => resolve({ status, signal, stdout, stderr }));
  }).finally(() => {
    clearTimeout(hung);
    underWay.delete(running);
  });
  const running: Running = { ended, kill };
  underWay.add(running);
  return running;
}

/** How a program is started with a prompt on standard input. */
export function asked(
  { command, ask: words, piped }: Agent,
  args: readonly string[] = words,
): Pick<Order, 'program' | 'args'> {
  return piped === true
    ? { program: 'sh', args: ['-c', 'cat | exec "$0" "$@"', command, ...args] }
    : { program: command, args };
}

/** A new session of a program with a prompt. */
export function ask(agent: Agent, machine: Machine, prompt: string): Running {
  return start({
    ...asked(agent),
    stdin: prompt,
    cwd: machine.work,
    env: machine.env,
  });
}
