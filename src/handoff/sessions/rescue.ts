/**
 * Sessions that died, turned into emergency packets without the help of the agent that was in them: what it did and said is in its
 * session, and that is enough to go on from. Running it twice does nothing twice.
 */
import { defined } from '../../core/base/defined.ts';
import type { Address } from '../../core/task/address.ts';
import { isStaffettaError, type ErrorCode } from '../../core/base/error.ts';
import type { Trigger } from '../../core/journal/event.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { triggerKinds } from '../../core/journal/trigger.ts';
import type { Digest } from '../../core/journal/digest.ts';
import type { Runtime, SessionCard } from '../../ports/runtime.ts';
import type { Context } from '../record/context.ts';
import { draftClaims } from '../../core/reasoning/draft.ts';
import type { AskedAgent, AskOutcome } from './ask-agent.ts';
import { draftedContract } from './draft-session.ts';
import type { FoundSession } from './find-session.ts';
import { adoptSession, handoffSession } from './from-session.ts';
import type { SameSession } from './same-session.ts';
import { searchedWords } from '../sealing/searched-words.ts';
import { lookUnasked, triggerOf, type SessionLook } from './session-look.ts';
import { findSessions } from './sessions.ts';

export interface RescueOptions {
  /** Only sessions of this folder. */
  readonly folder?: string;
  /** Only sessions that changed since then. */
  readonly since: number;
  /** A session that says nothing of its process, and stopped in the middle of a turn, is dead if it is silent since then. */
  readonly silentSince: number;
  readonly to: Address;
  readonly dryRun?: boolean;
  /** What somebody knows better of a session: that it is dead, or that it is to be left alone. */
  readonly known?: (card: SessionCard) => SessionCard | null;
  /** At most so many sessions are read, the newest. */
  readonly readMax?: number;
  /** Asks the agent of a session for a summary of its own. */
  readonly ask?: (look: SessionLook) => Promise<AskedAgent>;
  /** Also those that may be at work still, where a limit stopped them: that ends work at once. */
  readonly limits?: boolean;
}

export interface Rescued {
  readonly session: SessionCard;
  /** Null for what was only looked at. */
  readonly task: TaskId | null;
  readonly packet: Digest | null;
  readonly trigger: Trigger;
  readonly outcome: 'rescued' | 'would-rescue' | 'already' | 'refused' | 'unreadable';
  readonly why: string;
  /** Tasks of the same session that it gave away before, where it went on with another. */
  readonly sameSession?: readonly SameSession[];
  /** What came of asking the agent for a summary of its own, where it was. */
  readonly asked?: AskOutcome;
}

export interface Rescue {
  readonly rescued: readonly Rescued[];
  /** Sessions that were looked at. */
  readonly looked: number;
  /** Those that changed too lately to be called dead. */
  readonly recent: number;
  readonly troubles: readonly { readonly runtime: string; readonly text: string }[];
}

const looksMax = 10_000;

/** The store is asked for only where there is something to rescue. */
export async function rescue(
  contextOf: () => Promise<Context>,
  runtimes: readonly Runtime[],
  options: RescueOptions,
): Promise<Rescue> {
  const { folder, since } = options;
  const found = await findSessions(runtimes, {
    limit: looksMax,
    ...defined({ folder }),
  });
  // What an agent started within a session is rescued with it.
  const cards = found.sessions.filter(({ updatedAt, parent }) => updatedAt >= since && parent === null);
  const rescued: Rescued[] = [];
  let recent = 0;
  let left = options.readMax ?? Number.POSITIVE_INFINITY;
  for (const found of cards) {
    const card = options.known === undefined ? found : options.known(found);
    const runtime = runtimes.find(({ name }) => name === found.runtime);
    if (card === null || runtime === undefined) continue;
    const isRecent = card.liveness === 'unknown' && card.updatedAt > options.silentSince;
    if (isRecent ? options.limits !== true : !mayBeDead(card, options)) {
      recent += isRecent ? 1 : 0;
      continue;
    }
    if (left <= 0) break;
    left -= 1;
    const one = { ...options, runtimes, limitsOnly: isRecent };
    const outcome = await rescueOne(await contextOf(), { runtime, card }, one);
    if (outcome !== null) rescued.push(outcome);
    else if (isRecent) recent += 1;
  }
  return { rescued, looked: cards.length, recent, troubles: found.troubles };
}

/** Without reading it. One that ended may have ended at a limit of usage. */
function mayBeDead({ liveness, updatedAt }: SessionCard, { silentSince }: RescueOptions): boolean {
  return liveness === 'dead' || liveness === 'ended' || (liveness === 'unknown' && updatedAt <= silentSince);
}

/** Others rescue at the same time: the session is looked at again. */
const overtaken: ReadonlySet<ErrorCode> = new Set(['stale-generation', 'held', 'wrong-state', 'conflict']);

/** Null: it ended as sessions end. */
export async function rescueOne(
  context: Context,
  { runtime, card }: FoundSession,
  options: Pick<RescueOptions, 'to' | 'dryRun' | 'ask'> & {
    readonly runtimes: readonly Runtime[];
    readonly limitsOnly?: boolean;
  },
): Promise<Rescued | null> {
  const none = { session: card, task: null, packet: null } as const;
  if (card.pointerOnly !== null)
    return { ...none, trigger: 'crash', outcome: 'unreadable', why: card.pointerOnly };
  try {
    const look = await lookUnasked(context, { runtime, card }, options.runtimes);
    const trigger = deathOf(look);
    if (trigger === null || (options.limitsOnly === true && trigger === 'crash')) return null;
    const { bound } = look;
    if (bound !== undefined && (look.given || (look.fresh === 0 && bound.state.leg === null)))
      return alreadySafe(look, trigger);
    if (options.dryRun === true)
      return {
        ...none,
        task: bound?.task ?? null,
        trigger,
        outcome: 'would-rescue',
        why: deathWords(look, trigger),
        ...besides(look),
      };
    const said = await searchedWords(context, look);
    const asked = await options.ask?.(look);
    const { summary } = asked ?? {};
    const adopted = await adoptSession(context, look, () => draftedContract(said.work, said).contract);
    const why = deathWords(look, trigger);
    const { seen = look.seen } = said;
    const { state } = await handoffSession(context, { ...look, seen }, adopted, {
      to: options.to,
      trigger,
      why,
      words: { claims: { ...draftClaims(said.work), ...defined({ summary }) } },
      asSeen: true,
    });
    const { task, packet } = state;
    return {
      session: card,
      task,
      packet,
      trigger,
      outcome: 'rescued',
      why,
      ...besides(look),
      ...(asked === undefined ? {} : { asked: asked.outcome }),
    };
  } catch (error) {
    if (!isStaffettaError(error) || error.code === 'interrupted') throw error;
    if (overtaken.has(error.code)) {
      const look = await lookUnasked(context, { runtime, card }, options.runtimes);
      if (look.given || look.fresh === 0) return alreadySafe(look, 'crash');
    }
    const outcome = error.code === 'session-unreadable' ? 'unreadable' : 'refused';
    return { ...none, trigger: 'crash', outcome, why: error.message };
  }
}

function besides({ earlier }: SessionLook): Pick<Rescued, 'sameSession'> {
  return earlier === undefined ? {} : { sameSession: earlier.tasks };
}

function alreadySafe({ card, bound }: SessionLook, trigger: Trigger): Rescued {
  const why = bound === undefined ? 'it has a task' : `it is task ${bound.task}, ${bound.state.status}`;
  const { task = null } = bound ?? {};
  return { session: card, task, packet: bound?.state.packet ?? null, trigger, outcome: 'already', why };
}

/** A limit ends the work of a session as a crash does; a full window alone does not. */
function deathOf({ card, condition }: SessionLook): Trigger | null {
  const trigger = triggerOf(card, condition);
  if ((trigger !== null && triggerKinds[trigger].isDeath) || condition.stopped === 'context-limit')
    return trigger;
  if (card.liveness === 'ended' || card.liveness === 'alive') return null;
  const isOpen = !condition.settled || condition.stopped === 'error';
  return isOpen ? 'crash' : null;
}

function deathWords({ card, condition, transcript }: SessionLook, trigger: Trigger): string {
  if (trigger === 'usage-limit') return 'The session stopped at a limit of usage.';
  if (trigger === 'context-limit')
    return 'The session stopped because it no longer fits into the model’s window.';
  const process = card.liveness === 'dead' ? 'its process is gone' : 'it fell silent';
  const [call] = condition.calls;
  if (call !== undefined) return `In the middle of a call of ${call.tool}, ${process}.`;
  if (condition.turn === 'model') return `Before the model had answered, ${process}.`;
  return transcript.steps.length === 0
    ? `Before it began, ${process}.`
    : `After the last answer, ${process}.`;
}
