/** A world that stands still: time moves when a test says so, and chance repeats itself. */
import type { Actor } from '../../src/core/task/actor.ts';
import type { Context, Gate } from '../../src/handoff/record/context.ts';
import { storeRedactor } from '../../src/compose/redactor.ts';
import { Staffetta } from '../../src/library/staffetta.ts';
import { workspaceOf } from '../../src/compose/workspace.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Entropy } from '../../src/ports/entropy.ts';
import { unobserved, type Reached } from '../../src/ports/step.ts';
import type { Signer } from '../../src/ports/signer.ts';
import type { Tracing } from '../../src/ports/tracing.ts';
import type { Store } from '../../src/ports/store.ts';
import { createWorld, openMemoryStore, type World } from '../../src/stores/memory/open.ts';

/** 2026-01-01T00:00:00Z */
export const dawn = 1_767_225_600_000;

export const ada: Actor = { name: 'ada', kind: 'agent', lane: 'execute' };
export const bea: Actor = { name: 'bea', kind: 'agent', lane: 'execute' };
export const cyd: Actor = { name: 'cyd', kind: 'agent', lane: 'execute' };
export const quinn: Actor = { name: 'quinn', kind: 'agent', lane: 'audit' };
export const pia: Actor = { name: 'pia', kind: 'agent', lane: 'plan' };
export const sol: Actor = { name: 'sol', kind: 'agent', lane: 'supervise' };
export const eve: Actor = { name: 'eve', kind: 'human' };

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

export class HandClock implements Clock {
  #now: number;
  readonly #sleepers = new Set<Sleeper>();

  constructor(now: number = dawn) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (ms <= 0) return;
    await new Promise<void>((resolve, reject) => {
      const abort = (): void => {
        this.#sleepers.delete(sleeper);
        reject(signal?.reason as Error);
      };
      const wake = (): void => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const sleeper: Sleeper = { until: Math.ceil(this.#now + ms), wake };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', abort, { once: true });
    });
  }

  /** How many wait for time to pass. */
  get sleepers(): number {
    return this.#sleepers.size;
  }

  /** Moves time on, waking each sleeper at its own moment and letting it act before the next. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      let next: Sleeper | undefined;
      for (const one of this.#sleepers) if (next === undefined || one.until < next.until) next = one;
      if (next === undefined || next.until > until) break;
      this.#sleepers.delete(next);
      this.#now = Math.max(this.#now, next.until);
      next.wake();
      await quiet();
    }
    this.#now = until;
    await quiet();
  }

  /** Time alone, without waking anybody: a clock read, not waited for. */
  set(now: number): void {
    this.#now = now;
  }
}

/** Everything that can go on without time passing has gone on. */
export async function quiet(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

/** xorshift32: small, seeded, the same everywhere. */
export function seededEntropy(seed = 1): Entropy {
  let state = seed >>> 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
  return {
    bytes: (count) => Uint8Array.from({ length: count }, () => next() & 255),
    fraction: () => next() / 2 ** 32,
  };
}

export interface Stage {
  readonly world: World;
  readonly store: Store;
  readonly clock: HandClock;
  readonly context: Context;
  readonly staffetta: Staffetta;
}

export interface StageOptions {
  readonly store?: Store;
  readonly reached?: Reached;
  readonly seed?: number;
  readonly clock?: HandClock;
  readonly world?: World;
  /** What verbs do is told apart from what the gate thinks of it: by default it only records. */
  readonly gate?: Gate;
  readonly workspace?: Parameters<typeof workspaceOf>[0];
  readonly signer?: Signer;
  readonly tracing?: Tracing;
}

export function stage(options: StageOptions = {}): Stage {
  const world = options.world ?? createWorld();
  const store = options.store ?? openMemoryStore(world);
  const clock = options.clock ?? new HandClock();
  const workspace = workspaceOf(options.workspace);
  const context: Context = {
    store,
    clock,
    entropy: seededEntropy(options.seed),
    reached: options.reached ?? unobserved,
    redactor: storeRedactor(store),
    gate: options.gate ?? 'record',
    ...(options.signer === undefined ? {} : { signer: options.signer }),
    ...(options.tracing === undefined ? {} : { tracing: options.tracing }),
    ...(workspace === undefined ? {} : { workspace }),
  };
  return { world, store, clock, context, staffetta: new Staffetta(context) };
}

/** Everything a memory store holds, as text: two worlds with the same text are the same. */
export function worldText(world: World): string {
  return JSON.stringify(
    {
      tasks: [...world.tasks].map(([id, task]) => [id, { ...task, keys: [...task.keys] }]),
      feed: world.feed,
      blobs: [...world.blobs].map(([digest, blob]) => [digest, blob.bytes.length, blob.putAt]),
      hints: [...world.hints],
      position: world.position,
      receipts: world.receipts,
    },
    undefined,
    1,
  );
}

export interface Interrupted {
  readonly stage: Stage;
  /** Whether the call before which something else happens was ever made. */
  readonly happened: () => boolean;
}

/** The same world through a connection on which something else happens just before its n-th call. */
export function interrupted(from: Stage, nth: number, act: () => Promise<unknown>): Interrupted {
  let calls = 0;
  const wrap = <T extends object>(part: T): T =>
    new Proxy(part, {
      get: (target, name): unknown => {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== 'function') return method;
        return async (...args: unknown[]): Promise<unknown> => {
          calls += 1;
          if (calls === nth) await act();
          return await (Reflect.apply(method, target, args) as Promise<unknown>);
        };
      },
    });
  const { store } = from;
  const watched: Store = {
    ...store,
    journal: wrap(store.journal),
    catalog: wrap(store.catalog),
    blobs: wrap(store.blobs),
    mailbox: wrap(store.mailbox),
  };
  return {
    stage: stage({ store: watched, world: from.world, clock: from.clock }),
    happened: () => calls >= nth,
  };
}
