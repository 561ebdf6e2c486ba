/**
 * Whether a process is at work on a session. The program keeps neither a lock nor a process id, and writes a call of a tool only once
 * it has its result: a session that was killed in the middle of a call reads as one whose turn is over. Two things outside of
 * its sessions tell more:
 *
 *   processes   of the program, by their arguments, with the folder they work in and their start (Linux only). A session is alive
 *               if such a process works in its folder and was there when the session last changed. The newest sessions are taken
 *               first, one for each process
 *   shells      `gemini-shell-XXXXXX` in the temporary folder: made when a command of the model begins, and removed when it has
 *               ended. One that is there without a process was left by a killed one. It does not name its session: it is
 *               that of the one that changed last before it, and shortly before
 *
 * Without either nothing is said: a call of another tool than the shell leaves no trace.
 */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { bootTime, processFactsOf, folderOfProcess, readProc } from '../process-files.ts';

export interface GeminiProcess {
  readonly pid: number;
  readonly folder: string | null;
  readonly startedAt: number | null;
}

export interface Signs {
  /** Null where the system does not tell. */
  readonly processes: readonly GeminiProcess[] | null;
  /** When each command began that was not seen to end. */
  readonly shells: readonly number[];
}

export interface Life {
  readonly liveness: 'alive' | 'dead';
  readonly pid: number | null;
}

export interface TouchedFile {
  readonly path: string;
  readonly folder: string | null;
  readonly changedAt: number;
}

/** Process start is known to the second. */
const startSlackMs = 2000;
/** Files and folders are stamped by a clock that runs in steps. */
const stampSlackMs = 100;
/** A command begins as soon as it may; a person who is asked first takes longer, and is not waited for. */
const shellMsMax = 30_000;

export type Env = Readonly<Record<string, string | undefined>>;

export function signsOf(env: Env, proc = '/proc'): Signs {
  return { processes: processesIn(proc), shells: shellsIn(tmpOf(env)) };
}

/** As Node finds it for the program. */
function tmpOf(env: Env): string {
  const given = ['TMPDIR', 'TMP', 'TEMP'].map((name) => env[name] ?? '').find((path) => path !== '');
  return given ?? '/tmp';
}

/** The newest sessions first; `all` are those of every folder, asked for only where they are needed. */
export function livesOf<T extends TouchedFile>(
  sessions: readonly T[],
  all: () => readonly T[],
  { processes, shells }: Signs,
): ReadonlyMap<string, Life> {
  const lives = new Map<string, Life>();
  if (processes === null) return lives;
  const free = new Set(processes);
  for (const { path, folder, changedAt } of free.size === 0 ? [] : sessions) {
    const names = folder === null ? [] : namesOf(folder);
    const holder = [...free].find(
      (one) => names.includes(one.folder ?? '') && (one.startedAt ?? 0) <= changedAt + startSlackMs,
    );
    if (holder === undefined) continue;
    free.delete(holder);
    lives.set(path, { liveness: 'alive', pid: holder.pid });
  }
  const known = shells.length === 0 ? [] : all();
  for (const begun of shells) {
    const left = lastBefore(known, begun);
    if (left === undefined || lives.has(left.path)) continue;
    // A process that runs there may be at work on it, also where another session changed later.
    const names = left.folder === null ? [] : namesOf(left.folder);
    if (!processes.some(({ folder }) => folder === null || names.includes(folder)))
      lives.set(left.path, { liveness: 'dead', pid: null });
  }
  return lives;
}

function lastBefore<T extends TouchedFile>(sessions: readonly T[], at: number): T | undefined {
  return sessions
    .filter(({ changedAt }) => changedAt <= at + stampSlackMs && at - changedAt <= shellMsMax)
    .toSorted((a, b) => b.changedAt - a.changedAt)[0];
}

function namesOf(folder: string): string[] {
  try {
    return [folder, realpathSync(folder)];
  } catch {
    return [folder];
  }
}

function shellsIn(folder: string): number[] {
  return entriesIn(folder)
    .filter((name) => /^gemini-shell-[A-Za-z0-9]{6}$/.test(name))
    .flatMap((name) => {
      const stat = statSync(join(folder, name), { throwIfNoEntry: false });
      return stat === undefined || !isOwn(stat.uid) ? [] : [stat.birthtimeMs];
    });
}

function isOwn(uid: number): boolean {
  return process.getuid === undefined || process.getuid() === uid;
}

/** The program starts itself a second time, in the same folder: a process below another of the program is that one. */
function processesIn(proc: string): GeminiProcess[] | null {
  const bootedAt = bootTime(readProc(`${proc}/stat`));
  if (bootedAt === null) return null;
  const found = entriesIn(proc)
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => isProgram(readProc(`${proc}/${name}/cmdline`) ?? ''))
    .map(Number);
  return found.flatMap((pid) => {
    const { parent, startedAt } = processFactsOf(pid, proc, bootedAt);
    if (parent !== null && found.includes(parent)) return [];
    return [{ pid, folder: folderOfProcess(pid, proc), startedAt }];
  });
}

/** `node …/bin/gemini …`: the interpreter, options of its own, and the program. */
function isProgram(cmdline: string): boolean {
  const [first = '', ...rest] = cmdline.split('\0');
  if (basename(first) === 'gemini') return true;
  if (!/^(node|bun)\d*$/.test(basename(first))) return false;
  const script = rest.find((argument) => !argument.startsWith('-'));
  return script !== undefined && /(^|\/)(gemini|gemini-cli\/bundle\/gemini\.js)$/.test(script);
}

function entriesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
