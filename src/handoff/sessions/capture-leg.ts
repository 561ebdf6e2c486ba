/**
 * When a program that was started for a task has ended: the session that came of it is captured into a checkpoint, if the leg still
 * stands. The agent that worked there may have handed the task on, and then there is nothing to add.
 */
import { defined } from '../../core/base/defined.ts';
import type { Actor } from '../../core/task/actor.ts';
import { isStaffettaError } from '../../core/base/error.ts';
import type { Trigger } from '../../core/journal/event.ts';
import { limits } from '../../core/base/limits.ts';
import { lossReportWords, type LossReport } from '../../core/resume/loss-report.ts';
import { cut, titleFrom } from '../../core/base/text.ts';
import type { Claims } from '../../core/packet/packet.ts';
import { legBegan } from '../../core/task/lease.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { Condition } from '../../core/transcript/condition.ts';
import type { Runtime, SessionCard } from '../../ports/runtime.ts';
import type { Held } from '../verbs/carry.ts';
import type { Context } from '../record/context.ts';
import { draftClaims } from '../../core/reasoning/draft.ts';
import { checkpoint } from '../verbs/finish.ts';
import { checkpointSession, withProgress } from './from-session.ts';
import { readCheckedPacket } from '../history/history.ts';
import { load } from '../record/load.ts';
import { sessionCardOf } from './resumability.ts';
import type { SealedRecord } from '../sealing/sealing.ts';
import { lookAtSession } from './session-look.ts';

/** Ids of the sessions that a folder has: taken before a program starts, it tells which one is new afterwards. */
export async function sessionsThere(runtime: Runtime, folder: string): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const { id } of runtime.sessions({ folder })) ids.add(id);
  return ids;
}

export interface EndedRun {
  readonly runtime: Runtime;
  /** All that are known, for reading what the task was done in before. */
  readonly runtimes: readonly Runtime[];
  readonly folder: string;
  /** The session it was to work in; null where the program chose. */
  readonly session: string | null;
  readonly before: ReadonlySet<string>;
  readonly by: Actor;
  readonly trigger: Trigger;
  readonly losses: LossReport;
}

export type CapturedLeg =
  | {
      readonly outcome: 'captured';
      readonly session: SessionCard;
      readonly stopped: Condition['stopped'];
      readonly sealed: SealedRecord;
    }
  /** The leg is over: by the agent that worked there, or by the clock. */
  | { readonly outcome: 'leg-over'; readonly state: TaskState }
  | { readonly outcome: 'no-session' }
  | { readonly outcome: 'several'; readonly sessions: readonly SessionCard[] }
  | { readonly outcome: 'refused'; readonly session: SessionCard; readonly why: string };

export async function captureLeg(context: Context, held: Held, run: EndedRun): Promise<CapturedLeg> {
  const { state } = await load(context, held.task);
  if (state.leg?.generation !== held.generation) return { outcome: 'leg-over', state };
  const [session, ...others] = await newSessions(run);
  if (session === undefined || others.length > 0) {
    await checkpoint(context, held, await asItLies(context, state, run), { by: run.by });
    return session === undefined
      ? { outcome: 'no-session' }
      : { outcome: 'several', sessions: [session, ...others] };
  }
  try {
    const look = await lookAtSession(context, { runtime: run.runtime, card: session }, run.runtimes);
    const { bound } = look;
    if (bound !== undefined && bound.task !== held.task)
      return { outcome: 'refused', session, why: `The session belongs to task ${bound.task}.` };
    const claims = (await claimsOfLeg(context, held, state)) ?? draftClaims(look.work);
    const words = { claims, losses: packetLosses(run.losses) };
    const adopted = { ...held, by: run.by, opened: false, backTo: null };
    const sealed = await checkpointSession(context, look, adopted, { trigger: run.trigger, words });
    return { outcome: 'captured', session, stopped: look.condition.stopped, sealed };
  } catch (error) {
    if (!isStaffettaError(error)) throw error;
    return { outcome: 'refused', session, why: error.message };
  }
}

/** Without a session the files are what is left of it; what was said before stays said. */
async function asItLies(
  context: Context,
  { packet, leg }: TaskState,
  { trigger, losses }: EndedRun,
): Promise<Parameters<typeof checkpoint>[2]> {
  const { claims } = packet === null ? {} : await readCheckedPacket(context, packet);
  const words = await withProgress(context, defined({ claims }), leg === null ? null : legBegan(leg));
  return { trigger, unasked: true, losses: packetLosses(losses), ...words };
}

async function newSessions({ runtime, folder, session, before }: EndedRun): Promise<SessionCard[]> {
  const found: SessionCard[] = [];
  for await (const card of runtime.sessions({ folder }))
    if (session === null ? !before.has(card.id) && card.parent === null : card.id === session)
      found.push(card);
  if (found.length > 0 || session === null) return found;
  // Of a folder that was moved the program may keep the session where it was.
  const elsewhere = await sessionCardOf(runtime, { id: session });
  return elsewhere === null ? [] : [elsewhere];
}

/** What the agent itself sealed in this leg stays said. */
export async function claimsOfLeg(
  context: Context,
  held: Held,
  { packet }: Pick<TaskState, 'packet'>,
): Promise<Claims | undefined> {
  if (packet === null) return undefined;
  const { generation, claims } = await readCheckedPacket(context, packet);
  return generation === held.generation ? claims : undefined;
}

function packetLosses(losses: LossReport): { readonly what: string; readonly why: string }[] {
  return lossReportWords(losses)
    .slice(0, limits.listItemsMax - 1)
    .map(({ what, why }) => ({ what: titleFrom(what), why: cut(why, 2000) }));
}
