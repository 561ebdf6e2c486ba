import { isDigest, type Digest } from '../../core/journal/digest.ts';
import type { Entry } from '../../core/journal/entry.ts';
import { isStaffettaError, StaffettaError } from '../../core/base/error.ts';
import type { Event } from '../../core/journal/event.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { parseContract, type Contract } from '../../core/contract/contract.ts';
import { parsePacket, type Packet } from '../../core/packet/packet.ts';
import { openContract, openPacket } from '../../core/journal/sealed-content.ts';
import type { Context } from '../record/context.ts';
import { lineage, type Stretch } from './lineage.ts';
import { neededBy } from './needed.ts';
import { resolveTask, soundPages } from '../record/load.ts';
import { packetsAhead, readAhead, type Ahead } from './read-ahead.ts';

export type HistoryItem =
  | { readonly kind: 'entry'; readonly entry: Entry; readonly digest: Digest }
  | { readonly kind: 'packet'; readonly packet: Packet; readonly digest: Digest }
  | { readonly kind: 'transcript'; readonly packet: Digest; readonly bytes: Uint8Array };

/**
 * Everything every leg left behind, from the first entry to the last, in order: entries, each packet after the entry
 * that sealed it, and each packet's transcript after the packet, byte for byte. A fork begins with what it was forked from, up to
 * the entry that sealed the packet it starts with. Before all this stands the same of what the task needed, and of what that needed:
 * each journal once, however many waited for it. Memory holds one page of entries, a few packets and 1 MB of transcript,
 * however long the chain is.
 */
export async function* history(context: Context, given: string): AsyncGenerator<HistoryItem> {
  const told = new Map<TaskId, number>();
  for (const task of (await neededBy(context, await resolveTask(context, given))).order)
    for (const stretch of await lineage(context, task)) {
      const from = (told.get(stretch.task) ?? -1) + 1;
      if (from <= stretch.seq) yield* historyOf(context, stretch, from);
      told.set(stretch.task, Math.max(from - 1, stretch.seq));
    }
}

/** Of the task alone, and of what it was forked from: the names of steps are counted in this. */
export async function* ownHistory(context: Context, task: TaskId): AsyncGenerator<HistoryItem> {
  for (const stretch of await lineage(context, task)) yield* historyOf(context, stretch);
}

/** From an entry on: where two forks share an origin, it is told once. */
async function* historyOf(context: Context, stretch: Stretch, from = 0): AsyncGenerator<HistoryItem> {
  // Pages, not entries: every value that passes an asynchronous generator costs as much as reading it from the disk cache.
  for await (const whole of soundPages(context, stretch)) {
    const page = from === 0 ? whole : whole.filter(({ entry }) => entry.seq >= from);
    const sealed = page.flatMap(({ entry }) => entry.events.flatMap(sealedBy));
    let ahead: Ahead | undefined;
    let done = 0;
    for (const { entry, digest } of page) {
      yield { kind: 'entry', entry, digest };
      for (const name of entry.events.flatMap(sealedBy)) {
        if (done % packetsAhead === 0)
          ahead = await readAhead(context, sealed.slice(done, done + packetsAhead));
        done += 1;
        const packet = ahead?.packets.get(name) ?? (await readPacket(context, name));
        yield { kind: 'packet', packet, digest: name };
        for (const { blob } of packet.transcript) {
          const bytes = ahead?.pieces.get(blob) ?? (await readBlob(context, blob));
          // Given away: a caller that gets the same piece again must not find what the first one did with it.
          ahead?.pieces.delete(blob);
          yield { kind: 'transcript', packet: name, bytes };
        }
      }
    }
  }
}

function sealedBy(event: Event): readonly Digest[] {
  return event.type === 'checkpoint-sealed' ? [event.packet] : [];
}

/** Only the transcript bytes, concatenated in order. */
export async function* transcript(context: Context, task: TaskId): AsyncGenerator<Uint8Array> {
  for await (const item of history(context, task)) {
    if (item.kind === 'transcript') yield item.bytes;
  }
}

export async function readPacket(context: Context, digest: Digest): Promise<Packet> {
  return openPacket(await readBlob(context, digest));
}

/** The same, with every field looked at again: for what is shown, or acted on, field by field. */
export async function readCheckedPacket(context: Context, digest: Digest): Promise<Packet> {
  return parsePacket(await readBlob(context, digest));
}

/** A packet by a digest that somebody gives, which may be any. */
export async function findPacket(context: Context, digest: Digest): Promise<Packet> {
  const bytes = await givenBlob(context, digest);
  try {
    if (bytes !== undefined) return parsePacket(bytes);
  } catch (error) {
    if (!isStaffettaError(error, 'corrupt')) throw error;
  }
  throw new StaffettaError('unknown-packet', `This store has no packet ${digest}.`, {
    details: { packet: digest },
    hint: 'The log of a task names the digest of each of its packets: staffetta log TASK',
  });
}

export async function findContract(context: Context, digest: Digest): Promise<Contract> {
  const bytes = await givenBlob(context, digest);
  try {
    if (bytes !== undefined) return parseContract(bytes);
  } catch (error) {
    if (!isStaffettaError(error, 'corrupt')) throw error;
  }
  throw new StaffettaError('invalid-input', `This store has no contract ${digest}.`, {
    details: { contract: digest },
    hint: 'The state of a task names the digest of its contract.',
  });
}

async function givenBlob(context: Context, digest: unknown): Promise<Uint8Array | undefined> {
  if (typeof digest === 'string' && isDigest(digest)) return await context.store.blobs.get(digest);
  const shown = typeof digest === 'string' ? JSON.stringify(digest) : String(digest);
  throw new StaffettaError('invalid-input', `A digest is sha256: and 64 hex digits, not ${shown}.`, {
    hint: 'Give it whole, as the log or the state of a task has it.',
  });
}

export async function readContract(context: Context, digest: Digest): Promise<Contract> {
  return openContract(await readBlob(context, digest));
}

export async function readBlob(context: Context, digest: Digest): Promise<Uint8Array> {
  return found(await context.store.blobs.get(digest), digest);
}

/** A few blobs, short ones: all of them are in memory at once. */
export async function readBlobs(context: Context, digests: readonly Digest[]): Promise<Uint8Array[]> {
  const { blobs } = context.store;
  const all =
    (await blobs.getMany?.(digests)) ??
    (await Promise.all(digests.map(async (digest) => await blobs.get(digest))));
  return digests.map((digest, i) => found(all[i], digest));
}

function found(bytes: Uint8Array | undefined, digest: Digest): Uint8Array {
  if (bytes !== undefined) return bytes;
  throw new StaffettaError('blob-missing', `The store has lost ${digest}.`, {
    details: { blob: digest },
    hint: 'Run: staffetta verify. Then restore a backup.',
  });
}
