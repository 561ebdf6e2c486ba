/** Names this process so that another one, later and on the same machine, can tell whether it is gone. */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { sha256Hex } from '../core/journal/sha256.ts';
import { isOver, startOf } from './process-tree.ts';

export function ownProcess(): string {
  return ['process', machine(), boot(), process.pid, startOf(process.pid) ?? ''].join(':');
}

/** False where nobody can know: it is of another machine, or was not named by us. */
export function isProcessGone(name: string): boolean {
  const [word, host, since, pid = '', started = ''] = name.split(':');
  if (word !== 'process' || host !== machine() || !/^\d+$/.test(pid)) return false;
  if (since !== boot()) return true;
  return isOver({ pid: Number(pid), started });
}

/** The name of a machine is its owner's business. */
function machine(): string {
  return sha256Hex(hostname()).slice(0, 12);
}

/** Numbers of processes begin anew with each start of the machine. */
function boot(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8);
  } catch {
    return '';
  }
}
