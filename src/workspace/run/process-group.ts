/** A child and everything it started, as long as they stay in its group. */
import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const grouped = process.platform !== 'win32';

function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false;
  try {
    return grouped ? process.kill(-child.pid, signal) : child.kill(signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Gone, or only processes of somebody else are left in it.
    if (code === 'ESRCH' || code === 'EPERM') return false;
    throw error;
  }
}

export function isGroupAlive(child: ChildProcess): boolean {
  if (!grouped) return child.exitCode === null && child.signalCode === null;
  if (child.pid === undefined || !signalGroup(child, 0)) return false;
  return process.platform !== 'linux' || hasLivingMember(child.pid);
}

/**
 * A process that ended stays in its group until its parent takes notice, and the first process of a container often never does:
 * then the group looks alive for ever. Only the state of each member tells.
 */
function hasLivingMember(group: number): boolean {
  let entries: string[];
  try {
    entries = readdirSync('/proc');
  } catch {
    return true;
  }
  return entries.some((entry) => {
    if (!/^\d+$/.test(entry)) return false;
    try {
      // The name in parentheses may hold anything; state, parent and group follow the last one.
      const stat = readFileSync(`/proc/${entry}/stat`, 'latin1');
      const [state, , member] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return Number(member) === group && state !== 'Z' && state !== 'X';
    } catch {
      return false;
    }
  });
}

/** Asks the group to end, and ends it if it has not within the grace. Resolves when it is gone. */
export async function endGroup(child: ChildProcess, graceMs: number): Promise<void> {
  if (!signalGroup(child, 'SIGTERM')) return;
  // A stopped process does not see the request until it goes on.
  signalGroup(child, 'SIGCONT');
  if (await isGoneWithin(child, graceMs)) return;
  signalGroup(child, 'SIGKILL');
  await isGoneWithin(child, graceMs);
}

async function isGoneWithin(child: ChildProcess, ms: number): Promise<boolean> {
  const until = performance.now() + ms;
  for (let pause = 5; isGroupAlive(child); pause = Math.min(pause * 2, 100)) {
    if (performance.now() >= until) return false;
    await new Promise((resolve) => {
      setTimeout(resolve, pause);
    });
  }
  return true;
}
