/** One event of a coding agent, from its words to the end: it never fails, and never takes longer than its budget. */
import { writeSync } from 'node:fs';
import { homeOf, isThere, type Home } from '../home/home.ts';
import { defaultStore, type Located } from '../home/locate.ts';
import { eventOf, isRunByAnother, momentOf } from './event.ts';
import { logElsewhere, logLine } from '../home/log.ts';
import { readInput } from './input.ts';
import type { RuntimeName } from '../ports/runtime.ts';
import type { Moment } from '../runtimes/agent.ts';

/** How long a host may be kept waiting. A compaction takes a model's answer anyway, and is worth a seal before it. */
const budgetsMs: Readonly<Record<Moment, number>> = {
  'session-start': 2500,
  prompt: 2500,
  call: 2500,
  tool: 1500,
  compaction: 8000,
  'turn-end': 1500,
  'subagent-end': 1000,
  'session-end': 1500,
};

export interface HookWords {
  readonly runtime: string;
  /** The program's name for the event. */
  readonly name: string;
  /** The file that starts this again, for work in the background. */
  readonly entry: string;
}

/** Without `performance`, which is loaded when it is first named, and takes longer than most hooks have to do. */
function nowMs(): number {
  return process.uptime() * 1000;
}

/** True: nothing is left to be done. */
export async function runHook({ runtime, name, entry }: HookWords): Promise<boolean> {
  const started = nowMs();
  const isOff = process.env['STAFFETTA_HOOKS'] === 'off';
  // Looked for where there is something to tell: nearly never before the event says where it happened.
  let home: Home | undefined;
  // Without a store there is nowhere to tell it.
  const tell = (what: string): void => {
    home ??= isOff ? undefined : homeHere();
    if (home !== undefined) logLine(home, `${runtime} ${name}: ${what}`);
  };
  const leave = (what: string): void => {
    tell(what);
    process.exit(0);
  };
  process.on('uncaughtException', (error) => leave(wordsOf(error)));
  process.exitCode = 0;
  try {
    const moment = momentOf(runtime, name);
    const ms = Number(process.env['STAFFETTA_HOOK_MS']) || budgetsMs[moment ?? 'tool'];
    const timer = setTimeout(() => leave(`stopped after ${ms} ms, its budget`), ms);
    timer.unref();
    // Read to its end in any case: a host that cannot get rid of its event may take that for a failure.
    const input = await readInput(process.stdin);
    if (isOff || isRunByAnother(runtime, process.env)) return true;
    const here = { cwd: process.cwd(), env: process.env };
    const event = typeof input === 'string' ? understood(input, { runtime, name, moment }, here) : input.why;
    if (typeof event === 'string') {
      tell(event);
      return true;
    }
    const located = defaultStore(event.folder, process.env);
    const there = homeThere(located);
    if (there === undefined) return true;
    home = there;
    const { atMoment } = await import('./moment.ts');
    const leftMs = (): number => ms - (nowMs() - started);
    const tellUser = (what: string): void => logElsewhere(`${runtime} ${name}: ${what}`);
    const said = await atMoment(event, {
      home: there,
      located,
      env: process.env,
      entry,
      tell,
      tellUser,
      leftMs,
    });
    return said === '' || say(said);
  } catch (error) {
    tell(wordsOf(error));
    return true;
  }
}

/** For what went wrong before there was an event. */
export function tellLog(what: string): void {
  const home = homeHere();
  if (home === undefined) logElsewhere(what);
  else logLine(home, what);
}

/** Without a stream, which would take longer than all else. It is less than a pipe holds. False: a stream goes on with it. */
function say(text: string): boolean {
  try {
    writeSync(1, text);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    process.stdout.on('error', () => undefined);
    process.stdout.write(text);
    return false;
  }
}

function understood(
  input: string,
  { runtime, name, moment }: Pick<HookWords, 'runtime' | 'name'> & { readonly moment: Moment | undefined },
  here: Parameters<typeof eventOf>[2],
): ReturnType<typeof eventOf> {
  if (moment === undefined) return 'there is no such event; nothing was done';
  const event = eventOf(input, { runtime: runtime as RuntimeName, name, moment }, here);
  return typeof event === 'string' ? `${event}; nothing was done` : event;
}

/** Of the store that would be used from here, if there is one. */
function homeHere(): Home | undefined {
  try {
    return homeThere(defaultStore(process.cwd(), process.env));
  } catch {
    return undefined;
  }
}

function homeThere({ store }: Located): Home | undefined {
  const home = homeOf(store);
  return isThere(home) ? home : undefined;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
