import { defined } from '../../core/base/defined.ts';
import { agreedPart, standingContract } from '../../core/contract/added-terms.ts';
import { Contract, sealContract, termsOf } from '../../core/contract/contract.ts';
import type { Command, Fork } from '../../core/task/command.ts';
import { decide } from '../../core/decide/decide.ts';
import { isDigest, type Digest } from '../../core/journal/digest.ts';
import { isEmergency } from '../../core/packet/emergency.ts';
import { linkFaults, parseEntry } from '../../core/journal/entry.ts';
import { openEntry } from '../../core/journal/sealed.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { EventOf } from '../../core/journal/event.ts';
import { fold } from '../../core/fold/fold.ts';
import { taskIdForKey, taskIdFrom, type TaskId } from '../../core/journal/id.ts';
import { parse } from '../../core/base/parse.ts';
import { scopeWidenings } from '../../core/contract/scope.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { Terms } from '../../core/contract/terms.ts';
import { titleFrom } from '../../core/base/text.ts';
import { leaseMsOf, type Context } from '../record/context.ts';
import { readContract, readPacket } from '../history/history.ts';
import { lineage } from '../history/lineage.ts';
import { damaged, entriesOf, load, unknownTask } from '../record/load.ts';
import { metAtOnce, metNeeds, recordMet } from './needs.ts';
import { firstStep, refuseLargeContract, type OpenOptions } from './open.ts';
import { record, type Call, type Recorded } from '../record/record.ts';
import { redactedTexts } from '../record/redacted.ts';
import { versionsOf } from '../views/standing-contract.ts';
import { withStart } from '../record/start.ts';
import { spelledPaths } from '../sealing/watched-paths.ts';
import { touch } from '../record/touch.ts';

export interface ForkInput extends OpenOptions {
  /** The packet to go on from: its digest, at least six digits of it, or `latest`. */
  readonly at: string;
  readonly why: string;
  /** What should be true at the end of the new task; by default the same. */
  readonly goal?: string;
  /** The contract as it should read in the new task, given the one the packet was sealed under. */
  readonly change?: (contract: Contract) => Contract;
  /** What `change` does, in words that do not depend on the contract: for telling a repetition from another request. */
  readonly asked?: unknown;
}

/** Opens a new task that goes on from a packet of another. Its history is shared: nothing of it is stored again. */
export async function fork(
  context: Context,
  origin: TaskId,
  input: ForkInput,
  call: Call,
): Promise<Recorded> {
  const { at, why, goal, change: _change, asked, ...options } = input;
  const task =
    call.key === undefined ? taskIdFrom(context.entropy.bytes(8)) : taskIdForKey(call.by.name, call.key);
  let rest: readonly TaskId[] = [];
  const recorded = await record(context, {
    task,
    call,
    request: { fork: origin, at, why, goal: goal ?? null, asked: asked ?? null, options },
    prepare: async (state, now) => {
      const { point, made } = await whileThere(context, origin, async () => {
        const found = await pointAt(context, origin, at);
        return { point: found, made: await contractFor(context, origin, found, input) };
      });
      rest = made.met.slice(metAtOnce);
      const first = firstStep({ ...options, leaseMs: options.leaseMs ?? leaseMsOf(context) }, call);
      const command: Command = {
        type: 'open',
        contract: made.digest,
        terms: termsOf(made.contract),
        met: made.met.slice(0, metAtOnce),
        first: point.fork.start === null ? await withStart(context, first) : first,
        fork: {
          ...point.fork,
          why,
          widenings: made.widenings,
          ...defined({ agreed: made.agreed }),
        },
      };
      const decision = decide(state, command, { by: call.by, now, leaseUntil: null });
      if (call.dryRun !== true && !(decision instanceof StaffettaError)) {
        await touch(context, origin);
        context.reached('fork:touched');
      }
      return { command, blobs: made.blobs };
    },
  });
  if (call.dryRun !== true) await recordMet(context, task, { met: rest });
  return recorded;
}

/** What a sweep removes while it is read looks damaged; it is gone. */
async function whileThere<T>(context: Context, origin: TaskId, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw (await context.store.journal.head(origin)) === undefined ? unknownTask(origin) : error;
  }
}

interface Point {
  readonly fork: Omit<Fork, 'why' | 'widenings'>;
  /** What the journal of the other task added up to when it sealed the packet. */
  readonly state: TaskState;
}

/** Folds the other journal up to the entry that sealed the packet: who wrote it and what it had waited for stands there. */
async function pointAt(context: Context, task: TaskId, at: string): Promise<Point> {
  const { state: now } = await load(context, task);
  const beginning = at === 'latest' ? now.packet : at.startsWith('sha256:') ? at : `sha256:${at}`;
  if (beginning === null) throw unknownPacket(task, 'no packet yet');
  if (!isDigest(beginning) && !/^sha256:[0-9a-f]{6,63}$/.test(beginning)) {
    throw new StaffettaError('invalid-input', `${JSON.stringify(at)} is no packet digest.`, {
      hint: `Give at least six digits of one, or "latest". They are listed by: staffetta log ${task}`,
    });
  }
  let state: TaskState | undefined;
  for await (const stored of entriesOf(context, task, { to: now.seq })) {
    const before = state === undefined ? undefined : { seq: state.seq, digest: state.head };
    const [fault] = linkFaults(stored, before);
    if (fault !== undefined) throw damaged(task, stored.seq, fault);
    const entry = parseEntry(stored.body);
    state = fold(state, entry, stored.digest);
    const sealed = entry.events.find(
      (event): event is EventOf<'checkpoint-sealed'> =>
        event.type === 'checkpoint-sealed' && event.packet.startsWith(beginning),
    );
    if (sealed === undefined) continue;
    await refuseUnfit(context, sealed);
    const { packet, certification, workspace = null } = sealed;
    const { authors, demands, start } = state;
    const { seq, digest } = stored;
    const fork = { task, seq, digest, packet, certification, workspace, authors, demands, start };
    return { fork, state };
  }
  await refuseInherited(context, now, beginning);
  throw unknownPacket(task, `no packet ${at}`);
}

function unknownPacket(task: TaskId, what: string): StaffettaError {
  return new StaffettaError('unknown-packet', `Task ${task} has ${what}.`, {
    details: { task },
    hint: `Its packets are listed by: staffetta log ${task}`,
  });
}

/** What nobody vouched for is no ground to build on. */
async function refuseUnfit(
  context: Context,
  { packet: digest, certification }: EventOf<'checkpoint-sealed'>,
): Promise<void> {
  const { trigger } = await readPacket(context, digest);
  const emergency = certification === 'valid' && isEmergency(trigger);
  if (certification !== 'draft' && !emergency) return;
  const what =
    certification === 'draft'
      ? 'a draft, which may hold what should not be passed on'
      : `an emergency packet (${trigger}) that passed no gate`;
  throw new StaffettaError('wrong-state', `Packet ${digest} is ${what}.`, {
    details: { packet: digest, certification, trigger },
    hint: 'Fork at the packet before it, or let somebody take the task and seal what is true.',
  });
}

/** A packet from before the task's own fork belongs to the task that sealed it. */
async function refuseInherited(
  context: Context,
  { task, fork: own }: TaskState,
  asked: string,
): Promise<void> {
  if (own === undefined) return;
  for (const { task: origin } of (await lineage(context, task)).slice(0, -1)) {
    const { state } = await load(context, origin);
    for await (const stored of entriesOf(context, origin, { to: state.seq })) {
      for (const event of openEntry(stored).events) {
        if (event.type !== 'checkpoint-sealed' || !event.packet.startsWith(asked)) continue;
        throw new StaffettaError(
          'unknown-packet',
          `Packet ${event.packet} was sealed in task ${origin}, which ${task} was forked from.`,
          {
            details: { task, origin, packet: event.packet },
            hint: `Fork that one: staffetta fork ${origin} --at ${event.packet.slice(7, 19)} --why WHY`,
          },
        );
      }
    }
  }
}

interface Made {
  readonly contract: Contract;
  readonly digest: Digest;
  readonly met: readonly TaskId[];
  readonly widenings: readonly string[];
  readonly agreed?: NonNullable<Fork['agreed']>;
  readonly blobs: readonly Uint8Array[];
}

/**
 * The contract in force when the packet was sealed, with what was asked to change. An actor that may not widen may not escape a
 * limit either that was added since: the new contract is compared with both, then and now.
 */
async function contractFor(
  context: Context,
  origin: TaskId,
  point: Point,
  { goal, change }: ForkInput,
): Promise<Made> {
  const then = await readContract(context, point.state.contract);
  const { state } = await load(context, origin);
  const now = await readContract(context, state.contract);
  const changed = change === undefined ? then : change(then);
  const aimed =
    goal === undefined || goal === then.goal
      ? {}
      : { goal, title: changed.title === then.title ? titleFrom(goal) : changed.title };
  const contract = await redactedTexts(
    await context.redactor(),
    await spelledPaths(context, parse(Contract, { ...changed, ...aimed }, 'contract'), then),
  );
  const { bytes, digest } = sealContract(contract);
  refuseLargeContract(bytes, contract);
  const needs = contract.needs ?? [];
  const known = knownMet(point.state);
  const met = [
    ...needs.filter((need) => known.has(need)),
    ...(await metNeeds(
      context,
      needs.filter((need) => !known.has(need)),
    )),
  ];
  const widenings = [...new Set([...scopeWidenings(then, contract), ...scopeWidenings(now, contract)])];
  const agreed = await agreedOf(context, point, contract);
  return {
    contract,
    digest,
    met,
    widenings,
    ...(agreed === undefined ? {} : { agreed: { contract: agreed.digest, terms: agreed.terms } }),
    blobs: [
      ...(digest === point.state.contract ? [] : [bytes]),
      ...(agreed === undefined ? [] : [agreed.bytes]),
    ],
  };
}

/** What nobody has confirmed there waits here too: a fork confirms nothing. What was asked to change is the caller's word. */
async function agreedOf(
  context: Context,
  { state }: Point,
  contract: Contract,
): Promise<{ readonly digest: Digest; readonly terms: Terms; readonly bytes: Uint8Array } | undefined> {
  const versions = await versionsOf(context, state);
  const standing = standingContract(contract, [...versions, { contract, by: null, generation: 0 }]);
  if (standing.added === undefined) return undefined;
  const agreed = agreedPart(standing);
  return { ...sealContract(agreed), terms: termsOf(agreed) };
}

function knownMet({ terms, unmet }: TaskState): ReadonlySet<TaskId> {
  const waits = new Set(unmet);
  return new Set(terms.needs.filter((need) => !waits.has(need)));
}
