/** A task acted out in the core alone: commands are decided, sealed and folded, and nothing is stored. */
import type { Actor } from '../../src/core/task/actor.ts';
import type { Command, Decision, Fork, OfferTerms } from '../../src/core/task/command.ts';
import { termsOf, type Contract } from '../../src/core/contract/contract.ts';
import type { Terms } from '../../src/core/contract/terms.ts';
import { decide } from '../../src/core/decide/decide.ts';
import { digestOf, type Digest } from '../../src/core/journal/digest.ts';
import { sealEntry, type Entry, type SealedEntry } from '../../src/core/journal/entry.ts';
import { StaffettaError, type ErrorCode } from '../../src/core/base/error.ts';
import type { Event } from '../../src/core/journal/event.ts';
import { fold } from '../../src/core/fold/fold.ts';
import type { TaskId } from '../../src/core/journal/id.ts';
import type { TaskState } from '../../src/core/task/state.ts';
import { ada, dawn } from './world.ts';

export const minute = 60_000;
export const packetA: Digest = digestOf('packet a');
export const packetB: Digest = digestOf('packet b');
export const contractA: Digest = digestOf('contract a');
export const contractB: Digest = digestOf('contract b');
export const treeA: Digest = digestOf('tree a');
export const treeB: Digest = digestOf('tree b');
export const needA: TaskId = 't0000000000a1';
export const needB: TaskId = 't0000000000b2';

/** A packet of another task that quinn has written. */
export const forkA: Fork = {
  task: needA,
  seq: 3,
  digest: digestOf('entry 3'),
  packet: packetA,
  certification: 'ready',
  workspace: treeA,
  authors: ['quinn'],
  demands: ['It touches a protected path.'],
  start: { head: 'a'.repeat(40), branch: 'main' },
  why: 'Another way.',
  widenings: [],
};

export function terms(more: Partial<Omit<Contract, 'v' | 'goal'>> = {}): Terms {
  return termsOf({ v: 1, title: 'Mend the fence', goal: 'The fence stands.', ...more });
}

export const toExecute: OfferTerms = { to: 'lane:execute', lane: 'execute' };
export const toAudit: OfferTerms = { to: 'lane:audit', lane: 'audit' };

export interface Told {
  readonly entry: Entry;
  readonly sealed: SealedEntry;
}

export class Play {
  readonly task: TaskId = 't000000000042';
  readonly told: Told[] = [];
  now = dawn;
  /** As renewed; null means as granted. */
  renewedUntil: number | null = null;
  #state: TaskState | undefined;

  get state(): TaskState {
    if (this.#state === undefined) throw new Error('the task is not open yet');
    return this.#state;
  }

  get maybe(): TaskState | undefined {
    return this.#state;
  }

  /** The generation a holder would give. */
  get generation(): number {
    return this.state.generation;
  }

  ask(by: Actor, command: Command): Decision {
    const granted = this.#state?.leg?.leaseUntil;
    const leaseUntil = granted === undefined ? null : (this.renewedUntil ?? granted);
    return decide(this.#state, command, { by, now: this.now, leaseUntil });
  }

  /** The refusal, which must be one. */
  refusal(by: Actor, command: Command): StaffettaError {
    const decision = this.ask(by, command);
    if (decision instanceof StaffettaError) return decision;
    throw new Error(`${command.type} was not refused: ${JSON.stringify(decision)}`);
  }

  code(by: Actor, command: Command): ErrorCode {
    return this.refusal(by, command).code;
  }

  /** Decides and folds; a refusal is thrown. Returns the events. */
  run(by: Actor, command: Command): readonly Event[] {
    const decision = this.ask(by, command);
    if (decision instanceof StaffettaError) throw decision;
    if (decision.length > 0) this.tell(by, decision);
    return decision;
  }

  /** Folds events without asking `decide`. */
  tell(by: Actor, events: readonly Event[]): TaskState {
    const entry: Entry = {
      v: 1,
      task: this.task,
      seq: this.told.length,
      prev: this.#state?.head ?? null,
      at: this.now,
      by,
      events,
    };
    const sealed = sealEntry(entry);
    this.#state = fold(this.#state, entry, sealed.digest);
    this.told.push({ entry, sealed });
    if (this.#state.leg === null) this.renewedUntil = null;
    return this.#state;
  }

  open(
    by: Actor = ada,
    more: {
      readonly terms?: Terms;
      readonly met?: readonly TaskId[];
      readonly first?: Extract<Command, { type: 'open' }>['first'];
      readonly fork?: Fork;
    } = {},
  ): this {
    this.run(by, {
      type: 'open',
      contract: contractA,
      terms: more.terms ?? terms(),
      met: more.met ?? [],
      first: more.first ?? null,
      ...(more.fork === undefined ? {} : { fork: more.fork }),
    });
    return this;
  }

  /** Opened and held at once, as `begin` does. */
  begin(by: Actor = ada, more: { readonly terms?: Terms } = {}): this {
    return this.open(by, { ...more, first: { take: by.lane ?? 'execute', leaseMs: minute } });
  }

  offered(by: Actor = ada, offer: OfferTerms = toExecute, more: { readonly terms?: Terms } = {}): this {
    return this.open(by, { ...more, first: offer });
  }

  accept(by: Actor): this {
    this.run(by, { type: 'accept', offer: null, met: [], leaseMs: minute });
    return this;
  }

  /** Takes and acknowledges. */
  take(by: Actor): this {
    this.accept(by);
    return this.acknowledge(by);
  }

  acknowledge(by: Actor): this {
    this.run(by, { type: 'acknowledge', generation: this.generation, goal: 'g', gate: 'g', next: 'n' });
    return this;
  }

  handoff(by: Actor, offer: OfferTerms = toExecute): this {
    this.run(by, { type: 'handoff', generation: this.generation, offer, sealed: null });
    return this;
  }

  progress(by: Actor, at = 1): this {
    this.run(by, {
      type: 'carry',
      generation: this.generation,
      events: [{ type: 'progress-moved', at }],
    });
    return this;
  }

  submit(by: Actor, packet: Digest | null = packetA): this {
    this.run(by, {
      type: 'submit',
      generation: this.generation,
      sealed: packet === null ? null : { packet, certification: 'ready' },
    });
    return this;
  }

  intend(by: Actor, effect = 'deploy', token = 'token-1'): this {
    this.run(by, { type: 'intend-effect', generation: this.generation, effect, token, retry: false });
    return this;
  }
}

/** Who held a task, told from its events alone, and every moment at which two did or the wrong leg ended. */
export function handOvers(events: readonly Event[]): { holding: number | null; faults: string[] } {
  let holding: number | null = null;
  const faults: string[] = [];
  for (const event of events) {
    if (event.type === 'leg-started') {
      if (holding !== null) faults.push(`leg ${event.generation} started while leg ${holding} lasted`);
      holding = event.generation;
    } else if (event.type === 'leg-ended' || event.type === 'leg-lapsed') {
      if (event.generation !== holding) faults.push(`leg ${event.generation} ended while ${holding} lasted`);
      holding = null;
    }
  }
  return { holding, faults };
}
