/** What is done at each moment of a session. Small things at once; sealing and rescuing by a process of its own. */
import { rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileMark, type Home } from '../home/home.ts';
import type { Context } from '../handoff/record/context.ts';
import { pressureLevel, pressureLevels, pressureWords, roomShare } from '../core/resume/pressure.ts';
import {
  pruneRecords,
  readRecord,
  recordName,
  writeRecord,
  type SessionRecord,
} from '../home/session-record.ts';
import { commandWords } from '../compose/command-words.ts';
import { whyForeign } from '../home/foreign-store.ts';
import type { Located } from '../home/locate.ts';
import { hasNewNotes } from '../home/notes-memory.ts';
import { contextCharsMax, answerOf } from './answer.ts';
import { mayChange, speaksOfUs, writes, type HookEvent } from './event.ts';
import { keepsSessions } from '../desk/sessions/keeping.ts';
import {
  afterLeg,
  afterTool,
  afterTurn,
  isNews,
  isRenewalDue,
  isSealDue,
  recordOf,
  sealJob,
  speakerOf,
} from '../desk/sessions/recorded.ts';
import { readKept } from '../home/session-kept.ts';
import { markOnce } from '../home/once.ts';
import type { Job } from './start-work.ts';
import type { OpenedContext } from '../desk/context.ts';
import { leaveWord, type SealJob } from '../home/session-turn.ts';

export interface HookPlace {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  /** The file that this process was started with. */
  readonly entry: string;
  /** How the store was found. */
  readonly located: Located;
  readonly tell: (what: string) => void;
  /** Not beside the store, but where only this user writes. */
  readonly tellUser: (what: string) => void;
  /** Of the budget. */
  readonly leftMs: () => number;
}

/** A transcript that grew by less has not filled a window. */
const grownBytes = 32 * 1024;

/** What the host is to be told, in its own shape; empty for nothing. */
export async function atMoment(event: HookEvent, place: HookPlace): Promise<string> {
  const before = readRecord(place.home, event.runtime, event.session);
  const file = fileMark(place.home);
  if (event.moment === 'session-start' || before?.file !== file) {
    const why = whyForeign(place.located);
    if (why !== null) {
      place.tellUser(`${why}; the store is passed over`);
      return '';
    }
  }
  const isStart = event.moment === 'session-start';
  const record = { ...recordOf(event, place.env, { before, isStart }), file };
  await using once = new OpenedOnce(place, record.folder);
  return answerOf(event, await wordsAt(event, { ...place, context: once.context }, { before, record }));
}

/** The store, opened when something at this moment first needs it, and once for all that does. */
class OpenedOnce implements AsyncDisposable {
  readonly #open: () => Promise<OpenedContext>;
  #opened: Promise<OpenedContext> | undefined;

  constructor(place: HookPlace, folder: string) {
    this.#open = async () => await (await import('./store.ts')).openForHook(place, folder);
  }

  readonly context = async (): Promise<Context> => (await (this.#opened ??= this.#open())).context;

  async [Symbol.asyncDispose](): Promise<void> {
    // One that could not be opened has failed what needed it.
    await (await this.#opened?.catch(() => undefined))?.[Symbol.asyncDispose]();
  }
}

interface AtMoment extends HookPlace {
  readonly context: () => Promise<Context>;
}

interface Known {
  readonly before: SessionRecord | null;
  readonly record: SessionRecord;
}

async function wordsAt(event: HookEvent, place: AtMoment, known: Known): Promise<string> {
  const { record } = known;
  switch (event.moment) {
    case 'session-start':
      return await startSession(event, place, known);
    case 'prompt': {
      const opened = { ...record, turn: 'open', news: true } as const;
      // Some programs have no other moment at which they can be greeted.
      if (record.greeted === null) return await startSession(event, place, { ...known, record: opened });
      return await answerPrompt(event, place, opened);
    }
    case 'call':
      // Once a turn is enough.
      if (record.greeted !== null && known.before?.turn === 'open') return '';
      return await wordsAt({ ...event, moment: 'prompt' }, place, known);
    case 'tool':
      return await noteToolUse(event, place, known);
    case 'compaction': {
      writeRecord(place.home, record);
      const kept = keepsSessions(place.env) && (record.tools ?? 0) > 0;
      if (record.leg !== null || kept)
        await startSeal(place, sealJob(record, 'context-limit'), place.leftMs() - 500);
      return '';
    }
    case 'turn-end':
    case 'session-end':
      return await settleTurn(event, place, record);
    case 'subagent-end': {
      const kept = await renewLease(place, record);
      if (kept !== record) writeRecord(place.home, kept);
      return '';
    }
  }
}

/** Starting a process needs more of Node than most hooks load. */
async function startWork(place: HookPlace, job: Job, waitMs: number): Promise<boolean> {
  return await (await import('./start-work.ts')).startWork(place, job, waitMs);
}

async function startSeal(place: HookPlace, job: SealJob, waitMs: number): Promise<void> {
  leaveWord(place.home, job);
  await startWork(place, job, waitMs);
}

async function startSession(event: HookEvent, place: AtMoment, known: Known): Promise<string> {
  const { before } = known;
  let { record } = known;
  writeRecord(place.home, record);
  if (event.source === 'compact') forget(place, record);
  const { runtime, session, folder } = record;
  const rescue = { kind: 'rescue', runtime, session, folder } as const;
  if (event.source !== 'compact') {
    const inTime = await startWork(place, rescue, place.leftMs() - 1000);
    record = { ...record, changed: false, edited: false, tools: 0, lateBase: !inTime };
  }
  const { greet } = await import('./greet.ts');
  const { baselineNotes } = await import('../compose/watched-notes.ts');
  baselineNotes(place.home, folder);
  const words = { command: commandHere(place), charsMax: contextCharsMax };
  // What a session that goes on was told is in its history already, but for the task that it left when it seemed over.
  const { left } = readKept(place.home, runtime, session);
  const told = event.source === 'resume' ? (before?.greeted ?? []).filter((task) => task !== left) : [];
  const { text, tasks, leg } = await greet(await place.context(), speakerOf(record), {
    words,
    known: told,
    home: place.home,
  });
  writeRecord(place.home, { ...record, leg: leg ?? null, greeted: tasks });
  pruneRecords(place.home);
  return text;
}

async function answerPrompt(event: HookEvent, place: AtMoment, record: SessionRecord): Promise<string> {
  const { greet } = await import('./greet.ts');
  const words = { command: commandHere(place), charsMax: contextCharsMax - 500 };
  const known = record.greeted ?? [];
  const held = record.leg !== null;
  const found = await greet(await place.context(), speakerOf(record), { words, known, home: place.home });
  const next = {
    ...record,
    leg: found.leg ?? null,
    greeted: [...new Set([...known, ...found.tasks])].slice(-100),
  };
  const pressed = await pressure(event, place, next);
  writeRecord(place.home, pressed.record);
  // An agent that works on a task already is not told of others.
  return [held || found.leg !== null ? '' : found.text, pressed.text]
    .filter((text) => text !== '')
    .join('\n\n');
}

async function noteToolUse(event: HookEvent, place: AtMoment, { before, record }: Known): Promise<string> {
  let next = afterTool(record, { changes: mayChange(event), edits: writes(event) });
  let written = before;
  const keep = (now: SessionRecord): void => {
    if (isNews(written, now)) writeRecord(place.home, (written = now));
  };
  const asks = speaksOfUs(event);
  // The store may be busy for longer than a hook may take: what is known without it is written first.
  if (asks || isRenewalDue(next) || hasNewNotes(place.home, next.folder))
    keep(asks ? { ...next, unsure: true } : next);
  if (asks) next = afterLeg(record, { ...(await withLeg(place, next)), unsure: false });
  next = await renewLease(place, next);
  await takeNotes(place, next);
  const pressed = await pressure(event, place, next);
  keep(pressed.record);
  return pressed.text;
}

/** What an agent wrote into a file of notes belongs to the task that it holds. */
async function takeNotes(place: AtMoment, record: SessionRecord): Promise<void> {
  const { leg, folder } = record;
  if (leg === null || !hasNewNotes(place.home, folder)) return;
  const { takeWatchedNotes } = await import('../compose/watched-notes.ts');
  const by = speakerOf(record);
  await takeWatchedNotes(await place.context(), { home: place.home, folder, held: leg, by, final: false });
}

async function settleTurn(event: HookEvent, place: HookPlace, record: SessionRecord): Promise<string> {
  const next = afterTurn(record, event.moment === 'session-end');
  writeRecord(place.home, next);
  if (isSealDue(next, place)) await startSeal(place, sealJob(next, 'planned'), 0);
  return '';
}

async function withLeg(place: AtMoment, record: SessionRecord): Promise<SessionRecord> {
  const { legNow } = await import('./greet.ts');
  return { ...record, leg: await legNow(await place.context(), speakerOf(record)) };
}

async function renewLease(place: AtMoment, record: SessionRecord): Promise<SessionRecord> {
  const { leg } = record;
  if (leg === null || !isRenewalDue(record)) return record;
  const { renewLeg } = await import('./greet.ts');
  return { ...record, leg: await renewLeg(await place.context(), leg) };
}

/** Told once a level; anew when there was room in between. */
async function pressure(
  event: HookEvent,
  place: HookPlace,
  record: SessionRecord,
): Promise<{ readonly text: string; readonly record: SessionRecord }> {
  const none = { text: '', record };
  const bytes = sizeOf(event.transcript);
  if (event.window === null && bytes - record.lookedBytes < grownBytes && bytes >= record.lookedBytes)
    return none;
  const looked = { ...record, lookedBytes: bytes };
  const window = event.window ?? (await (await import('./window.ts')).windowOf(event));
  if (window === null) return { text: '', record: looked };
  const share = window.used / window.max;
  if (share < roomShare) forget(place, record);
  const level = pressureLevel(share);
  if (level === null || !markOnce(markPath(place, record, level))) return { text: '', record: looked };
  const { runtime, session, leg } = record;
  const text = pressureWords({
    level,
    ...window,
    task: leg?.task ?? null,
    session: `${runtime}:${session}`,
    command: commandHere(place),
  });
  return { text, record: looked };
}

function commandHere({ env, entry }: HookPlace): string {
  return commandWords({ env, launcher: join(dirname(entry), '..', '..', 'bin', 'staffetta.cjs') });
}

function forget(place: HookPlace, record: SessionRecord): void {
  for (const level of pressureLevels) rmSync(markPath(place, record, level), { force: true });
}

function markPath({ home }: HookPlace, { runtime, session }: SessionRecord, level: number): string {
  return join(
    home.hooks,
    recordName(runtime, session).replace(/^session-(.*)\.json$/, `told-${level * 100}-$1`),
  );
}

function sizeOf(path: string | null): number {
  return path === null ? 0 : (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
}
