/** What a person or a supervisor does with work that got stuck: give its holder more time, or give it to somebody else. */
import { addressedLane, type Address } from '../../core/task/address.ts';
import { refuseLease } from '../../core/decide/guard.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { limits } from '../../core/base/limits.ts';
import type { TaskState } from '../../core/task/state.ts';
import { renew } from './carry.ts';
import type { Context } from '../record/context.ts';
import { keyedEntry } from '../record/keyed-entry.ts';
import { load } from '../record/load.ts';
import { offer, refuseUndirected, withdraw } from './offer.ts';
import { escalate } from './outside.ts';
import { record, type Call, type Recorded } from '../record/record.ts';

export interface ExtendInput {
  readonly leaseMs: number;
  readonly why: string;
}

/**
 * Moves the lease of the holder, and leaves the reason with it as a message. The lease first: a crash in between leaves
 * a longer lease that nobody explained, and repeating the call puts that right.
 */
export async function extend(
  context: Context,
  task: TaskId,
  { leaseMs, why }: ExtendInput,
  call: Call,
): Promise<Recorded> {
  const { state, lease } = await load(context, task);
  refuseUndirected(state, call, 'Giving a holder more time');
  const refusal = refuseLease(leaseMs);
  if (refusal !== undefined) throw refusal;
  const repeats = await isKnown(context, task, call);
  let until: number | null = null;
  if (!repeats) {
    if (state.leg === null) throw notHeld(state);
    until =
      call.dryRun === true
        ? Math.max(lease?.until ?? 0, context.clock.now() + leaseMs)
        : await renew(context, { task, generation: state.generation }, leaseMs);
    if (until === null) throw notHeld(state);
  }
  const recorded = await record(context, {
    task,
    call,
    request: { extend: { leaseMs, why } },
    prepare: () => ({
      command: { type: 'message', text: `${extendedWords(until)}: ${why}` },
    }),
  });
  return until === null ? recorded : { ...recorded, leaseUntil: until };
}

/** As a time, to the second: a message is read later, and a lease that was longer already stays as it was. */
function extendedWords(until: number | null): string {
  if (until === null) return 'The lease was extended';
  return `The lease now lasts until ${new Date(until).toISOString().replace(/\.\d+Z$/, 'Z')}`;
}

function notHeld({ task, status }: TaskState): StaffettaError {
  return new StaffettaError('wrong-state', `Task ${task} is ${status}: nobody holds it.`, {
    details: { task, status },
    hint: `See how it stands: staffetta show ${task}`,
  });
}

export interface ReassignInput {
  readonly to: Address;
  readonly why: string;
}

/** More than the longest way from one holder to an offer: withdraw, which may give it back to its giver, escalate, offer. */
const stepsMax = 4;

/**
 * Offers the work to somebody else, wherever it is: a standing offer is withdrawn, and a leg is ended first, so that its holder is
 * fenced. Each step is an entry of its own; a crash in between leaves the task open or escalated, and repeating the call goes on.
 * A caller that gives a task as it was seen moves it from there alone: an offer that was taken since is not there to be withdrawn.
 */
export async function reassign(
  context: Context,
  given: TaskId | TaskState,
  { to, why }: ReassignInput,
  call: Call,
): Promise<Recorded> {
  const first = typeof given === 'string' ? (await load(context, given)).state : given;
  const { task } = first;
  refuseUndirected(first, call, 'Giving work to somebody else');
  const lane =
    addressedLane(to) ??
    first.offer?.lane ??
    first.leg?.lane ??
    first.dead?.lane ??
    first.custody?.lane ??
    'execute';
  const repeats = await isKnown(context, task, call);
  let state = first;
  for (let step = repeats ? stepsMax : 1; step < stepsMax; step += 1) {
    if (state.leg === null && state.offer === null) break;
    const part = { ...call, ...(call.key === undefined ? {} : { key: partKey(call.key, step) }) };
    const recorded =
      state.leg === null
        ? await withdraw(context, task, { why }, part)
        : await escalate(context, task, { text: why }, part);
    // A dry run decides each step on the task as it is; the first is the one that could be refused.
    if (call.dryRun === true) return recorded;
    ({ state } = recorded);
  }
  return await offer(context, task, { to, lane, why }, call);
}

async function isKnown(context: Context, task: TaskId, { key }: Call): Promise<boolean> {
  return key !== undefined && (await keyedEntry(context, task, key)) !== undefined;
}

function partKey(key: string, step: number): string {
  return `${key.slice(0, limits.keyCharsMax - 2)}#${step}`;
}
