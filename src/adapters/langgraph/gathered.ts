/**
 * What nodes of a graph wrote, until it is kept. LangGraph mostly gives the checkpoint that follows in the same turn of the event loop, and waits
 * for both: so they are kept in one entry, with one commit. What cannot be written down is refused by itself.
 */
import type { CheckpointRecord, PutHeader, WritesHeader } from './checkpoint-record.ts';

export type GraphRecord = CheckpointRecord<PutHeader | WritesHeader>;

export interface GatheredWrites {
  readonly record: Promise<GraphRecord>;
  readonly kept: PromiseWithResolvers<void>;
}

export class Gathered {
  #waiting: GatheredWrites[] = [];

  add(record: Promise<GraphRecord>): GatheredWrites {
    const one: GatheredWrites = { record, kept: Promise.withResolvers() };
    // Whoever keeps it may fail before anybody waits for it.
    one.kept.promise.catch(() => undefined);
    this.#waiting.push(one);
    return one;
  }

  has(one: GatheredWrites): boolean {
    return this.#waiting.includes(one);
  }

  /** Keeps all of it, and then the record. */
  async keepWith(
    record: GraphRecord | undefined,
    keep: (records: readonly GraphRecord[]) => Promise<void>,
  ): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    const settled = await Promise.allSettled(waiting.map((one) => one.record));
    const whole = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const records = record === undefined ? whole : [...whole, record];
    try {
      if (records.length > 0) await keep(records);
    } catch (error) {
      for (const { kept } of waiting) kept.reject(error);
      throw error;
    }
    for (const [i, { kept }] of waiting.entries()) {
      const one = settled[i];
      if (one?.status === 'rejected') kept.reject(one.reason);
      else kept.resolve();
    }
  }
}
