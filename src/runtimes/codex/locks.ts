/**
 * Who writes to a session. Codex holds `thread-writer-locks/<id>.lock` with flock(2) while it runs and removes it when it ends; after
 * SIGKILL the file stays and the lock is gone. The file is empty: who holds it is in `/proc/locks`. No lock is tried, because the
 * program would notice.
 *
 * From 0.169 on the terminal talks to a daemon (`app-server-daemon/daemon.pid`), which keeps threads loaded, and their locks, when nobody has
 * them before them any more.
 */
import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

export type HeldLock = { readonly pid: number; readonly byDaemon: boolean } | 'stale' | 'unknown';

export interface ProcFiles {
  /** The folder where the system shows its processes; another one in tests. */
  readonly proc: string;
}

/** By thread; a session without an entry has no lock file. */
export function writerLocks(home: string, { proc }: ProcFiles = { proc: '/proc' }): Map<string, HeldLock> {
  const folder = join(home, 'thread-writer-locks');
  const held = new Map<string, HeldLock>();
  const table = lockTable(proc);
  const daemon = daemonIn(home);
  for (const name of namesIn(folder)) {
    const id = /^([0-9a-f-]{36})\.lock$/i.exec(name)?.[1];
    if (id === undefined) continue;
    const holder = holderOf(join(folder, name), table, proc);
    held.set(
      id.toLowerCase(),
      typeof holder === 'number' ? { pid: holder, byDaemon: holder > 0 && holder === daemon } : holder,
    );
  }
  return held;
}

function daemonIn(home: string): unknown {
  try {
    const text = readFileSync(join(home, 'app-server-daemon', 'daemon.pid'), 'utf8');
    return (JSON.parse(text) as { readonly pid?: unknown } | null)?.pid;
  } catch {
    return undefined;
  }
}

interface Lock {
  readonly pid: number;
  readonly device: string;
}

function holderOf(
  path: string,
  table: ReadonlyMap<string, readonly Lock[]> | null,
  proc: string,
): number | 'stale' | 'unknown' {
  if (table === null) return 'unknown';
  let stat;
  try {
    stat = lstatSync(path);
  } catch {
    return 'stale';
  }
  const device = deviceName(stat.dev);
  const lock = (table.get(String(stat.ino)) ?? []).find(
    // Layered file systems show another device there than stat does: then the process must have it open.
    (candidate) => candidate.device === device || isOpenIn(path, candidate.pid, proc),
  );
  return lock?.pid ?? 'stale';
}

/** Locks by inode, null where the system does not show them. `3: FLOCK  ADVISORY  WRITE 30270 fe:00:5587829 0 EOF` */
function lockTable(proc: string): Map<string, Lock[]> | null {
  let text: string;
  try {
    text = readFileSync(join(proc, 'locks'), 'utf8');
  } catch {
    return null;
  }
  const table = new Map<string, Lock[]>();
  const pattern = /^\d+: FLOCK +\w+ +\w+ +(\d+) ([0-9a-f]+:[0-9a-f]+):(\d+) /gm;
  for (const [, pid = '', device = '', inode = ''] of text.matchAll(pattern)) {
    // A holder in another container is shown as 0: it lives, but cannot be named.
    const locks = table.get(inode) ?? [];
    locks.push({ pid: Number(pid), device });
    table.set(inode, locks);
  }
  return table;
}

/** As `/proc/locks` writes it: major and minor number, two hex digits at least. */
function deviceName(device: number): string {
  const number = BigInt(device);
  const major = ((number >> 8n) & 0xfffn) | ((number >> 32n) & 0xfffff000n);
  const minor = (number & 0xffn) | ((number >> 12n) & 0xffffff00n);
  return [major, minor].map((part) => part.toString(16).padStart(2, '0')).join(':');
}

function isOpenIn(path: string, pid: number, proc: string): boolean {
  const folder = join(proc, String(pid), 'fd');
  try {
    const real = realpathSync(path);
    return namesIn(folder).some((name) => readlinkSync(join(folder, name)) === real);
  } catch {
    return false;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
