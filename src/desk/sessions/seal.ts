/**
 * Seals a session: into the task that it holds, else into one that is drafted from the session itself. When the session is over, what it
 * holds is put on offer, so that the next session hears of it.
 */
import type { Home } from '../../home/home.ts';
import { hasNewNotes } from '../../home/notes-memory.ts';
import { worktreeRoot } from '../../home/locate.ts';
import { dropLock, takeLock } from '../../process/owned-lock.ts';
import { loadRuntimes } from '../../compose/runtimes.ts';
import { readRecord, writeRecord, type SessionRecord } from '../../home/session-record.ts';
import { namedInNotes, takeWatchedNotes } from '../../compose/watched-notes.ts';
import type { Actor } from '../../core/task/actor.ts';
import { agentOf } from '../../core/task/agent-name.ts';
import { isStaffettaError } from '../../core/base/error.ts';
import { limits } from '../../core/base/limits.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { Context } from '../../handoff/record/context.ts';
import { legOfSession, legsOfSession, waitingFor } from '../../handoff/views/greet.ts';
import { keepSession } from '../../handoff/sessions/keep-session.ts';
import { leave } from '../../handoff/verbs/leave.ts';
import { load } from '../../handoff/record/load.ts';
import { isUnchanged, sealHeldSession } from '../../handoff/sessions/seal-held.ts';
import { accept } from '../../handoff/verbs/take.ts';
import { keep, readKept } from '../../home/session-kept.ts';
import { keepsSessions, toolsMany } from './keeping.ts';
import { logLine } from '../../home/log.ts';
import { prepareGreeting } from './prepare.ts';
import { lockOf, takeUp, wordLeft, type OfSession, type SealJob } from '../../home/session-turn.ts';

/** The store that sessions are kept in, and the environment of the program that keeps them. */
export interface KeptAt {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
}

/** A hook that comes meanwhile has left word, and the process at work goes on with that. */
export async function sealInTurn(context: Context, place: KeptAt, session: OfSession): Promise<void> {
  const { home } = place;
  const lock = lockOf(home, session);
  while (wordLeft(home, session) !== null) {
    const taken = takeLock(lock);
    if (taken === 'busy') return;
    try {
      if (taken === 'broken')
        logLine(
          home,
          `work: a process that sealed ${session.runtime}:${session.session} was ended; it is done again`,
        );
      const job = wordLeft(home, session);
      takeUp(home, session);
      if (job !== null) await sealNow(context, place, job);
    } finally {
      dropLock(lock);
    }
  }
}

async function sealNow(context: Context, place: KeptAt, job: SealJob): Promise<void> {
  const { home } = place;
  const { runtime, session, ended } = job;
  const record = readRecord(home, runtime, session);
  const by = { ...agentOf({ runtime, id: session }), ...(record === null ? {} : { name: record.agent }) };
  let sealed: TaskId | null = null;
  try {
    sealed = await sealOnce(context, place, { job, record, by });
  } finally {
    if (ended && record?.lent !== true) await leaveAll(context, home, job, by);
  }
  if (sealed !== null) await prepareGreeting(context, place, { task: sealed, target: runtime });
  const now = readRecord(home, runtime, session);
  if (now === null) return;
  const held = await legOfSession(context, by);
  const leg =
    held === null
      ? null
      : {
          task: held.task,
          generation: held.generation,
          leaseMs: held.leaseMs,
          renewedAt: now.leg?.task === held.task ? now.leg.renewedAt : context.clock.now(),
        };
  writeRecord(home, {
    ...now,
    leg,
    unsure: false,
    changed: false,
    edited: false,
    ...(sealed === null ? {} : { news: false, last: sealed }),
  });
}

interface Sealing {
  readonly job: SealJob;
  readonly record: SessionRecord | null;
  readonly by: Actor;
}

/** The task whose packet was sealed; null where nothing had to be. */
async function sealOnce(context: Context, place: KeptAt, sealing: Sealing): Promise<TaskId | null> {
  const { job, record, by } = sealing;
  const { home } = place;
  const { runtime, session, folder, ended, trigger } = job;
  const held = (await legOfSession(context, by)) ?? (await takeByNotes(context, home, sealing));
  const isOwn = held === null || (await isDrafted(context, home, job, held.task));
  if (ended && held !== null && record !== null && !record.news) return null;
  if (isOwn) return await keepOwn(context, place, { ...sealing, held: held?.task ?? null });
  const sealed = await sealHeldSession(context, await loadRuntimes(place.env), {
    by,
    runtime,
    session,
    path: job.transcript,
    folder: worktreeRoot(folder),
    worksIn: folder,
    trigger,
    // What only was said is sealed at the end, unless that would be lost with this machine.
    unlessUnchanged: !ended && trigger === 'planned' && home.file !== undefined,
    before: async (leg) => {
      await takeWatchedNotes(context, { home, folder, held: leg, by: leg.holder, final: true });
    },
  });
  return sealed === 'sealed' ? held.task : null;
}

/** Words that were drafted are drafted anew; what an agent itself has sealed stays said. */
async function isDrafted(context: Context, home: Home, job: SealJob, task: TaskId): Promise<boolean> {
  const { drafted } = readKept(home, job.runtime, job.session);
  return drafted !== null && (await load(context, task)).state.packet === drafted;
}

/** An agent that can only write files takes a task by naming it in its notes. */
async function takeByNotes(
  context: Context,
  home: Home,
  { job, by }: Sealing,
): Promise<{ readonly task: TaskId } | null> {
  const named = namedInNotes(home, job.folder);
  if (named.size === 0) return null;
  const waiting = await waitingFor(context, by);
  const one = waiting.find(({ task, standing }) => standing === 'offered' && named.has(task));
  if (one === undefined) return null;
  await accept(context, one.task, { leaseMs: limits.sessionLeaseMs }, { by });
  return { task: one.task };
}

async function keepOwn(
  context: Context,
  place: KeptAt,
  { job, record, held }: Sealing & { readonly held: TaskId | null },
): Promise<TaskId | null> {
  const { home, env } = place;
  const { runtime, session, folder, trigger } = job;
  if (!keepsSessions(env) || record?.lent === true) return null;
  if (!(await isWorthIt(context, home, { job, record, held }))) return null;
  const kept = await keepSession(context, await loadRuntimes(env), {
    runtime,
    session,
    path: job.transcript,
    folder: worktreeRoot(folder),
    trigger,
    before: async (leg) => {
      await takeWatchedNotes(context, { home, folder, held: leg, by: leg.by, final: true });
    },
  });
  if (kept.outcome !== 'kept') return null;
  keep(home, job, { base: kept.workspace, drafted: kept.packet, left: null });
  return kept.task;
}

/** Whether there is anything that the next agent would miss. */
async function isWorthIt(
  context: Context,
  home: Home,
  { job, record, held }: { job: SealJob; record: SessionRecord | null; held: TaskId | null },
): Promise<boolean> {
  if (job.trigger === 'context-limit') return true;
  if (job.ended && held !== null) return true;
  if (job.ended && (record?.tools ?? 0) >= toolsMany) return true;
  if (record?.edited === true || hasNewNotes(home, job.folder)) return true;
  if (record?.changed === false) return false;
  const { base } = readKept(home, job.runtime, job.session);
  const last = record?.last === undefined ? null : await sealedWorkspace(context, record.last);
  if (last === null && (base === null || record?.lateBase === true)) return true;
  for (const known of [base, last]) if (await isUnchanged(context, known)) return false;
  return true;
}

async function sealedWorkspace(context: Context, task: TaskId) {
  try {
    return (await load(context, task)).state.sealed?.workspace ?? null;
  } catch (error) {
    if (isStaffettaError(error, 'unknown-task')) return null;
    throw error;
  }
}

async function leaveAll(context: Context, home: Home, job: SealJob, by: Actor): Promise<void> {
  for (const leg of await legsOfSession(context, by)) {
    const { state } = await leave(context, leg, {
      to: 'anyone',
      trigger: 'user',
      why: job.gone === true ? 'Its program is gone.' : 'The session ended.',
    });
    keep(home, job, { left: state.task });
  }
}
