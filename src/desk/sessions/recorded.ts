/** The rules of what is recorded of a session: who speaks in it, what came of a tool or a turn, when its lease is renewed, when it is sealed. */
import type { Actor } from '../../core/task/actor.ts';
import { agentOf } from '../../core/task/agent-name.ts';
import type { Home } from '../../home/home.ts';
import type { SessionRecord } from '../../home/session-record.ts';
import type { SealJob } from '../../home/session-turn.ts';
import { startedBelow, startOf } from '../../process/process-tree.ts';
import { keepsSessions, toolsMany } from './keeping.ts';

/** A lease of a session is renewed when this much of it has passed; silence is believed for as long as `watch` does. */
const renewAfterMs = 5 * 60_000;
/** What `at` may be behind: writing a file at every call of a tool would be for nothing. */
const freshMs = 30_000;
/** What a program says of its session at a moment. */
export interface SaidOfSession {
  readonly runtime: SessionRecord['runtime'];
  readonly session: string;
  readonly folder: string;
  readonly transcript: string | null;
  /** Where the program names its process. */
  readonly pid: number | null;
}

/** How the session stands now. One that starts, or that was over, has a process of its own. */
export function recordOf(
  { runtime, session, folder, transcript, pid }: SaidOfSession,
  env: NodeJS.ProcessEnv,
  { before, isStart }: { readonly before: SessionRecord | null; readonly isStart: boolean },
): SessionRecord {
  const given = env['STAFFETTA_AS'];
  const agent = given === undefined || given === '' ? agentOf({ runtime, id: session }).name : given;
  const blank: SessionRecord = {
    v: 1,
    runtime,
    session,
    agent,
    host: null,
    folder,
    transcript,
    at: 0,
    turn: 'settled',
    leg: null,
    changed: false,
    news: false,
    lookedBytes: 0,
    greeted: null,
    ended: false,
  };
  const isNew = before === null || before.ended || isStart;
  return {
    ...blank,
    ...before,
    agent,
    transcript: transcript ?? before?.transcript ?? null,
    host: isNew ? hostOf(pid) : (before.host ?? null),
    at: Date.now(),
    ended: false,
    ...((env['STAFFETTA_LEG'] ?? '') === '' ? {} : { lent: true }),
  };
}

function hostOf(pid: number | null): SessionRecord['host'] {
  if (pid !== null) return { pid, started: startOf(pid) ?? null };
  const host = startedBelow();
  return host === undefined ? null : { pid: host.pid, started: host.started };
}

export function speakerOf({ agent, runtime, session }: SessionRecord): Actor {
  return { name: agent, kind: 'agent', runtime, session };
}

export function afterTool(
  record: SessionRecord,
  { changes, edits }: { readonly changes: boolean; readonly edits: boolean },
): SessionRecord {
  return {
    ...record,
    turn: 'open',
    news: true,
    changed: record.changed || changes,
    edited: record.edited === true || edits,
    tools: Math.min((record.tools ?? 0) + 1, toolsMany),
  };
}

/** Work that a session has given away or finished is kept with its task, and not again. */
export function afterLeg({ leg }: SessionRecord, next: SessionRecord): SessionRecord {
  if (leg === null || next.leg !== null) return next;
  return { ...next, last: leg.task, changed: false, edited: false, tools: 0 };
}

export function afterTurn(record: SessionRecord, ended: boolean): SessionRecord {
  return { ...record, turn: 'settled', ended };
}

/** Whether a session whose turn is over has anything that would be lost. */
export function isSealDue(
  record: SessionRecord,
  { home, env }: { readonly home: Home; readonly env: NodeJS.ProcessEnv },
): boolean {
  const { ended, changed, news, leg, unsure, tools = 0 } = record;
  if (leg === null && unsure !== true) return keepsSessions(env) && (changed || (ended && tools > 0));
  // With a store on another machine, what was said counts as well: this machine may be lost before the next turn is over.
  return ended || changed || (home.file === undefined && news);
}

export function sealJob(record: SessionRecord, trigger: 'planned' | 'context-limit'): SealJob {
  const { runtime, session, folder, transcript, ended } = record;
  return { kind: 'seal', runtime, session, folder, transcript, trigger, ended } as const;
}

export function isNews(before: SessionRecord | null, now: SessionRecord): boolean {
  if (before === null || now.at - before.at > freshMs) return true;
  return JSON.stringify({ ...before, at: 0 }) !== JSON.stringify({ ...now, at: 0 });
}

export function isRenewalDue({ leg }: SessionRecord): boolean {
  return leg !== null && Date.now() - leg.renewedAt >= renewAfterMs;
}
