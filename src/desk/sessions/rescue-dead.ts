/** At the start of a session: those before it that died are rescued, and what waits for this one is made ready. */
import type { Home } from '../../home/home.ts';
import { loadRuntimes } from '../../compose/runtimes.ts';
import { agentOf } from '../../core/task/agent-name.ts';
import type { Context } from '../../handoff/record/context.ts';
import { rescue } from '../../handoff/sessions/rescue.ts';
import { leave } from '../../handoff/verbs/leave.ts';
import { recover } from '../../handoff/verbs/recover.ts';
import { legsOfSession, waitingFor } from '../../handoff/views/greet.ts';
import { worktreeRoot } from '../../home/locate.ts';
import { logLine } from '../../home/log.ts';
import { LookedSessions } from '../../home/looked.ts';
import { keep } from '../../home/session-kept.ts';
import { allRecords, toldByHooks, writeRecord } from '../../home/session-record.ts';
import type { OfSession } from '../../home/session-turn.ts';
import type { SessionCard } from '../../ports/runtime.ts';
import { isDead, settleGone } from './gone.ts';
import { prepareGreeting } from './prepare.ts';
import type { KeptAt } from './seal.ts';

/** Of the sessions that changed within a day, so many are read at a start. */
const readMax = 5;
const sinceMs = 24 * 60 * 60_000;
const silentMs = 10 * 60_000;

interface Start extends OfSession {
  /** Called when what can be told to the session is ready. */
  readonly done: () => void;
}

export async function rescueDead(context: Context, place: KeptAt, job: Start): Promise<void> {
  const { home, env } = place;
  const now = Date.now();
  const base = lookAtStart(context, home, job);
  await settleGone(context, place, job);
  const looked = new LookedSessions(home);
  const records = allRecords(home);
  const byHooks = toldByHooks(records);
  const known = (card: SessionCard): SessionCard | null => {
    if (card.runtime === job.runtime && card.id === job.session) return null;
    const told = byHooks(card);
    return told === null || looked.has(told) ? null : told;
  };
  const { rescued } = await rescue(async () => await Promise.resolve(context), await loadRuntimes(env), {
    folder: worktreeRoot(job.folder),
    since: now - sinceMs,
    silentSince: now - silentMs,
    to: 'anyone',
    readMax,
    known: (card) => {
      const told = known(card);
      if (told !== null && (told.liveness !== 'unknown' || told.updatedAt <= now - silentMs))
        looked.add(told);
      return told;
    },
  });
  looked.save();
  for (const record of records) {
    if ((record.leg === null && record.unsure !== true) || !isDead(record)) continue;
    writeRecord(home, { ...record, leg: null, unsure: false });
    const by = { ...agentOf({ runtime: record.runtime, id: record.session }), name: record.agent };
    for (const leg of record.lent === true ? [] : await legsOfSession(context, by))
      await leave(context, leg, { to: 'anyone', trigger: 'crash', why: 'Its program is gone.' });
  }
  for (const { session, outcome, why } of rescued) {
    if (outcome === 'refused' || outcome === 'unreadable')
      logLine(home, `rescue of ${session.runtime}:${session.id}: ${why}`);
  }
  const [one, ...others] = await waitingFor(context, agentOf({ runtime: job.runtime, id: job.session }));
  if (one !== undefined && others.length === 0)
    await prepareGreeting(context, place, { task: one.task, target: job.runtime });
  await base;
  job.done();
  await recover(context, {});
}

/** How the workspace is when a session starts: by that it is known at the end whether it changed anything. */
async function lookAtStart(context: Context, home: Home, job: OfSession): Promise<void> {
  try {
    const workspace = await context.workspace?.();
    keep(home, job, { base: workspace === undefined ? null : (await workspace.probe()).digest });
  } catch (error) {
    logLine(home, `work: ${error instanceof Error ? error.message : String(error)}`);
  }
}
