/** Taking a task, for every edge: the one that is named or the next on offer, with its workspace where that is asked for, or a new one. */
import { defined } from '../core/base/defined.ts';
import { StaffettaError } from '../core/base/error.ts';
import type { TaskId } from '../core/journal/id.ts';
import type { Context } from '../handoff/record/context.ts';
import { besideIn, noteFolder, type Beside } from './beside.ts';
import { eventIn, type Call, type Recorded } from '../handoff/record/record.ts';
import { accept, takeNext, type AcceptOptions, type NextOptions } from '../handoff/verbs/take.ts';
import { open, type ContractInput, type OpenOptions } from '../handoff/verbs/open.ts';
import type { TakeRestored, TakeRestoredOptions } from '../handoff/verbs/take-restored.ts';

export interface TakeRequest extends AcceptOptions, Pick<NextOptions, 'onDamaged'> {
  /** Absent: the next one on offer. */
  readonly task?: TaskId | undefined;
  /** Absent: its workspace is left where it is. */
  readonly restore?: TakeRestoredOptions['restore'] | undefined;
}

/** `restored` is absent where no restore was asked for. */
export interface Taken extends Pick<TakeRestored, 'recorded'>, Partial<Pick<TakeRestored, 'restored'>> {
  /** The generation that the caller acts under. */
  readonly granted: number;
  /** Other tasks that are in work in the same folder. */
  readonly beside: () => Promise<readonly Beside[]>;
}

/** A task that is taken as it is opened is worked on in this folder from then on. */
export async function openHere(
  context: Context,
  contract: ContractInput,
  options: OpenOptions,
  call: Call,
): Promise<Recorded> {
  const recorded = await open(context, contract, options, call);
  const { leg, task } = recorded.state;
  if (leg !== null && call.dryRun !== true) noteFolder(context, task);
  return recorded;
}

/** Undefined: nothing is on offer. */
export async function take(context: Context, request: TakeRequest, call: Call): Promise<Taken | undefined> {
  const { task, restore, ...options } = request;
  if (restore !== undefined) {
    const { takeRestored } = await import('../handoff/verbs/take-restored.ts');
    const found = await takeRestored(context, { ...options, restore, ...defined({ task }) }, call);
    const into = restore.worktree === undefined ? undefined : found?.restored?.root;
    return found && { ...found, ...begunHere(context, found.recorded, { call, into }) };
  }
  const recorded =
    task === undefined ? await takeNext(context, options, call) : await accept(context, task, options, call);
  return recorded && { recorded, ...begunHere(context, recorded, { call }) };
}

function begunHere(
  context: Context,
  recorded: Recorded,
  { call, into }: { readonly call: Call; readonly into?: string | undefined },
): Pick<Taken, 'granted' | 'beside'> {
  const { task } = recorded.state;
  const granted = grantedBy(recorded);
  if (call.dryRun !== true) noteFolder(context, task, into);
  return { granted, beside: async () => (into === undefined ? await besideIn(context, task) : []) };
}

/** A repeated request finds what it took, but must not bring a leg back to life that is over. */
function grantedBy({ state, entry, repeated, leaseUntil }: Recorded): number {
  const { task, status, generation, leg } = state;
  const granted = eventIn(entry, 'leg-started')?.generation ?? generation;
  if (!repeated || leg?.generation === granted) return granted;
  throw new StaffettaError(
    'stale-generation',
    `This request took task ${task} as generation ${granted} before, and that leg is over.`,
    {
      details: { task, yours: granted, status, generation, holder: leg?.holder.name ?? null, leaseUntil },
      hint: 'Take again with a new idempotency key.',
    },
  );
}
