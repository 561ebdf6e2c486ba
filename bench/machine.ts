import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { arch, cpus, loadavg, release, totalmem, type } from 'node:os';

/** How many processes wanted a processor during the last minute, on average. */
export function load(): string {
  return (loadavg()[0] ?? 0).toFixed(1);
}

/** Where the numbers were taken, for a reader who compares them. */
export function machine(folder: string): readonly (readonly [string, string])[] {
  const processors = cpus();
  return [
    ['processor', `${processors[0]?.model.trim() ?? 'unknown'}, ${processors.length} cores`],
    ['memory', `${Math.round(totalmem() / 2 ** 30)} GB`],
    ['system', `${type()} ${release()} ${arch()}`],
    ['file system', fileSystem(folder)],
    ['Node', process.versions.node],
    ['SQLite', process.versions['sqlite'] ?? 'unknown'],
  ];
}

/** The type of the longest mount point that leads to the folder; Linux only. */
function fileSystem(folder: string): string {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .filter(([, point = '-']) => `${folder}/`.startsWith(point.endsWith('/') ? point : `${point}/`))
      .toSorted(([, a = ''], [, b = '']) => a.length - b.length);
    return mounts.at(-1)?.[2] ?? 'unknown';
  } catch {
    return 'unknown';
  }
}

/** What a process holds in memory; Linux only. */
export function residentBytes({ pid }: ChildProcess): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(text)?.[1] ?? '0') * 1024;
  } catch {
    return 0;
  }
}
