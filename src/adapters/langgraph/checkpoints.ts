/** The checkpoints of one thread, put together from its records in their order. */
import type { CheckpointRecord, PutHeader, WritesHeader } from './checkpoint-record.ts';
import { patchOf, wholeBytes, type PatchedBytes } from './patched-bytes.ts';

export interface StoredPart {
  readonly type: string;
  readonly value: PatchedBytes;
}

export interface StoredWrite {
  readonly task: string;
  readonly channel: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

export interface StoredCheckpoint {
  readonly ns: string;
  readonly id: string;
  readonly parent: string | undefined;
  readonly checkpoint: { readonly type: string; readonly bytes: Uint8Array };
  readonly metadata: { readonly type: string; readonly bytes: Uint8Array };
  /** The names of the channels that have a value. */
  readonly values: readonly string[];
  /** What it brought, and what it has from its parent, also of channels that have no value any more. */
  readonly channels: ReadonlyMap<string, StoredPart>;
}

export class Checkpoints {
  readonly #byPlace = new Map<string, StoredCheckpoint>();
  readonly #writes = new Map<string, Map<string, StoredWrite>>();
  readonly #latest = new Map<string, StoredCheckpoint>();

  add({ header, parts }: CheckpointRecord<PutHeader | WritesHeader>): void {
    if (header.kind === 'put') this.#put(header, parts);
    else this.#write(header, parts);
  }

  find(ns: string, id: string): StoredCheckpoint | undefined {
    return this.#byPlace.get(place(ns, id));
  }

  /** By their ids, which are in the order of time. */
  latest(ns: string): StoredCheckpoint | undefined {
    return this.#latest.get(ns);
  }

  writesOf(ns: string, id: string): readonly StoredWrite[] {
    return [...(this.#writes.get(place(ns, id))?.values() ?? [])];
  }

  /** Latest first. */
  all(): StoredCheckpoint[] {
    return [...this.#byPlace.values()].toSorted((a, b) => (a.id < b.id ? 1 : a.id > b.id ? -1 : 0));
  }

  #put(header: PutHeader, parts: readonly Uint8Array[]): void {
    const { ns, id, parent } = header;
    const before = parent === undefined ? undefined : this.find(ns, parent)?.channels;
    const channels = new Map(before);
    for (const [i, { name, type, head, tail }] of header.channels.entries()) {
      const middle = parts[i + 2] ?? new Uint8Array();
      const base = before?.get(name)?.value;
      const value =
        base === undefined || head === undefined || tail === undefined
          ? wholeBytes(middle)
          : patchOf(base, middle, { head, tail });
      channels.set(name, { type, value });
    }
    const stored = {
      ns,
      id,
      parent,
      checkpoint: { type: header.checkpoint.type, bytes: parts[0] ?? new Uint8Array() },
      metadata: { type: header.metadata.type, bytes: parts[1] ?? new Uint8Array() },
      values: header.values,
      channels,
    };
    this.#byPlace.set(place(ns, id), stored);
    if (id >= (this.latest(ns)?.id ?? '')) this.#latest.set(ns, stored);
  }

  /** What a task wrote first counts; marks such as an interrupt are replaced. */
  #write({ ns, id, task, writes }: WritesHeader, parts: readonly Uint8Array[]): void {
    const of = place(ns, id);
    const known = this.#writes.get(of) ?? new Map<string, StoredWrite>();
    this.#writes.set(of, known);
    for (const [i, { channel, idx, type }] of writes.entries()) {
      const key = `${task}\0${idx}`;
      if (idx >= 0 && known.has(key)) continue;
      known.set(key, { task, channel, type, bytes: parts[i] ?? new Uint8Array() });
    }
  }
}

function place(ns: string, id: string): string {
  return `${ns}\0${id}`;
}
