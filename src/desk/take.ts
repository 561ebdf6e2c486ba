/** Taking a task, for every edge: the one that is named or the next on offer, with its workspace where that is asked for, or a new one. */
import { placeOfWork } from '../compose/workspace.ts';
import { defined } from '../core/base/defined.ts';
import { StaffettaError } from '../core/base/error.ts';
import type { TaskId } from '../core/journal/id.ts';
import type { RuntimeName } from '../core/resume/runtime-names.ts';
import { readCheckedPacket } from '../handoff/history/history.ts';
import type { Context } from '../handoff/record/context.ts';
import { letBeHere } from '../home/let-be-here.ts';
import { besideIn, noteFolder, type Beside } from './beside.ts';
import { eventIn, type Call, type Recorded } from '../handoff/record/record.ts';
import type { PlacedSkill } from '../handoff/sealing/skills.ts';
import { accept, takeNext, type AcceptOptions, type NextOptions } from '../handoff/verbs/take.ts';
import { open, type ContractInput, type OpenOptions } from '../handoff/verbs/open.ts';
import type { TakeRestored, TakeRestoredOptions } from '../handoff/verbs/take-restored.ts';

export interface TakeRequest extends AcceptOptions, Pick<NextOptions, 'onDamaged'> {
  /** Absent: the next one on offer. */
  readonly task?: TaskId | undefined;
  /** Absent: its workspace is left where it is. */
  readonly restore?: TakeRestoredOptions['restore'] | undefined;
  /** The program that is to load the skills that came with it, on somebody's word. Absent: they stay in the packet. */
  readonly skillsFor?: RuntimeName | undefined;
}

/** `restored` is absent where no restore was asked for. */
export interface Taken extends Pick<TakeRestored, 'recorded'>, Partial<Pick<TakeRestored, 'restored'>> {
  /** The generation that the caller acts under. */
  readonly granted: number;
  /** Where its work goes on: the worktree that was made, else here. */
  readonly there: Context;
  /** What became of its skills; absent where they stay in the packet. */
  readonly placed?: readonly PlacedSkill[];
  /** Other tasks that are in work in the same folder. */
  readonly beside: () => Promise<readonly Beside[]>;
}

export interface OpenRequest extends OpenOptions {
  /** What failed and is tried anew by it. */
  readonly again?: TaskId;
}

/** A task that is taken as it is opened is worked on in this folder from then on. */
export async function openHere(
  context: Context,
  contract: ContractInput,
  { again, ...options }: OpenRequest,
  call: Call,
): Promise<Recorded> {
  const recorded = await open(context, contract, options, call);
  const { leg, task } = recorded.state;
  if (call.dryRun === true) return recorded;
  if (leg !== null) noteFolder(context, task);
  if (again !== undefined) letBeHere(context.store).note(again);
  return recorded;
}

/** Undefined: nothing is on offer. */
export async function take(context: Context, request: TakeRequest, call: Call): Promise<Taken | undefined> {
  const { task, restore, skillsFor, ...options } = request;
  if (restore !== undefined) {
    const { takeRestored } = await import('../handoff/verbs/take-restored.ts');
    const found = await takeRestored(context, { ...options, restore, ...defined({ task }) }, call);
    const into = restore.worktree === undefined ? undefined : found?.restored?.root;
    return found && { ...found, ...(await begunHere(context, found.recorded, { call, into, skillsFor })) };
  }
  const recorded =
    task === undefined ? await takeNext(context, options, call) : await accept(context, task, options, call);
  return recorded && { recorded, ...(await begunHere(context, recorded, { call, skillsFor })) };
}

interface Begun extends Pick<TakeRequest, 'skillsFor'> {
  readonly call: Call;
  readonly into?: string | undefined;
}

async function begunHere(
  context: Context,
  recorded: Recorded,
  { call: { dryRun = false }, into, skillsFor }: Begun,
): Promise<Omit<Taken, 'recorded' | 'restored'>> {
  const { task, packet } = recorded.state;
  const granted = grantedBy(recorded);
  if (!dryRun) noteFolder(context, task, into);
  const there = into === undefined || dryRun ? context : { ...context, ...placeOfWork(into, context.store) };
  const beside = async (): Promise<Beside[]> => (into === undefined ? await besideIn(context, task) : []);
  if (skillsFor === undefined) return { granted, there, beside };
  const { placeSkills } = await import('../handoff/sealing/skills.ts');
  const latest = packet === null ? null : await readCheckedPacket(context, packet);
  const placed = await placeSkills(there, latest, { runtime: skillsFor, dryRun });
  return { granted, there, beside, placed };
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
