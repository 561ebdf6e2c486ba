/** Sessions that are over without having said so: their program is gone, or the process that sealed their end is. */
import type { Home } from '../../home/home.ts';
import { worktreeRoot } from '../../home/locate.ts';
import { allRecords, isHostGone, writeRecord, type SessionRecord } from '../../home/session-record.ts';
import type { Context } from '../../handoff/record/context.ts';
import { logLine } from '../../home/log.ts';
import { sealInTurn, type KeptAt } from './seal.ts';
import { openContext } from '../context.ts';
import { isUnderWay, leaveWord, type OfSession } from '../../home/session-turn.ts';

const sinceMs = 24 * 60 * 60_000;
const sealsMax = 5;
/** A seal that another process has begun is waited for: what it seals is to be told. */
const sealMsMax = 5000;
/** How long the store of another worktree may be busy. */
const busyMs = 400;

function recentRecords(home: Home): SessionRecord[] {
  const since = Date.now() - sinceMs;
  return allRecords(home).filter(({ at }) => at >= since);
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

export function goneSessions(home: Home): SessionRecord[] {
  return recentRecords(home).filter(isGone);
}

/**
 * Sessions whose program is gone between two turns ended there, though no hook heard of it. Those that just end are waited for, and where
 * nobody sees to their end it is done here.
 */
export async function settleGone(context: Context, place: KeptAt, self?: OfSession): Promise<void> {
  const { home } = place;
  const others = recentRecords(home).filter(
    ({ runtime, session }) => runtime !== self?.runtime || session !== self.session,
  );
  const gone = others.filter(isGone).slice(0, sealsMax);
  for (const record of gone) {
    writeRecord(home, { ...record, ended: true });
    const { runtime, session, folder, transcript } = record;
    const seal = { kind: 'seal', trigger: 'planned', ended: true, gone: true } as const;
    leaveWord(home, { ...seal, runtime, session, folder, transcript });
    await sealOther(context, place, record);
  }
  const until = Date.now() + sealMsMax;
  // What a process that is still at work has taken up is waited for too.
  const ending = [...gone, ...others.filter(({ ended }) => ended)];
  while (Date.now() < until && ending.some((record) => isUnderWay(home, record)))
    await new Promise((resolve) => setTimeout(resolve, 20));
  for (const record of ending.filter((each) => isUnderWay(home, each)).slice(0, sealsMax))
    await sealOther(context, place, record);
}

/** It may have worked in another worktree. */
async function sealOther(context: Context, place: KeptAt, record: SessionRecord): Promise<void> {
  const { runtime, session, folder } = record;
  const { home, env } = place;
  try {
    const isHere = (await context.workspace?.())?.root === worktreeRoot(folder);
    await using own = isHere ? null : await openContext(home.store, { folder, env, busyMs });
    await sealInTurn(own?.context ?? context, place, { runtime, session, folder });
  } catch (error) {
    // One that cannot be read keeps nobody from hearing of the others.
    const why = error instanceof Error ? error.message : String(error);
    logLine(place.home, `work: ${runtime}:${session}: ${why}`);
  }
}
