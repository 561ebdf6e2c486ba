/**
 * Follows the sessions of coding agents and keeps what they know safe: a checkpoint whenever a turn is settled and something is new, a
 * word when a window fills, a rescue when a session dies. One round looks once; the caller decides how often.
 */
import { defined } from '../../core/base/defined.ts';
import type { Address } from '../../core/task/address.ts';
import type { Digest } from '../../core/journal/digest.ts';
import { isStaffettaError } from '../../core/base/error.ts';
import type { Trigger } from '../../core/journal/event.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { triggerKinds } from '../../core/journal/trigger.ts';
import type { Runtime, SessionCard } from '../../ports/runtime.ts';
import { renew } from '../verbs/carry.ts';
import type { Context } from '../record/context.ts';
import { draftClaims } from '../../core/reasoning/draft.ts';
import { draftedContract } from './draft-session.ts';
import type { FoundSession } from './find-session.ts';
import { adoptSession, checkpointSession } from './from-session.ts';
import { rescueOne } from './rescue.ts';
import { searchedWords } from '../sealing/searched-words.ts';
import { lookUnasked, triggerOf, type SessionLook } from './session-look.ts';
import { findSessions } from './sessions.ts';

export interface WatchOptions {
  readonly folder?: string;
  /** Only sessions that changed since then are followed. */
  readonly since: number;
  /** At least this long between two checkpoints of one session. */
  readonly cooldownMs: number;
  /** Open a task for a session that has none. */
  readonly adopt: boolean;
  /** Whom a dead session is offered to; null leaves it to `rescue`. */
  readonly rescueTo: Address | null;
}

export interface Watched {
  readonly session: SessionCard;
  readonly task: TaskId | null;
  readonly what: 'sealed' | 'rescued' | 'window-full' | 'refused';
  readonly trigger: Trigger;
  readonly packet: Digest | null;
  readonly why: string;
}

/** What one round leaves for the next: what each session looked like, and when it was sealed last. */
export class WatchMemory {
  readonly seen = new Map<string, { readonly updatedAt: number; readonly liveness: string }>();
  readonly sealedAt = new Map<string, number>();
  readonly warned = new Set<string>();
}

const looksMax = 10_000;

export async function watchRound(
  context: Context,
  runtimes: readonly Runtime[],
  memory: WatchMemory,
  options: WatchOptions,
): Promise<Watched[]> {
  const { folder, since } = options;
  const { sessions } = await findSessions(runtimes, {
    limit: looksMax,
    ...defined({ folder }),
  });
  const events: Watched[] = [];
  for (const card of sessions) {
    if (card.updatedAt < since || card.parent !== null || card.pointerOnly !== null) continue;
    const runtime = runtimes.find(({ name }) => name === card.runtime);
    if (runtime === undefined || !isNews(memory, card, options, context.clock.now())) continue;
    events.push(...(await followOne(context, { runtime, card, runtimes }, memory, options)));
  }
  return events;
}

function nameOf({ runtime, id, path }: SessionCard): string {
  return JSON.stringify([runtime, id, path]);
}

/** Unchanged sessions are not read again; what changed within the cooldown is looked at when it is over. */
function isNews(memory: WatchMemory, card: SessionCard, { cooldownMs }: WatchOptions, now: number): boolean {
  const name = nameOf(card);
  const before = memory.seen.get(name);
  const changed = before?.updatedAt !== card.updatedAt || before.liveness !== card.liveness;
  if (!changed) return false;
  const died = card.liveness === 'dead' && before?.liveness !== 'dead';
  return died || now - (memory.sealedAt.get(name) ?? Number.NEGATIVE_INFINITY) >= cooldownMs;
}

interface Followed extends FoundSession {
  /** All that are known, for reading what its task was done in before. */
  readonly runtimes: readonly Runtime[];
}

async function followOne(
  context: Context,
  followed: Followed,
  memory: WatchMemory,
  options: WatchOptions,
): Promise<Watched[]> {
  const { runtime, card, runtimes } = followed;
  const name = nameOf(card);
  const seen = (): void => {
    memory.seen.set(name, { updatedAt: card.updatedAt, liveness: card.liveness });
  };
  try {
    const look = await lookUnasked(context, { runtime, card }, runtimes);
    if (look.given || (look.bound === undefined && !options.adopt)) {
      seen();
      return [];
    }
    const trigger = triggerOf(card, look.condition);
    if (trigger !== null && triggerKinds[trigger].isDeath) {
      seen();
      return await rescueFollowed(context, followed, options);
    }
    // In the middle of a turn it is looked at again: a call and its result are sealed together.
    if (!look.condition.settled) return [];
    seen();
    const events = await seal(context, look, trigger ?? 'planned');
    if (events.length > 0) memory.sealedAt.set(name, context.clock.now());
    return [...events, ...pressure(look, memory, name)];
  } catch (error) {
    if (!isStaffettaError(error)) throw error;
    seen();
    return [
      { session: card, task: null, what: 'refused', trigger: 'planned', packet: null, why: error.message },
    ];
  }
}

async function rescueFollowed(
  context: Context,
  { runtime, card, runtimes }: Followed,
  { rescueTo }: WatchOptions,
): Promise<Watched[]> {
  if (rescueTo === null) return [];
  const one = await rescueOne(context, { runtime, card }, { to: rescueTo, runtimes });
  if (one === null || one.outcome === 'already') return [];
  const what = one.outcome === 'rescued' ? 'rescued' : 'refused';
  return [{ session: card, task: one.task, what, trigger: one.trigger, packet: one.packet, why: one.why }];
}

async function seal(context: Context, look: SessionLook, trigger: Trigger): Promise<Watched[]> {
  const { card, bound } = look;
  if (bound !== undefined && bound.state.leg === null) return [];
  const said = await searchedWords(context, look);

  const adopted = await adoptSession(context, look, () => draftedContract(said.work, said).contract);
  const { leg } = bound?.state ?? {};
  // An agent at work does not fall silent because nobody says so.
  if (leg !== undefined && leg !== null) await renew(context, adopted, leg.leaseMs);
  if (look.fresh === 0) return [];
  const words = { claims: draftClaims(said.work) };
  const { state } = await checkpointSession(context, look, adopted, { trigger, words });
  const why = `${look.fresh} new records`;
  return [{ session: card, task: state.task, what: 'sealed', trigger, packet: state.packet, why }];
}

/** Told once, until there is room again. */
function pressure({ card, condition, bound }: SessionLook, memory: WatchMemory, name: string): Watched[] {
  const { window } = condition;
  const isFull = triggerOf(card, condition) === 'context-limit';
  if (!isFull || window === null) {
    memory.warned.delete(name);
    return [];
  }
  if (memory.warned.has(name)) return [];
  memory.warned.add(name);
  return [
    {
      session: card,
      task: bound?.task ?? null,
      what: 'window-full',
      trigger: 'context-limit',
      packet: bound?.state.packet ?? null,
      why: `${window.used} of ${window.max} tokens are used (${Math.round(window.share * 100)} %)`,
    },
  ];
}
