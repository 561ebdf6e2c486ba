import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { limits } from '../../src/core/base/limits.ts';
import { openStaffetta, type Leg, type Staffetta } from '../../src/index.ts';

const agents = ['ada', 'ben', 'cleo'] as const;

/**
 * A task that goes from hand to hand. A planned hop is noted, handed off, taken and acknowledged: four entries. A hop at the
 * context limit is handed off and taken; only so often is progress noted that the task does not count as going in circles.
 */
export type Hops = 'planned' | 'context-limit';

export class Chain {
  readonly path: string;
  readonly #kind: Hops;
  readonly #relay: Staffetta;
  #leg: Leg;
  #hops = 0;

  private constructor(path: string, kind: Hops, relay: Staffetta, leg: Leg) {
    this.path = path;
    this.#kind = kind;
    this.#relay = relay;
    this.#leg = leg;
  }

  static async begin(path: string, kind: Hops): Promise<Chain> {
    const relay = await openStaffetta({ gate: 'record', store: path });
    return new Chain(path, kind, relay, await relay.begin({ goal: 'Carry the context' }, { as: agents[0] }));
  }

  get hops(): number {
    return this.#hops;
  }

  get task(): string {
    return this.#leg.task;
  }

  async hop(transcript: string | Uint8Array): Promise<void> {
    this.#hops += 1;
    const to = agents[this.#hops % agents.length] ?? agents[0];
    const planned = this.#kind === 'planned';
    if (planned || this.#hops % limits.idleHopsMax === 0) await this.#leg.progress(this.#hops);
    await this.#leg.handoff({ to: `agent:${to}`, transcript, trigger: this.#kind });
    const taken = await this.#relay.take({ task: this.#leg.task, as: to });
    if (taken === undefined) throw new Error(`hop ${this.#hops} was not taken`);
    this.#leg = taken;
    if (planned) await this.#leg.acknowledge();
  }

  /** The size of the database with nothing left in its log. */
  diskBytes(): number {
    const db = new DatabaseSync(this.path);
    try {
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      return statSync(this.path).size;
    } finally {
      db.close();
    }
  }

  async close(): Promise<void> {
    await this.#relay.close();
  }
}
