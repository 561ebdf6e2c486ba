import { defined } from '../../core/base/defined.ts';
import { isAddressedTo, mailboxesOf } from '../../core/task/address.ts';
import { isStaffettaError, type ErrorCode } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { TaskState } from '../../core/task/state.ts';
import { leaseMsOf, type Context } from '../record/context.ts';
import { isDamage, passingOver, type DamagedTask, type PassedOver } from '../record/damage.ts';
import { keyedEntry } from '../record/keyed-entry.ts';
import { headLeft } from '../record/known-states.ts';
import { load, pageSize } from '../record/load.ts';
import { freeSome, metAtOnce, metNeeds, refreshNeeds } from './needs.ts';
import { standingOffers } from '../views/offers.ts';
import { readLeft, readWork, type LeftBehind, type ReadBefore } from '../views/readable.ts';
import { begun } from '../record/start.ts';
import { lapseExpired, lapseIfOver } from './recover.ts';
import { eventIn, keyReused, record, type Call, type Recorded } from '../record/record.ts';

export interface TakeOptions {
  readonly leaseMs?: number;
  /** Only this offer, not one made since. */
  readonly offer?: number;
}

export interface AcceptOptions extends TakeOptions {
  /** The receiver is shown all that was left beside the packet, which must then be readable too. */
  readonly shown?: boolean;
}

export interface Accepted extends Recorded {
  /** What was read before the leg started; absent where the request was made before. */
  readonly read?: ReadBefore;
  /** All of it, where it is shown. */
  readonly left?: LeftBehind;
}

export interface NextOptions extends Omit<AcceptOptions, 'offer'> {
  /** Hears of each task that was passed over because it is damaged. */
  readonly onDamaged?: (damaged: DamagedTask) => void;
  /** Tasks that are not wanted, whatever is on offer. */
  readonly except?: ReadonlySet<TaskId>;
}

/**
 * Takes one named task: of all who try, one succeeds; the others are told who holds it and until when. A holder whose lease is
 * over does not stand in the way: its leg is ended first.
 */
export async function accept(
  context: Context,
  task: TaskId,
  options: AcceptOptions,
  call: Call,
): Promise<Accepted> {
  try {
    return await acceptOffered(context, task, options, call);
  } catch (error) {
    if (isStaffettaError(error, 'needs-unmet') && call.dryRun !== true && (await freeIfMet(context, task)))
      return await acceptOffered(context, task, options, call);
    if (!isStaffettaError(error, 'held') || call.dryRun === true || !(await lapseIfOver(context, task)))
      throw error;
    return await acceptOffered(context, task, options, call);
  }
}

/** More needs are met than the entry that starts a leg has room for: they are told before. */
async function freeIfMet(context: Context, task: TaskId): Promise<boolean> {
  const { state } = await load(context, task);
  return state.unmet.length > metAtOnce && (await refreshNeeds(context, task)) === 'freed';
}

async function acceptOffered(
  context: Context,
  task: TaskId,
  options: AcceptOptions,
  call: Call,
): Promise<Accepted> {
  const leaseMs = options.leaseMs ?? leaseMsOf(context);
  const offer = options.offer ?? null;
  let read: ReadBefore | undefined;
  let left: LeftBehind | undefined;
  const recorded = await record(context, {
    task,
    call,
    request: { accept: { offer, leaseMs } },
    // Where this process handed it over, as a program with many agents does.
    head: headLeft(context.store, task, (state) => isForThem(state, call)),
    prepare: async (state) => {
      if (state !== undefined && isForThem(state, call)) {
        left = options.shown === true ? await readLeft(context, state) : undefined;
        read = left ?? (await readWork(context, state));
      }
      const met = await metNeeds(context, state?.unmet ?? []);
      return {
        command: {
          type: 'accept',
          offer,
          leaseMs,
          met: met.length > metAtOnce ? [] : met,
          ...(state?.start === null ? await begun(context, (await left?.look())?.now) : {}),
        },
      };
    },
  });
  context.reached('take:accepted');
  return recorded.repeated ? recorded : { ...recorded, ...defined({ read, left }) };
}

/** An actor that may not have it is told so, whatever else is wrong with the task. */
function isForThem({ offer }: TaskState, { by }: Call): boolean {
  return offer !== null && isAddressedTo(offer.to, offer.lane, by);
}

/** Reasons to look at the next offer instead of giving up. */
export const notForMe: ReadonlySet<ErrorCode> = new Set([
  'held',
  'wrong-state',
  'unknown-offer',
  'unknown-task',
  'not-addressed',
  'needs-unmet',
  'too-early',
  'bounce',
  'edge-denied',
]);

/** While a hint is being acted on, nobody else is woken by it. */
const hideMs = 5_000;

/**
 * Takes the next offer for this actor, oldest first: hints show the way, and where they are silent the list of offers is searched,
 * so a lost hint delays nothing for long. Returns undefined if there is nothing to take now. A damaged task is passed over.
 *
 * A request with a key may be repeated while the first is still on its way. Hints would lead the two to different tasks, so both go
 * by the list, in its order, and look for the key once more after they have read it: either the first has written by then
 * and is found, or its task is still on the list, and the journal of that task lets only one of them write.
 */
export async function takeNext(
  context: Context,
  { onDamaged, except, ...options }: NextOptions,
  call: Call,
): Promise<Accepted | undefined> {
  const first = await takenBefore(context, options, call);
  if (first !== undefined) return first;
  const passed: PassedOver = new Map();
  const tends = call.dryRun !== true && context.store.isTended !== true;
  const tend = async (): Promise<unknown> => (tends ? await lapseExpired(context, { passed }) : undefined);
  // Where many share a store, who finds work need not look after that of others, of which there is much: workers do, by turns.
  const isShared = context.store.upkeep.turn !== undefined;
  if (!isShared) await tend();
  const search: Search = { context, options, call, passed, except: except ?? new Set() };
  const byList = call.dryRun === true || call.key !== undefined;
  const tryHinted = async (): Promise<Accepted | undefined> =>
    byList ? undefined : await takeHinted(search);
  const look = async (): Promise<Accepted | undefined> => (await tryHinted()) ?? (await takeListed(search));
  let taken = await tryHinted();
  if (taken === undefined && isShared) await tend();
  taken ??= await takeListed(search);
  if (call.dryRun === true) taken ??= await takeWaiting(search);
  // The process that ended a task may have died before it freed those that waited, or left some because they were many.
  else if (tends) while (taken === undefined && (await freeSome(context, passed))) taken = await look();
  for (const damaged of passed.values()) onDamaged?.(damaged);
  return taken;
}

interface Search {
  readonly context: Context;
  readonly options: AcceptOptions;
  readonly call: Call;
  readonly passed: PassedOver;
  readonly except: ReadonlySet<TaskId>;
}

/** Tasks that use the same key for requests of their own: more than this of them, and the key was no good choice. */
const sameKeyMax = 1000;

/**
 * A key is kept with its task, and a caller that asks for any task cannot name it. So the tasks that know the key are searched for the leg
 * that this actor started with it. The first outcome is found again even if that leg is over, so that a repetition takes nothing else.
 */
export async function takenBefore(
  context: Context,
  options: Omit<TakeOptions, 'offer'>,
  { by, key }: Call,
): Promise<Accepted | undefined> {
  if (key === undefined) return undefined;
  for (const task of await context.store.catalog.keyed(key, sameKeyMax)) {
    const entry = await keyedEntry(context, task, key);
    if (entry === undefined) continue;
    const started = eventIn(entry, 'leg-started');
    // Without an offer it was opened or withdrawn, which are other requests.
    if (entry.by.name !== by.name || started === undefined || started.offer === null) continue;
    if (started.leaseMs !== (options.leaseMs ?? leaseMsOf(context))) throw keyReused(task, key, entry.seq);
    const { state, lease } = await load(context, task);
    return { state, entry, leaseUntil: lease?.until ?? null, repeated: true };
  }
  return undefined;
}

async function takeHinted(search: Search): Promise<Accepted | undefined> {
  const { context, call } = search;
  const { mailbox } = context.store;
  for (;;) {
    const [hint] = await mailbox.receive(mailboxesOf(call.by), {
      now: context.clock.now(),
      hideMs,
      limit: 1,
    });
    if (hint === undefined) return undefined;
    context.reached('take:hint-received');
    const taken = await tryAccept(search, hint.task, hint.offer);
    // The entry that starts the leg takes its hint along.
    if (taken !== undefined) return taken;
    // A hint is spent once its offer is; one that is merely not for this actor comes back for the others.
    if (await stands(context, hint.task, hint.offer)) continue;
    await mailbox.settle(hint);
    context.reached('take:hint-settled');
  }
}

async function stands(context: Context, task: TaskId, offer: number): Promise<boolean> {
  try {
    return (await load(context, task)).state.offer?.offer === offer;
  } catch (error) {
    if (isStaffettaError(error, 'unknown-task')) return false;
    // Nobody can say: the hint is kept until the task is mended.
    if (isDamage(error)) return true;
    throw error;
  }
}

async function takeListed(search: Search): Promise<Accepted | undefined> {
  const { context, options, call } = search;
  for await (const { task } of standingOffers(context, call.by, search)) {
    const taken = (await takenBefore(context, options, call)) ?? (await tryAccept(search, task));
    if (taken !== undefined) return taken;
  }
  // Also where nothing is listed: the task that the first request took is on offer no more.
  return await takenBefore(context, options, call);
}

/** Where nothing may be freed: whether it could be taken then. */
async function takeWaiting(search: Search): Promise<Accepted | undefined> {
  for (const { task } of await search.context.store.catalog.waits({ over: true, limit: pageSize })) {
    const taken = await tryAccept(search, task);
    if (taken !== undefined) return taken;
  }
  return undefined;
}

async function tryAccept(
  { context, options, call, passed, except }: Search,
  task: TaskId,
  offer?: number,
): Promise<Accepted | undefined> {
  if (except.has(task)) return undefined;
  const wanted = offer === undefined ? options : { ...options, offer };
  try {
    return await passingOver(passed, task, async () => await accept(context, task, wanted, call));
  } catch (error) {
    if (isStaffettaError(error) && notForMe.has(error.code)) return undefined;
    throw error;
  }
}
