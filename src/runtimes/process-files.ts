/** What the kernel tells of processes in /proc. Where there is none (other systems than Linux), nothing can be said. */
import { readFileSync, readlinkSync } from 'node:fs';

export function readProc(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** The folder that a process works in; null where it may not be looked at, or is gone. */
export function folderOfProcess(pid: number, proc: string): string | null {
  try {
    return readlinkSync(`${proc}/${pid}/cwd`);
  } catch {
    return null;
  }
}

/** When the machine was started, by the text of /proc/stat. */
export function bootTime(stat: string | null): number | null {
  const match = /^btime (\d+)$/m.exec(stat ?? '');
  return match === null ? null : Number(match[1]) * 1000;
}

export interface ProcessFacts {
  readonly parent: number | null;
  /** To the second. */
  readonly startedAt: number | null;
}

/** Fields 4 and 22; a start is in hundredths of a second since that of the machine. The name before them may hold anything. */
export function processFactsOf(pid: number, proc: string, bootedAt: number | null): ProcessFacts {
  const stat = readProc(`${proc}/${pid}/stat`) ?? '';
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [parent, ticks] = [Number(fields[1]), Number(fields[19])];
  return {
    parent: Number.isSafeInteger(parent) ? parent : null,
    startedAt: bootedAt === null || !Number.isFinite(ticks) ? null : bootedAt + ticks * 10,
  };
}
