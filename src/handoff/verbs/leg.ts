import { defined } from '../../core/base/defined.ts';
import { systemActor, type Actor, type Lane } from '../../core/task/actor.ts';
import type { Address } from '../../core/task/address.ts';
import { assert } from '../../core/base/assert.ts';
import type { CarryEvent, Restatement } from '../../core/task/command.ts';
import type { Contract } from '../../core/contract/contract.ts';
import { refuseNonHolder } from '../../core/decide/guard.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { ReviewFinding } from '../../core/task/review-finding.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { Packet } from '../../core/packet/packet.ts';
import { openContract, openPacket } from '../../core/journal/sealed-content.ts';
import { checkKind, checkPositiveMs, checkShape, type Shape } from '../../core/base/shape.ts';
import type { TaskState } from '../../core/task/state.ts';
import { amend, amendmentOf } from './amend.ts';
import * as carrying from './carry.ts';
import type { Context } from '../record/context.ts';
import * as effects from './effect.ts';
import * as finish from './finish.ts';
import { handoff, type HandoffInput } from './handoff.ts';
import { history, readBlobs, type HistoryItem } from '../history/history.ts';
import { freezeWhole } from '../record/known-states.ts';
import { load } from '../record/load.ts';
import type { ContractInput } from './open.ts';
import * as outside from './outside.ts';
import * as phasing from './phase.ts';
import { eventIn, type Recorded } from '../record/record.ts';
import type { PacketInput } from '../sealing/gather.ts';
import type { ReadBefore } from '../views/readable.ts';
import type { RecordedRun } from './run.ts';
import type { TakenOver } from '../sealing/subject.ts';
import type { SealedRecord } from '../sealing/sealing.ts';
import type { Accepted } from './take.ts';
import { validate, type ValidateOptions } from './validate.ts';

/** Options of a single change. */
export interface Once {
  readonly key?: string;
  readonly dryRun?: boolean;
}

const onceShape: Shape<Once> = { key: 'text', dryRun: 'flag' };
const packetShape: Shape<PacketInput> = {
  claims: 'object',
  artefacts: 'list',
  skills: 'list',
  losses: 'list',
  transcript: 'any',
  media: 'text',
  session: 'any',
};
const endingShape: Shape<EndingInput> = { ...packetShape, acknowledge: 'flag' };
const checkpointShape: Shape<finish.CheckpointInput> = { ...packetShape, trigger: 'text' };
const handoffShape: Shape<HandoffInput> = {
  ...packetShape,
  to: 'text!',
  lane: 'text',
  trigger: 'text',
  why: 'text',
  expiresMs: 'number',
};

export interface EndingInput extends PacketInput {
  /** The leg is acknowledged in the same entry, where that was not done yet: for a program that hands in what was made under its eyes. */
  readonly acknowledge?: boolean;
}

/**
 * The holder's handle: a task, and the generation that proves the right to write. When another leg has started, every
 * method refuses with `stale-generation`; nothing a former holder does can reach the task.
 */
export class Leg implements carrying.Held {
  readonly task: TaskId;
  readonly generation: number;
  readonly lane: Lane;
  readonly holder: Actor;
  readonly leaseMs: number;
  readonly contract: Contract;
  /** What the giver left; null on the first leg. */
  readonly received: Packet | null;
  readonly #context: Context;
  /** With what it took over, in which nothing can be changed any more. */
  readonly #held: carrying.Held;

  private constructor(
    context: Context,
    state: TaskState,
    read: { readonly contract: Contract; readonly received: Packet | null },
  ) {
    assert(state.leg !== null, 'a leg handle needs a held task');
    this.#context = context;
    this.task = state.task;
    this.generation = state.leg.generation;
    this.lane = state.leg.lane;
    this.holder = state.leg.holder;
    this.leaseMs = state.leg.leaseMs;
    this.contract = freezeWhole(read.contract);
    this.received = read.received;
    this.#held = { task: this.task, generation: this.generation, taken: takenOver(state, read) };
  }

  /**
   * The leg that an entry started. A repeated request finds the entry again, but not always the leg: another one may be on by
   * now, in other hands, and must not be reached through an old key.
   */
  static async startedBy(context: Context, { state, entry, leaseUntil, read }: Accepted): Promise<Leg> {
    const generation = eventIn(entry, 'leg-started')?.generation ?? 0;
    const by = entry?.by ?? systemActor;
    const refusal = refuseNonHolder(state, { by, now: state.updatedAt, leaseUntil }, generation);
    if (refusal !== undefined) throw refusal;
    return await Leg.from(context, state, read);
  }

  /** What was read before it was taken is not read again. */
  static async from(context: Context, state: TaskState, read?: ReadBefore): Promise<Leg> {
    if (state.leg === null) {
      throw new StaffettaError('wrong-state', `Task ${state.task} is ${state.status}; nobody holds it.`, {
        details: { task: state.task, status: state.status },
        hint: `See: staffetta show ${state.task}`,
      });
    }
    const { received } = state.leg;
    if (read?.of.contract === state.contract && read.of.packet === received)
      return new Leg(context, state, { contract: read.contract, received: read.packet });
    const named = received === null ? [state.contract] : [state.contract, received];
    const [contract, packet] = await readBlobs(context, named);
    assert(contract !== undefined, 'a contract was read and is not there');
    return new Leg(context, state, {
      contract: openContract(contract),
      received: packet === undefined ? null : openPacket(packet),
    });
  }

  /** Given to tools, so that they can refuse what comes from a former holder. */
  get fence(): string {
    return `${this.task}/${this.generation}`;
  }

  #call(once: Once = {}): { by: Actor } & Once {
    checkShape('leg', once, onceShape);
    return { by: this.holder, ...once };
  }

  /** Restates what was taken over. A program that acts on the packet by construction may leave the words out. */
  async acknowledge(words: Partial<Restatement> = {}, once?: Once): Promise<void> {
    checkShape('acknowledge', words, { goal: 'text', gate: 'text', next: 'text' });
    await carrying.acknowledge(this.#context, this, { ...this.#restated(), ...words }, this.#call(once));
  }

  #restated(): Restatement {
    const { goal, acceptance = [] } = this.contract;
    const next = this.received?.claims.next ?? 'Begin.';
    return { goal, gate: acceptance.join('\n') || 'None was stated.', next };
  }

  async note(text: string, once?: Once): Promise<void> {
    await this.carry([{ type: 'note', text }], once);
  }

  async decide(
    text: string,
    more: { readonly why?: string; readonly rejected?: readonly string[] } = {},
    once?: Once,
  ): Promise<void> {
    checkShape('decide', more, { why: 'text', rejected: 'list' });
    await this.carry([{ type: 'decision-made', text, ...more }], once);
  }

  async ask(
    question: string,
    more: { readonly options?: readonly string[]; readonly owner?: Address } = {},
    once?: Once,
  ): Promise<number> {
    checkShape('ask', more, { options: 'list', owner: 'text' });
    const { entry } = await this.carry([{ type: 'decision-raised', question, ...more }], once);
    const raised = eventIn(entry, 'decision-raised');
    assert(raised !== undefined, 'a question was asked and not recorded');
    return raised.decision;
  }

  /** Remembers a dead end, so that nobody walks into it again. */
  async ruleOut(what: string, why: string, once?: Once): Promise<void> {
    await this.carry([{ type: 'attempt-failed', what, why }], once);
  }

  async progress(
    at: number,
    more: { readonly of?: number; readonly unit?: string; readonly cursor?: string } = {},
    once?: Once,
  ): Promise<void> {
    checkShape('progress', more, { of: 'number', unit: 'text', cursor: 'text' });
    await this.carry([{ type: 'progress-moved', at, ...more }], once);
  }

  /** Counts what this leg used since it was last counted. */
  async countUsage(usage: Omit<outside.UsageInput, 'leg'>, once?: Once): Promise<Recorded> {
    checkShape('countUsage', usage, { source: 'text!', tokens: 'number!', cost: 'object' });
    const { task, generation } = this;
    return await outside.countUsage(
      this.#context,
      task,
      { ...usage, leg: generation, generation },
      this.#call(once),
    );
  }

  async carry(events: readonly CarryEvent[], once?: Once): Promise<Recorded> {
    checkKind('carry: events', events, 'list');
    return await carrying.carry(this.#context, this, events, this.#call(once));
  }

  /**
   * Keeps what a program of yours needs to go on, several at once in one entry; `relay.kept` returns it. Secrets in it stay in it. The first in a
   * leg acknowledges it.
   */
  async keep(program: string, bytes: Uint8Array | readonly Uint8Array[], once?: Once): Promise<Recorded> {
    const blobs: readonly unknown[] = Array.isArray(bytes) ? bytes : [bytes];
    if (!blobs.every((one) => one instanceof Uint8Array))
      throw new StaffettaError('invalid-input', 'keep: bytes: expected bytes.', {
        hint: 'Give a Uint8Array or a Buffer, or a list of them.',
      });
    const kept = { program, blobs, restated: this.#restated() };
    return await carrying.keepForProgram(this.#context, this, kept, this.#call(once));
  }

  /** The messages that wait, oldest first. They wait on until `markRead` says that they were dealt with. */
  async messages(): Promise<outside.WaitingMessage[]> {
    return await outside.messagesFor(this.#context, this, this.#call());
  }

  /** Says that these messages were dealt with. One that came since still waits. */
  async markRead(messages: readonly outside.WaitingMessage[], once?: Once): Promise<void> {
    const last = messages.at(-1);
    if (last !== undefined) await outside.markRead(this.#context, this, last.seq, this.#call(once));
  }

  async checkpoint(input: finish.CheckpointInput = {}, once?: Once): Promise<SealedRecord> {
    checkShape('checkpoint', input, checkpointShape);
    return await finish.checkpoint(this.#context, this.#held, input, this.#call(once));
  }

  /** Runs the contract's commands in the workspace and records how each ended: what a packet says of tests is held against it. */
  async validate(
    options: Omit<ValidateOptions, 'generation'> = {},
    once?: Once,
  ): Promise<readonly RecordedRun[]> {
    const fenced = { ...options, generation: this.generation };
    return await validate(this.#context, this.task, fenced, this.#call(once));
  }

  async startPhase(phase: string, once?: Once): Promise<Recorded> {
    return await phasing.startPhase(this.#context, this, phase, this.#call(once));
  }

  /** Runs what verifies the phase; one without commands needs to be told what shows that it is done. */
  async verifyPhase(
    phase: string,
    options: phasing.PhaseOptions & { readonly because?: string } = {},
    once?: Once,
  ): Promise<phasing.PhaseOutcome> {
    return await phasing.verifyPhase(this.#context, this, { ...options, phase }, this.#call(once));
  }

  /** Runs what undoes the phase. */
  async rollBackPhase(
    phase: string,
    options: phasing.PhaseOptions & { readonly why: string },
    once?: Once,
  ): Promise<phasing.PhaseOutcome> {
    return await phasing.rollBackPhase(this.#context, this, { ...options, phase }, this.#call(once));
  }

  async handoff(input: HandoffInput, once?: Once): Promise<SealedRecord> {
    checkShape('handoff', input, handoffShape);
    checkPositiveMs('handoff: expiresMs', input.expiresMs);
    return await handoff(this.#context, this.#held, input, this.#call(once));
  }

  async submit(input: EndingInput = {}, once?: Once): Promise<SealedRecord> {
    checkShape('submit', input, endingShape);
    return await finish.submit(this.#context, this.#held, this.#ending(input), this.#call(once));
  }

  async complete(input: EndingInput = {}, once?: Once): Promise<SealedRecord> {
    checkShape('complete', input, endingShape);
    return await finish.complete(this.#context, this.#held, this.#ending(input), this.#call(once));
  }

  #ending({ acknowledge, ...input }: EndingInput): finish.RestatedInput {
    return acknowledge === true ? { ...input, restated: this.#restated() } : input;
  }

  /** From an audit leg: ends it, and gives the work back to its author, or to somebody else, with what must change. */
  async sendBack(
    findings: readonly ReviewFinding[],
    more: { readonly to?: Address } = {},
    once?: Once,
  ): Promise<Recorded> {
    checkKind('sendBack: findings', findings, 'list');
    checkShape('sendBack', more, { to: 'text' });
    const { received } = (await this.state()).leg ?? { received: null };
    const verdict = {
      approve: false,
      packet: received,
      findings,
      ...more,
      generation: this.generation,
    } as const;
    return await finish.review(this.#context, this.task, verdict, this.#call(once));
  }

  async fail(why: string, once?: Once): Promise<Recorded> {
    return await finish.fail(this.#context, this, why, this.#call(once));
  }

  async retry(why: string, once?: Once): Promise<Recorded> {
    return await finish.retry(this.#context, this, why, this.#call(once));
  }

  async decline(reasons: readonly string[], once?: Once): Promise<Recorded> {
    checkKind('decline: reasons', reasons, 'list');
    const input = { reasons, generation: this.generation };
    return await carrying.decline(this.#context, this.task, input, this.#call(once));
  }

  async escalate(text: string, once?: Once): Promise<Recorded> {
    return await outside.escalate(
      this.#context,
      this.task,
      { text, generation: this.generation },
      this.#call(once),
    );
  }

  /** Changes the contract: fields that are given read so from now on. Outside the plan and supervise lanes it may only be narrowed. */
  async amend(change: Partial<ContractInput>, why: string, once?: Once): Promise<Recorded> {
    checkKind('amend: change', change, 'object');
    const amendment = { ...amendmentOf(change, why), generation: this.generation };
    return await amend(this.#context, this.task, amendment, this.#call(once));
  }

  /** Acts on the world at most once on record; see the effect ledger. */
  async effect<T>(
    name: string,
    perform: (handle: effects.EffectHandle) => Promise<T> | T,
    options?: effects.EffectOptions,
  ): Promise<T> {
    checkKind('effect: perform', perform, 'function');
    if (options !== undefined) checkShape('effect', options, { ifUnknown: 'text' });
    return await effects.effect(
      this.#context,
      this,
      { name, perform, ...defined({ options }) },
      this.#call(),
    );
  }

  async settle(name: string, outcome: 'done' | 'failed', receipt?: unknown): Promise<void> {
    await effects.settle(this.#context, this, { name, outcome, ...defined({ receipt }) }, this.#call());
  }

  /** Extends the lease. Null means that the leg is over. */
  async renew(leaseMs: number = this.leaseMs): Promise<number | null> {
    return await carrying.renew(this.#context, this, leaseMs);
  }

  async state(): Promise<TaskState> {
    return (await load(this.#context, this.task)).state;
  }

  /** Everything all legs before this one left, in order. */
  history(): AsyncGenerator<HistoryItem> {
    return history(this.#context, this.task);
  }
}

/** Of the packet a copy: a program may change what it received. */
function takenOver(
  { contract, leg }: TaskState,
  read: { readonly contract: Contract; readonly received: Packet | null },
): TakenOver {
  const terms = { digest: contract, terms: read.contract };
  if (read.received === null || leg === null || leg.received === null)
    return { contract: terms, packet: null };
  const { task, contract: under, generation, head } = read.received;
  return {
    contract: terms,
    packet: { digest: leg.received, task, contract: under, generation, head: { ...head } },
  };
}
