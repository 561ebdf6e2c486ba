/** Every verb that leaves a packet: gather what goes into it, seal and judge it, and record it with whatever else happens. */
import type { Command, Sealed } from '../../core/task/command.ts';
import { refuseNonHolder } from '../../core/decide/guard.ts';
import { isEmergency } from '../../core/packet/emergency.ts';
import { missingIn } from '../../core/packet/missing.ts';
import { isStaffettaError, StaffettaError } from '../../core/base/error.ts';
import { notReadyWords } from '../../core/packet/readiness.ts';
import type { Digest } from '../../core/journal/digest.ts';
import type { Certification, Trigger } from '../../core/journal/event.ts';
import type { Finding } from '../../core/gate/finding.ts';
import type { Occasion } from '../../core/gate/subject.ts';
import type { PacketWords } from '../../core/packet/packet.ts';
import { legLease } from '../../core/task/standing.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { Head } from '../../ports/journal.ts';
import type { Held } from '../verbs/carry.ts';
import type { Context } from '../record/context.ts';
import { isBound } from './bound.ts';
import { readFindings } from './findings.ts';
import { gather, type GatherOptions, type Material, type PacketInput } from './gather.ts';
import { readCheckedPacket, readContract } from '../history/history.ts';
import { keyedEntry } from '../record/keyed-entry.ts';
import { headInLeg } from '../record/known-states.ts';
import { stateAt, unknownTask } from '../record/load.ts';
import { eventIn, record, type Call, type Recorded } from '../record/record.ts';
import { callerNames, textsIn } from '../record/redacted.ts';
import { beginSealing } from '../record/trace.ts';
import { keepWork } from '../record/work-left.ts';
import { seal, type SealedPacket, type Sealing } from './seal.ts';

export interface SealedRecord extends Recorded {
  readonly certification: Certification;
  readonly findings: readonly Finding[];
  /** In an emergency, what the packet lacks, in words; the receiver is told to ask for it. */
  readonly missing: readonly string[];
}

export interface SealingRequest {
  readonly occasion: Occasion;
  readonly input: PacketInput;
  readonly call: Call;
  readonly trigger: Trigger;
  /** The tool seals it alone: nobody could be asked. */
  readonly unasked?: boolean | undefined;
  /** A program waits for it, and may be cut off: in an emergency no diff is made. */
  readonly hurried?: boolean | undefined;
  /** What somebody said in this call, where that is not all that is given. */
  readonly spoken?: PacketWords | undefined;
  /** What was asked besides the packet: for telling a repetition from another request. */
  readonly asked?: unknown;
  readonly aim?: (state: TaskState) => Pick<Sealing, 'to' | 'lane' | 'why'>;
  readonly command: (sealed: Sealed, state: TaskState) => Command;
}

export async function sealAndRecord(
  context: Context,
  held: Held,
  request: SealingRequest,
): Promise<SealedRecord> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await sealOnce(context, held, request);
    } catch (error) {
      if (!(error instanceof OtherParent) || tries === triesMax) throw error;
    }
  }
}

/** While a session was captured, another packet was sealed, perhaps with the same records: what is new must be found again. */
class OtherParent extends StaffettaError {
  constructor(task: string) {
    super('conflict', `Other packets of task ${task} were sealed at the same time.`, { hint: 'Try again.' });
  }
}

const triesMax = 8;

async function sealOnce(context: Context, held: Held, request: SealingRequest): Promise<SealedRecord> {
  const { occasion, call, trigger, unasked, hurried, spoken } = request;
  const { task, generation, taken } = held;
  const repeated = await isRepeated(context, held, call);
  const start = repeated ? undefined : await startFor(context, held, request);
  const from = start?.state;
  const emergency = isEmergency(trigger);
  const dryRun = repeated || call.dryRun === true;
  const parent = from?.packet ?? null;
  const material = await gather(context, request.input, {
    dryRun,
    emergency,
    noDiff: emergency && hurried === true,
    since: from?.start ?? null,
    onto: from?.terms.integrate?.onto,
    content: from !== undefined && isBound(from),
    besides: [...callerNames(call), ...textsIn(request.asked)],
    parent,
    skills:
      from === undefined || context.skills === undefined ? undefined : await skillsOf(context, from, request),
  });
  let latest: SealedPacket | undefined;
  const span = from === undefined || dryRun ? undefined : await beginSealing(context, from, occasion);
  const trace = span?.traceparent ?? undefined;
  try {
    const recorded = await record(context, {
      task,
      call,
      request: { [occasion]: material.request, generation, asked: request.asked ?? null },
      clean: material.clean,
      head: start?.head,
      prepare: async (state, now) => {
        if (state === undefined) return { command: { type: 'fail', generation, why: occasion } };
        if (material.facts.session !== undefined && state.packet !== parent) throw new OtherParent(task);
        const aim = request.aim?.(state) ?? { lane: state.leg?.lane ?? 'execute' };
        latest = await seal(context, material, {
          state,
          now,
          call,
          occasion,
          trigger,
          unasked,
          spoken,
          trace,
          taken,
          ...aim,
          why: await withoutSecrets(context, material, aim.why),
        });
        return { command: request.command(latest.sealed, state), blobs: latest.blobs };
      },
    });
    span?.end(context.clock.now());
    if (occasion === 'handoff' && recorded.entry !== null && !dryRun) handOn(context, latest);
    return await withFindings(context, recorded, latest);
  } catch (error) {
    // A leg that could not be ended goes on: its span is told when it ends.
    if (occasion === 'checkpoint')
      span?.end(context.clock.now(), isStaffettaError(error) ? error.code : 'bug');
    throw withDetails(error, latest, occasion);
  }
}

/** What lies in a workspace is told by facts that others may hold: then it is read back. */
function handOn({ store, workspace }: Context, latest: SealedPacket | undefined): void {
  if (latest === undefined || workspace !== undefined) return;
  const { digest, packet, contract, blobs } = latest;
  keepWork(store, digest, { packet, contract }, blobs[0]?.length ?? 0);
}

/** The packet says why it was sealed, as the entry does. */
async function withoutSecrets(
  context: Context,
  { clean }: Pick<Material, 'clean'>,
  why: string | undefined,
): Promise<string | undefined> {
  return why === undefined || clean.has(why) ? why : (await (await context.redactor()).text(why)).value;
}

/** An agent that was not said to be of a program speaks through the session that it is captured from. */
async function skillsOf(
  context: Context,
  { contract }: TaskState,
  { call, input }: SealingRequest,
): Promise<NonNullable<GatherOptions['skills']>> {
  const { skills = [] } = await readContract(context, contract);
  return { named: skills, runtime: call.by.runtime ?? input.session?.runtime };
}

/** A repetition is not asked again whether it may, and stores nothing. */
async function isRepeated(context: Context, { task }: Held, { key }: Call): Promise<boolean> {
  return key !== undefined && (await keyedEntry(context, task, key)) !== undefined;
}

/** A caller that may not write should not fill the store with what will be refused. */
async function startFor(
  context: Context,
  held: Held,
  { call, occasion }: SealingRequest,
): Promise<{ readonly head: Head; readonly state: TaskState }> {
  // What is captured goes by how the task stands, and takes longer than asking. A checkpoint also tells until when the lease runs.
  const isKnown = context.workspace === undefined && occasion !== 'checkpoint';
  const left = isKnown ? headInLeg(context.store, held.task, held.generation) : undefined;
  const head = left ?? (await context.store.journal.head(held.task));
  if (head === undefined) throw unknownTask(held.task);
  const state = await stateAt(context, head);
  const leaseUntil = legLease(head.lease)?.until ?? null;
  const asked = { by: call.by, now: context.clock.now(), leaseUntil };
  const refusal = refuseNonHolder(state, asked, held.generation);
  if (refusal !== undefined) throw refusal;
  return { head, state };
}

async function withFindings(
  context: Context,
  recorded: Recorded,
  latest: SealedPacket | undefined,
): Promise<SealedRecord> {
  if (!recorded.repeated && latest !== undefined)
    return {
      ...recorded,
      certification: latest.certification,
      findings: latest.findings,
      missing: latest.missing,
    };
  const event = eventIn(recorded.entry, 'checkpoint-sealed');
  return {
    ...recorded,
    certification: event?.certification ?? 'draft',
    findings: await readFindings(context, event?.findings ?? null),
    missing: event === undefined ? [] : await missingOf(context, event.packet),
  };
}

async function missingOf(context: Context, digest: Digest): Promise<string[]> {
  const packet = await readCheckedPacket(context, digest);
  return isEmergency(packet.trigger) ? missingIn(packet, await readContract(context, packet.contract)) : [];
}

/** A refusal by the gate says what was found. */
function withDetails(error: unknown, latest: SealedPacket | undefined, occasion: Occasion): unknown {
  if (!isStaffettaError(error, 'not-ready') || latest === undefined) return error;
  // Errors that do not hold it up are no reason for the refusal.
  const inHaste = error.details['inHaste'] === true;
  const findings = latest.findings.filter(
    (one) => !inHaste || one.severity !== 'error' || latest.mendable.includes(one),
  );
  const { task } = latest.packet;
  const because = findings.filter(({ severity }) => severity === 'error').map(({ text }) => text);
  return new StaffettaError('not-ready', notReadyWords(task, occasion, because), {
    details: { task, occasion, certification: latest.certification, findings },
    hint: 'Mend what is listed and try again.',
    cause: error,
  });
}
