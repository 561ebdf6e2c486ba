/**
 * Programs that a command of ours starts and waits for: agents, and the commands of contracts. While one runs there is a file
 * `<mark>.json` in the store's folder of runs that says who started it; every process of it has the mark in its environment. A killed
 * command leaves the file, and by both the next command finds what goes on. The mark alone does it: an agent at a terminal must stay
 * in the foreground's process group, or it could not read from it.
 *
 * Where the system shows no environments (anything but Linux) only the first process is known, by its number. It is named and
 * never ended, since the number may be another's by now.
 */
import { readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { StaffettaError } from '../core/base/error.ts';
import { isTaskId } from '../core/journal/id.ts';
import { limits } from '../core/base/limits.ts';
import { sanitizeLine } from '../core/base/sanitize.ts';
import { markName, type NotedRun, type Orphan, type Orphans } from '../ports/orphans.ts';
import { endStrays, straysWith } from './strays.ts';
import { isOver, startOf } from './process-tree.ts';
import { writePrivate } from './private-file.ts';

interface ProcessId {
  readonly pid: number;
  readonly started: string | null;
}

interface RunRecord {
  readonly v: 1;
  readonly what: string;
  readonly folder: string;
  readonly leg: Orphan['leg'];
  readonly launcher: ProcessId;
  readonly program: ProcessId | null;
}

export type NewRun = Pick<Orphan, 'what' | 'folder' | 'leg'>;

const whatMax = 200;

/** The mark is a UUID that nobody had before. Called before the program is started: what is killed in between leaves nothing that is not known. */
export function noteRun(folder: string | undefined, run: NewRun, mark: string): NotedRun {
  const path = folder === undefined ? undefined : join(folder, `${mark}.json`);
  const write = (program: ProcessId | null): void => {
    if (path === undefined) return;
    const what = run.what.slice(0, whatMax);
    const record: RunRecord = { v: 1, ...run, what, launcher: processId(process.pid), program };
    writePrivate(path, JSON.stringify(record));
  };
  begin(() => write(null));
  return {
    began(pid) {
      // It runs by now, and is known by its mark; the next command that looks for it removes what is left of the file.
      if (pid !== undefined) quietly(() => write(processId(pid)));
    },
    ended() {
      if (path !== undefined) quietly(() => rmSync(path, { force: true }));
    },
  };
}

/** What nobody could find again is not started. */
function begin(note: () => void): void {
  try {
    note();
  } catch (cause) {
    throw new StaffettaError('store-io', 'What is about to run cannot be noted beside the store.', {
      cause,
      hint: 'See whether the disk of the store is full or cannot be written.',
    });
  }
}

function quietly(act: () => void): void {
  try {
    act();
  } catch {
    // Said above.
  }
}

function processId(pid: number): ProcessId {
  return { pid, started: startOf(pid) ?? null };
}

/** `runs` is where they are noted; undefined where nobody notes any. */
export function orphansOf(runs: string | undefined, folder: string): Orphans {
  const own = process.env[markName];
  const here = realFolder(folder);
  return {
    find: () => (runs === undefined ? [] : found(runs, own)),
    isHere: (orphan) => isWithin(here, orphan.folder) || isWithin(orphan.folder, here),
    async end({ mark }) {
      const { left } = await endStrays({ mark }, limits.runGraceMs);
      if (!left && runs !== undefined && process.platform === 'linux')
        rmSync(join(runs, `${mark}.json`), { force: true });
    },
  };
}

/** Processes of any run that works in a folder or below it, by any starter and whether that is over or not. */
export function livingIn(runs: string | undefined, folder: string): number[] {
  if (runs === undefined) return [];
  const here = realFolder(folder);
  return runsIn(runs).flatMap((name) => {
    const record = parsed(join(runs, name));
    if (record === undefined || !isWithin(here, realFolder(record.folder))) return [];
    return running(name.slice(0, -'.json'.length), record);
  });
}

function found(folder: string, own: string | undefined): Orphan[] {
  return runsIn(folder).flatMap((name) => {
    const mark = name.slice(0, -'.json'.length);
    const record = parsed(join(folder, name));
    if (mark === own || record === undefined || !isOver(record.launcher)) return [];
    const pids = running(mark, record);
    if (pids.length > 0) return [{ ...record, mark, what: sanitizeLine(record.what), pids }];
    rmSync(join(folder, name), { force: true });
    return [];
  });
}

/** Named by marks that we made, and nothing else. */
const runFile = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.json$/;

function runsIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => runFile.test(name));
  } catch {
    return [];
  }
}

function running(mark: string, { program }: RunRecord): readonly number[] {
  if (process.platform === 'linux') return straysWith({ mark });
  return program === null || isOver(program) ? [] : [program.pid];
}

function parsed(path: string): RunRecord | undefined {
  try {
    const record = JSON.parse(readFileSync(path, 'utf8')) as RunRecord;
    const { v, what, folder, leg, launcher } = record;
    const isOurs =
      v === 1 &&
      typeof what === 'string' &&
      typeof folder === 'string' &&
      Number.isSafeInteger(launcher.pid) &&
      (leg === null || (isTaskId(leg.task) && Number.isSafeInteger(leg.generation)));
    return isOurs ? record : undefined;
  } catch {
    return undefined;
  }
}

function isWithin(outer: string, path: string): boolean {
  const way = relative(outer, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
