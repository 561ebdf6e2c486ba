/** A child and everything it started, as long as they stay in its group; or the child alone, where it shares the group of the terminal. */
import type { ChildProcess } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { limits } from '../core/base/limits.ts';
import { processStat } from './process-tree.ts';

export interface Group {
  readonly child: ChildProcess;
  /** The child has a group of its own, under its own number. */
  readonly isOwn: boolean;
}

export const canGroup = process.platform !== 'win32';

function signalGroup({ child, isOwn }: Group, signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false;
  try {
    return isOwn ? process.kill(-child.pid, signal) : child.kill(signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Gone, or only processes of somebody else are left in it.
    if (code === 'ESRCH' || code === 'EPERM') return false;
    throw error;
  }
}

export function isGroupAlive(group: Group): boolean {
  const { child, isOwn } = group;
  if (!isOwn) return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  if (child.pid === undefined || !signalGroup(group, 0)) return false;
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
    const stat = /^\d+$/.test(entry) ? processStat(Number(entry)) : undefined;
    return stat?.group === group && !stat.hasEnded;
  });
}

/** Asks the group to end, and ends it if it has not within the grace. Resolves when it is gone. */
export async function endGroup(group: Group, graceMs: number): Promise<void> {
  if (!signalGroup(group, 'SIGTERM')) return;
  // A stopped process does not see the request until it goes on.
  signalGroup(group, 'SIGCONT');
  if (await isGoneWithin(group, graceMs)) return;
  signalGroup(group, 'SIGKILL');
  await isGoneWithin(group, Math.max(graceMs, limits.runGraceMs));
}

async function isGoneWithin(group: Group, ms: number): Promise<boolean> {
  const until = performance.now() + ms;
  for (let pause = 5; isGroupAlive(group); pause = Math.min(pause * 2, 100)) {
    if (performance.now() >= until) return false;
    await wait(pause);
  }
  return true;
}
