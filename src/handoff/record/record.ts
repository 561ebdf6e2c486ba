/**
 * The only compare-and-swap loop. Every change of a task goes through here:
 *
 *   read the head → decide → append at head + 1
 *
 * and starts over with the new head if somebody else was faster. A caller's idempotency key is looked up first: where it
 * stands in the journal, the first outcome is returned and nothing is written. If the disk fails during the
 * commit, the journal itself is asked whether the entry arrived.
 */
import { defined, filled } from '../../core/base/defined.ts';
import type { Actor } from '../../core/task/actor.ts';
import { canonical } from '../../core/journal/canonical.ts';
import { cardOf } from '../../core/task/card.ts';
import type { Command } from '../../core/task/command.ts';
import { decide } from '../../core/decide/decide.ts';
import { refuseCopy } from '../../core/decide/guard.ts';
import { digestOf, type Digest } from '../../core/journal/digest.ts';
import { entryTime, sealEntry, type Entry } from '../../core/journal/entry.ts';
import { isStaffettaError, StaffettaError } from '../../core/base/error.ts';
import { checkEvent, type Event, type EventOf, type EventType } from '../../core/journal/event.ts';
import { fold } from '../../core/fold/fold.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { writeSnapshot } from '../../core/journal/snapshot.ts';
import { legLease, nobodysGeneration, standingHere } from '../../core/task/standing.ts';
import type { TaskState } from '../../core/task/state.ts';
import { waitsOf } from '../../core/task/waits.ts';
import type { Append, Head, HintChange, Lease, LeaseChange } from '../../ports/journal.ts';
import type { Context } from './context.ts';
import { isClean, redactedCommand, redactedTexts, refuseSecretCaller, type CleanTexts } from './redacted.ts';
import { hintFor } from './hints.ts';
import { keyedEntry } from './keyed-entry.ts';
import { forgetState, keepState } from './known-states.ts';
import { foldedAt, stateAt, unknownTask } from './load.ts';
import { clearTheWay } from '../sessions/orphans.ts';
import { signEvents } from './sign.ts';
import { traceEntry } from './trace.ts';

/** What every verb takes besides its own input. */
export interface Call {
  readonly by: Actor;
  /** The same key with the same request changes nothing a second time. */
  readonly key?: string;
  /** Decide and report, but write nothing. */
  readonly dryRun?: boolean;
}

export interface Prepared {
  readonly command: Command;
  readonly blobs?: readonly Uint8Array[];
}

export interface Request {
  readonly task: TaskId;
  readonly call: Call;
  /** What was asked, for telling a repetition from another request under the same key. */
  readonly request: unknown;
  /** Texts of it that were searched already. */
  readonly clean?: CleanTexts;
  /** Takes in what was sent to this store, and is a copy until then. */
  readonly arrives?: true;
  /**
   * The head, where the caller has just read it, or this process left it there. If somebody has written since, the append tells; and what
   * is refused is refused at the head that is there.
   */
  readonly head?: Head | undefined;
  /** Builds the command from the state it will meet; called again if the state changed underneath. */
  readonly prepare: (state: TaskState | undefined, now: number) => Prepared | Promise<Prepared>;
}

export interface Recorded {
  readonly state: TaskState;
  /** Null where there was nothing to write. */
  readonly entry: Entry | null;
  /** The lease in force after the entry. */
  readonly leaseUntil: number | null;
  /** True if the key was known: this is the first outcome, nothing was written now. */
  readonly repeated: boolean;
}

const triesMax = 1000;

const conflicts = new WeakMap<Context['store'], number>();

/** How often an append of this process met a journal that had moved. */
export function conflictsAt(store: Context['store']): number {
  return conflicts.get(store) ?? 0;
}

export async function record(context: Context, request: Request): Promise<Recorded> {
  const { store } = context;
  if (request.call.by.kind !== 'system')
    await refuseSecretCaller(context.redactor, request.call, request.clean);
  const asked =
    request.call.key === undefined
      ? undefined
      : digestOf(canonical({ by: request.call.by.name, asked: await withoutSecrets(context, request) }));
  // What is only shown has no append that would tell.
  let left = request.call.dryRun === true ? undefined : request.head;
  for (let tries = 0; tries < triesMax; tries += 1) {
    const head = left ?? (await store.journal.head(request.task));
    if (head !== undefined && request.call.key !== undefined && asked !== undefined) {
      const first = await repeated(context, { task: request.task, key: request.call.key, asked }, head);
      if (first !== undefined) return first;
    }
    const decided = await decidedAt(context, request, { head, asked }).catch(async (error: unknown) => {
      if (left === undefined || (await isHead(context, left))) throw error;
      return 'moved' as const;
    });
    if (decided !== 'moved' && decided.append === undefined) {
      if (left === undefined || (await isHead(context, left))) return decided.recorded;
    } else if (decided !== 'moved') {
      const { append, entry } = decided;
      context.reached('record:decided');
      if (await appendEntry(context, append)) {
        keepState(store, decided.next, leaseLeft(append.lease, head));
        context.reached('record:appended');
        await traceEntry(context, decided.before, entry);
        return decided.recorded;
      }
      conflicts.set(store, conflictsAt(store) + 1);
    }
    left = undefined;
    forgetState(store, request.task);
  }
  throw new StaffettaError(
    'conflict',
    `Task ${request.task} kept changing underneath; gave up after ${triesMax} tries.`,
    { hint: 'Try again.' },
  );
}

async function isHead(context: Context, { task, digest }: Head): Promise<boolean> {
  return (await context.store.journal.head(task))?.digest === digest;
}

type Decided =
  | { readonly recorded: Recorded; readonly append?: undefined }
  | {
      readonly recorded: Recorded;
      readonly append: Append;
      readonly before: TaskState | undefined;
      readonly entry: Entry;
      readonly next: TaskState;
    };

/** What is to be appended at this head, and what comes of it; throws what refuses it. */
async function decidedAt(
  context: Context,
  request: Request,
  { head, asked }: { readonly head: Head | undefined; readonly asked: Digest | undefined },
): Promise<Decided> {
  const stood = head === undefined ? undefined : await stateAt(context, head);
  if (stood?.status === 'elsewhere' && request.arrives !== true) throw refuseCopy(stood);
  const state = request.arrives === true && head !== undefined ? await foldedAt(context, head) : stood;
  const now = context.clock.now();
  const prepared = await request.prepare(state, now);
  const command = await redactedCommand(context.redactor, prepared.command, request.clean);
  const leaseUntil = legLease(head?.lease ?? null)?.until ?? null;
  const decision = decide(state, command, { by: request.call.by, now, leaseUntil });
  if (decision instanceof StaffettaError)
    throw decision.code === 'unknown-task' ? unknownTask(request.task) : decision;
  if (decision.length === 0 && state !== undefined)
    return { recorded: { state, entry: null, leaseUntil, repeated: false } };
  const unsigned = entryFrom(request, state, { now, events: decision, command, asked });
  const { events, blobs: keys } =
    request.call.dryRun === true
      ? { events: unsigned.events, blobs: [] }
      : await signEvents(context, state, unsigned);
  const entry = { ...unsigned, events };
  const blobs = [...(prepared.blobs ?? []), ...keys];
  const { body, digest } = sealEntry(entry);
  const next = fold(state, entry, digest);
  const stands = standingHere(next, null);
  const lease = leaseChange(command, { entry, now }, stands);
  const recorded = { state: stands, entry, leaseUntil: leaseAfter(lease, head), repeated: false };
  if (request.call.dryRun === true) return { recorded };
  if (decision.some(({ type }) => type === 'leg-started')) await clearTheWay(context, request.task);
  const hint = hintChange(stood, stands);
  const waits = waitsOf(stands);
  const append: Append = {
    task: request.task,
    seq: entry.seq,
    digest,
    body,
    at: now,
    snapshot: writeSnapshot(next),
    card: cardOf(stands),
    ...filled({ waits }),
    lease,
    ...(command.type === 'lapse' && head?.lease ? { ifLease: head.lease } : {}),
    ...filled({ key: entry.key, blobs, hint }),
  };
  return { recorded, append, before: state, entry, next };
}

/** What is kept of a request is a digest, by which a short secret could be guessed. */
async function withoutSecrets(context: Context, { request, clean = new Set() }: Request): Promise<unknown> {
  return isClean(request, clean) ? request : await redactedTexts(await context.redactor(), request);
}

async function appendEntry(context: Context, append: Append): Promise<boolean> {
  try {
    return (await context.store.journal.append(append)).stored;
  } catch (error) {
    if (!isStaffettaError(error, 'outcome-unknown')) throw error;
    const [there] = await context.store.journal.read(append.task, append.seq, 1);
    if (there?.digest === append.digest) return true;
    throw error;
  }
}

export function keyReused(task: TaskId, key: string, seq: number): StaffettaError {
  return new StaffettaError(
    'key-reused',
    `The idempotency key ${JSON.stringify(key)} was used for another request.`,
    {
      details: { task, seq },
      hint: 'Use a new key for a new request; repeat a request exactly to get its first outcome.',
    },
  );
}

async function repeated(
  context: Context,
  asked: { readonly task: TaskId; readonly key: string; readonly asked: Digest },
  head: Head,
): Promise<Recorded | undefined> {
  const entry = await keyedEntry(context, asked.task, asked.key);
  if (entry === undefined) return undefined;
  if (entry.request !== asked.asked) {
    throw keyReused(asked.task, asked.key, entry.seq);
  }
  // Written since the head was read: what it led to is at a later one.
  const now = entry.seq <= head.seq ? head : ((await context.store.journal.head(asked.task)) ?? head);
  return {
    state: await stateAt(context, now),
    entry,
    leaseUntil: legLease(now.lease)?.until ?? null,
    repeated: true,
  };
}

function entryFrom(
  { task, call }: Request,
  state: TaskState | undefined,
  made: {
    readonly now: number;
    readonly events: readonly Event[];
    readonly command: Command;
    readonly asked: Digest | undefined;
  },
): Entry {
  const { command } = made;
  const generation = 'generation' in command ? command.generation : undefined;
  return {
    v: 1,
    task,
    seq: state === undefined ? 0 : state.seq + 1,
    prev: state?.head ?? null,
    at: entryTime(state, made.now),
    by: call.by,
    events: made.events.map(checkEvent),
    ...defined({ generation, key: call.key, request: made.asked }),
  };
}

/** A leg that starts brings its lease; a leg that ends takes it along; a holder that writes is alive. */
function leaseChange(
  command: Command,
  { entry, now }: { readonly entry: Entry; readonly now: number },
  next: TaskState,
): LeaseChange {
  if (command.type === 'leave') return { set: { generation: nobodysGeneration, until: now } };
  if (next.leg === null) return { clear: true };
  // A renewal that came while it was on its way would have reached as far.
  if (command.type === 'arrive')
    return { set: { generation: next.generation, until: now + next.leg.leaseMs } };
  const started = eventIn(entry, 'leg-started');
  if (started !== undefined) return { set: { generation: started.generation, until: started.leaseUntil } };
  const byHolder = 'generation' in command && command.generation === next.generation;
  return { keepUntil: byHolder ? now + next.leg.leaseMs : 0 };
}

/** An offer that can be taken now wakes its receiver; an offer that is over wakes nobody any more. */
function hintChange(before: TaskState | undefined, next: TaskState): HintChange | undefined {
  const stood = before === undefined ? undefined : hintFor(before);
  const stands = hintFor(next);
  if (stands !== undefined) return stood?.offer === stands.offer ? undefined : { send: stands };
  return stood === undefined ? undefined : { clear: true };
}

/** As the store has it after the entry, unless somebody renewed it meanwhile. */
function leaseLeft(change: LeaseChange, head: Head | undefined): Lease | null {
  if ('set' in change) return change.set;
  const kept = head?.lease ?? null;
  if ('clear' in change || kept === null) return null;
  return { ...kept, until: Math.max(kept.until, change.keepUntil) };
}

function leaseAfter(change: LeaseChange, head: Head | undefined): number | null {
  if ('set' in change) return change.set.until;
  if ('clear' in change) return null;
  return Math.max(head?.lease?.until ?? 0, change.keepUntil);
}

export function eventIn<T extends EventType>(entry: Entry | null, type: T): EventOf<T> | undefined {
  return entry?.events.find((event): event is EventOf<T> => event.type === type);
}
