/**
 * Work moves on from a session of a coding agent, with or without the help of the agent in it: a task is opened for it if there is
 * none, the session is captured, and the packet is offered. Repeating it after a crash goes on where it stopped.
 */
import type { Actor, Lane } from '../../core/task/actor.ts';
import type { Address } from '../../core/task/address.ts';
import { isStaffettaError, type StaffettaError } from '../../core/base/error.ts';
import { limits } from '../../core/base/limits.ts';
import type { Trigger } from '../../core/journal/event.ts';
import { joinedClaims } from '../../core/files/notes.ts';
import { offeredStatuses } from '../../core/task/state.ts';
import { refusalWords } from '../../core/packet/refusal-words.ts';
import type { PacketWords } from '../../core/packet/packet.ts';
import type { Held } from '../verbs/carry.ts';
import type { Context } from '../record/context.ts';
import { checkpoint } from '../verbs/finish.ts';
import { handoff } from '../verbs/handoff.ts';
import { leave } from '../verbs/leave.ts';
import { withdraw } from '../verbs/offer.ts';
import { pointing } from '../sealing/pointer.ts';
import { open, type ContractInput } from '../verbs/open.ts';
import type { SealedRecord } from '../sealing/sealing.ts';
import { agentOf } from '../../core/task/agent-name.ts';
import { liveSession, seenSession, type SessionLook } from './session-look.ts';
import { heldByOther, type BoundTask } from './session-task.ts';
import { accept } from '../verbs/take.ts';

const leaseMs = limits.sessionLeaseMs;

export interface Adopted extends Held {
  /** In whose name the session speaks. */
  readonly by: Actor;
  readonly opened: boolean;
  /** Whom it goes back to where nobody held it before and the handoff is refused; null where it was held already. */
  readonly backTo: Address | null;
}

/** Refuses as it would be refused, and changes nothing. */
export interface Rehearsal {
  readonly dryRun?: boolean;
}

/** The task of a session, held in the session's name. A new one is opened under the contract given, which is asked for only then. */
export async function adoptSession(
  context: Context,
  look: SessionLook,
  contract: () => ContractInput,
  { dryRun = false }: Rehearsal = {},
): Promise<Adopted> {
  const by = agentOf(look.card);
  if (look.bound !== undefined)
    return { ...(await holdAgain(context, look.bound, { by, dryRun })), opened: false };
  const { state } = await open(
    context,
    contract(),
    { take: true, lane: 'execute', leaseMs },
    { by, key: look.key, dryRun },
  );
  return { task: state.task, generation: state.generation, by, opened: true, backTo: 'anyone' };
}

async function holdAgain(
  context: Context,
  bound: BoundTask,
  call: { readonly by: Actor; readonly dryRun: boolean },
): Promise<Omit<Adopted, 'opened'>> {
  const { task, state } = bound;
  const { by } = call;
  const holder = state.leg?.holder;
  if (holder !== undefined) {
    const other = heldByOther(bound, by);
    if (other !== undefined) throw other;
    // A holder that took it on with a name of its own is the one that the session speaks for.
    return { task, generation: state.generation, by: holder, backTo: null };
  }
  const backTo = state.offer?.to ?? 'anyone';
  if (offeredStatuses.includes(state.status) && state.custody?.agent === by.name) {
    const back = await withdraw(context, task, { why: 'The session went on.', leaseMs }, call);
    return { task, generation: back.state.generation, by, backTo };
  }
  const { state: taken } = await accept(context, task, { leaseMs }, call);
  return { task, generation: taken.generation, by, backTo };
}

export interface SessionHandoff {
  readonly to: Address;
  readonly lane?: Lane;
  readonly trigger: Trigger;
  readonly why?: string;
  readonly expiresMs?: number;
  /** A person speaks for the session. */
  readonly outside?: boolean;
  readonly words: PacketWords;
  /** The session is over: what was looked at is all there is. */
  readonly asSeen?: boolean;
  /** Nobody could be asked for what the session does not say; so it is unless told. */
  readonly unasked?: boolean;
  /** What of the words was said by the giver; the rest was drawn from the session. */
  readonly spoken?: PacketWords;
}

export async function handoffSession(
  context: Context,
  look: SessionLook,
  adopted: Adopted,
  { words, asSeen = false, unasked = true, ...offer }: SessionHandoff,
  { dryRun = false }: Rehearsal = {},
): Promise<SealedRecord> {
  const { task, generation, by } = adopted;
  const said = await withProgress(context, words, look.card.startedAt);
  const packet =
    look.pointer === undefined
      ? { ...said, session: asSeen ? seenSession(look) : liveSession(look) }
      : pointing(look, look.pointer, said);
  try {
    return await handoff(
      context,
      { task, generation },
      { ...packet, ...offer, unasked },
      { by, dryRun, ...keyOf(look, adopted) },
    );
  } catch (error) {
    if (!dryRun && isStaffettaError(error)) await giveBack(context, adopted, error);
    throw error;
  }
}

const whyCharsMax = 1000;

/** A session that is over holds nothing: what was taken only to be handed over is on offer again where that was refused. */
async function giveBack(
  context: Context,
  { task, generation, by, backTo }: Adopted,
  refusal: StaffettaError,
): Promise<void> {
  if (backTo === null) return;
  const why = `The handoff was refused: ${refusalWords(refusal, whyCharsMax)}`;
  try {
    await leave(context, { task, generation, holder: by }, { to: backTo, trigger: 'user', why });
  } catch (error) {
    // The refusal that came first says more.
    if (!isStaffettaError(error)) throw error;
  }
}

/** Seals what a session has so far, and leaves the work where it is. */
export async function checkpointSession(
  context: Context,
  look: SessionLook,
  adopted: Adopted,
  given: { readonly trigger: Trigger; readonly words?: PacketWords },
): Promise<SealedRecord> {
  const session = liveSession(look);
  const words = await withProgress(context, given.words ?? {}, look.card.startedAt);
  const input = { ...words, session, trigger: given.trigger, unasked: true };
  return await checkpoint(context, adopted, input, { by: adopted.by, ...keyOf(look, adopted) });
}

/** With what the agent has written of its work into the folder since then. */
export async function withProgress<W extends Pick<PacketWords, 'claims'>>(
  context: Context,
  words: W,
  since: number | null,
): Promise<W> {
  const told = since === null ? null : await context.progressTold?.(since);
  return told?.claims ? { ...words, claims: joinedClaims(words.claims, told.claims) } : words;
}

/** The first entry that captures a session binds it, unless the task was opened for it. */
function keyOf({ bound, key }: SessionLook, { opened }: Adopted): { readonly key?: string } {
  return bound === undefined && !opened ? { key } : {};
}
