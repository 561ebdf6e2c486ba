/** Sessions that are over without having said so: their program is gone, or whoever sealed their end is. */
import { dirname } from 'node:path';
import { worktreeRoot } from '../home/locate.ts';
import { allRecords, isHostGone, writeRecord, type SessionRecord } from '../home/session-record.ts';
import type { Context } from '../handoff/record/context.ts';
import { logLine } from './log.ts';
import { sealInTurn } from './seal.ts';
import type { OfSession } from './start-work.ts';
import { open } from './store.ts';
import { isUnderWay, leaveWord } from './turn.ts';

const sinceMs = 24 * 60 * 60_000;
const sealsMax = 5;
/** A seal that another process has begun is waited for: what it seals is to be told. */
const sealMsMax = 5000;

interface Place {
  readonly store: string;
  readonly env: NodeJS.ProcessEnv;
}

function recentRecords(store: string): SessionRecord[] {
  const since = Date.now() - sinceMs;
  return allRecords(store).filter(({ at }) => at >= since);
}

/** In the middle of a turn. */
export function isDead(record: SessionRecord): boolean {
  return !record.ended && record.turn === 'open' && isHostGone(record);
}

/** Between two turns, with something that it would leave. */
function isGone(record: SessionRecord): boolean {
  const { ended, turn, leg, tools = 0, unsure = false } = record;
  return !ended && turn === 'settled' && (leg !== null || unsure || tools > 0) && isHostGone(record);
}

export function goneSessions(store: string): SessionRecord[] {
  return recentRecords(store).filter(isGone);
}

/**
 * Sessions whose program is gone between two turns ended there, though no hook heard of it. Those that just end are waited for, and where
 * nobody sees to their end it is done here.
 */
export async function settleGone(context: Context, place: Place, job: OfSession): Promise<void> {
  const { store } = place;
  const others = recentRecords(store).filter(
    ({ runtime, session }) => runtime !== job.runtime || session !== job.session,
  );
  const gone = others.filter(isGone).slice(0, sealsMax);
  for (const record of gone) {
    writeRecord(store, { ...record, ended: true });
    const { runtime, session, folder, transcript } = record;
    const seal = { kind: 'seal', trigger: 'planned', ended: true, gone: true } as const;
    leaveWord(store, { ...seal, runtime, session, folder, transcript });
    await sealOther(context, place, { job, record });
  }
  const until = Date.now() + sealMsMax;
  // What a process that is still at work has taken up is waited for too.
  const ending = [...gone, ...others.filter(({ ended }) => ended)];
  while (Date.now() < until && ending.some((record) => isUnderWay(store, record)))
    await new Promise((resolve) => setTimeout(resolve, 20));
  for (const record of ending.filter((each) => isUnderWay(store, each)).slice(0, sealsMax))
    await sealOther(context, place, { job, record });
}

/** It may have worked in another worktree. */
async function sealOther(
  context: Context,
  place: Place,
  { job, record }: { readonly job: OfSession; readonly record: SessionRecord },
): Promise<void> {
  const { runtime, session, folder } = record;
  try {
    await using own = worktreeRoot(folder) === worktreeRoot(job.folder) ? null : await open(place, folder);
    await sealInTurn(own?.context ?? context, place, { runtime, session, folder });
  } catch (error) {
    // One that cannot be read keeps nobody from hearing of the others.
    const why = error instanceof Error ? error.message : String(error);
    logLine(dirname(place.store), `work: ${runtime}:${session}: ${why}`);
  }
}
