/**
 * Processes that a command started and that left its group, found where the system lists all processes: by a mark in the environment
 * that each inherits, or by the end of our pipe that each holds open. One that empties its environment and closes its output is not
 * found, nor is any on another system: those are ended with the group or not at all.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { limits } from '../core/base/limits.ts';
import { markName } from '../ports/orphans.ts';
import { isOver } from './process-tree.ts';

export interface Traces {
  readonly mark: string;
  /** The name under which the system lists our pipe; undefined where nobody need look for it. */
  readonly pipe?: string | undefined;
}

const roundsMax = 5;

/** Ends the processes that bear the traces, and those they start meanwhile. How many there were, and whether any is left. */
export async function endStrays(
  traces: Traces,
  graceMs: number,
): Promise<{ readonly found: boolean; readonly left: boolean }> {
  let found = false;
  for (let round = 0; round < roundsMax; round += 1) {
    const strays = straysWith(traces);
    if (strays.length === 0) return { found, left: false };
    found = true;
    for (const pid of strays) signal(pid, 'SIGTERM');
    // A stopped process does not see the request until it goes on.
    for (const pid of strays) signal(pid, 'SIGCONT');
    if (await areGoneWithin(traces, strays, graceMs)) return { found, left: false };
    for (const pid of straysWith(traces)) signal(pid, 'SIGKILL');
    await areGoneWithin(traces, strays, Math.max(graceMs, limits.runGraceMs));
  }
  return { found, left: straysWith(traces).length > 0 };
}

/** One that is about to end bears its mark no more, and is still there. */
async function areGoneWithin(traces: Traces, known: readonly number[], ms: number): Promise<boolean> {
  const until = performance.now() + ms;
  const isAnyLeft = (): boolean =>
    straysWith(traces).length > 0 || known.some((pid) => !isOver({ pid, started: null }));
  for (let pause = 5; isAnyLeft(); pause = Math.min(pause * 2, 100)) {
    if (performance.now() >= until) return false;
    await wait(pause);
  }
  return true;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone meanwhile, or somebody else's.
  }
}

export function straysWith({ mark, pipe }: Traces): number[] {
  const bytes = Buffer.from(`\0${markName}=${mark}\0`);
  return processes().filter((pid) => hasMark(pid, bytes) || (pipe !== undefined && holds(pid, pipe)));
}

function processes(): number[] {
  if (process.platform !== 'linux') return [];
  try {
    return readdirSync('/proc')
      .filter((entry) => /^\d+$/.test(entry))
      .map(Number)
      .filter((pid) => pid !== process.pid);
  } catch {
    return [];
  }
}

/** Of one that ended and that nobody took notice of, and of somebody else's, nothing can be read. */
function hasMark(pid: number, mark: Buffer): boolean {
  try {
    return Buffer.concat([Buffer.from([0]), readFileSync(`/proc/${pid}/environ`)]).includes(mark);
  } catch {
    return false;
  }
}

function holds(pid: number, pipe: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => linkOf(`/proc/${pid}/fd/${fd}`) === pipe);
  } catch {
    return false;
  }
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
