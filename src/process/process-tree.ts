/** Processes as the kernel tells of them where there is /proc, elsewhere as `ps` does: their start, their group, those above them. Windows tells nothing. */
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

export interface Ancestor {
  readonly pid: number;
  readonly name: string;
  /** When it started, by the kernel's clock or to the second; with the number it names one process for good. */
  readonly started: string;
}

const depthMax = 32;

/** From a process upwards, itself first. */
export function* ancestorsOf(pid: number): Generator<Ancestor> {
  let at = pid;
  for (let depth = 0; at > 1 && depth < depthMax; depth += 1) {
    const found = look(at);
    if (found === undefined) return;
    yield { pid: at, name: found.name, started: found.started };
    at = found.parent;
  }
}

/** Whether it has ended: it is gone, or only its number is kept until its parent asks. False where nothing tells. */
export function isOver({ pid, started }: { readonly pid: number; readonly started: string | null }): boolean {
  const stat = processStat(pid);
  if (stat !== undefined)
    return stat.hasEnded || (started !== null && started !== '' && stat.started !== started);
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Undefined where it is gone, or nothing tells. */
export function startOf(pid: number): string | undefined {
  return look(pid)?.started;
}

interface ProcessStat {
  readonly name: string;
  /** A zombie does nothing any more; where nobody asks for it, it stays one for ever. */
  readonly hasEnded: boolean;
  readonly parent: number;
  readonly group: number;
  readonly started: string;
}

function look(pid: number): ProcessStat | undefined {
  const stat = processStat(pid);
  return stat?.hasEnded === true ? undefined : stat;
}

export function processStat(pid: number): ProcessStat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return existsSync('/proc/self') ? undefined : statByPs(pid);
  }
  // The name stands in brackets and may hold any.
  const close = text.lastIndexOf(')');
  const fields = text.slice(close + 2).split(' ');
  return {
    name: text.slice(text.indexOf('(') + 1, close),
    hasEnded: ['', 'Z', 'X'].includes(fields[0] ?? ''),
    parent: Number(fields[1] ?? 0),
    group: Number(fields[2] ?? 0),
    started: fields[19] ?? '',
  };
}

/** What every Unix has: a start to the second, and on some the whole path of the program. */
export function statByPs(pid: number): ProcessStat | undefined {
  if (process.platform === 'win32') return undefined;
  const args = ['-o', 'ppid=', '-o', 'pgid=', '-o', 'stat=', '-o', 'lstart=', '-o', 'comm=', '-p', `${pid}`];
  // Loaded here: a hook that never needs it would load sockets with it.
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { stdout } = spawnSync('/bin/ps', args, { encoding: 'latin1', env: { LC_ALL: 'C', TZ: 'UTC' } });
  const line = /^\s*(\d+)\s+(\d+)\s+(\S)\S*\s+(\w+ +\w+ +\d+ [\d:]+ \d+)\s+(.*)$/m.exec(stdout ?? '');
  if (line === null) return undefined;
  const [, parent = '', group = '', state = '', started = '', program = ''] = line;
  return {
    name: basename(program),
    hasEnded: state === 'Z',
    parent: Number(parent),
    group: Number(group),
    // Names of processes are put together with colons.
    started: started.replaceAll(/[ :]+/g, '-'),
  };
}

const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'fish', 'timeout', 'env']);

/** The program that started this one, whatever shells stand between them. */
export function startedBelow(): Ancestor | undefined {
  for (const ancestor of ancestorsOf(process.ppid)) if (!shells.has(ancestor.name)) return ancestor;
  return undefined;
}
