import type { Digest } from '../core/digest.ts';
import { parseEntry, type Entry } from '../core/entry.ts';
import { StaffettaError } from '../core/error.ts';
import type { TaskId } from '../core/id.ts';
import { Contract } from '../core/contract.ts';
import { parsePacket, type Packet } from '../core/packet.ts';
import { parse } from '../core/parse.ts';
import type { Context } from './context.ts';
import { entriesOf, load } from './load.ts';

export type HistoryItem =
  | { readonly kind: 'entry'; readonly entry: Entry; readonly digest: Digest }
  | { readonly kind: 'packet'; readonly packet: Packet; readonly digest: Digest }
  | { readonly kind: 'transcript'; readonly packet: Digest; readonly bytes: Uint8Array };

/**
 * Everything every leg left behind, from the first entry to the last, in order: entries, each packet after the entry
 * that sealed it, and each packet's transcript after the packet, byte for byte. Memory holds one page of entries and one
 * piece of transcript, however long the chain is.
 */
export async function* history(context: Context, task: TaskId): AsyncGenerator<HistoryItem> {
  const { state } = await load(context, task);
  for await (const stored of entriesOf(context, task, { to: state.seq })) {
    const entry = parseEntry(stored.body);
    yield { kind: 'entry', entry, digest: stored.digest };
    for (const event of entry.events) {
      if (event.type !== 'checkpoint-sealed') continue;
      const packet = await readPacket(context, event.packet);
      yield { kind: 'packet', packet, digest: event.packet };
      for (const chunk of packet.transcript) {
        yield { kind: 'transcript', packet: event.packet, bytes: await readBlob(context, chunk.blob) };
      }
    }
  }
}

/** Only the transcript bytes, concatenated in order. */
export async function* transcript(context: Context, task: TaskId): AsyncGenerator<Uint8Array> {
  for await (const item of history(context, task)) {
    if (item.kind === 'transcript') yield item.bytes;
  }
}

export async function readPacket(context: Context, digest: Digest): Promise<Packet> {
  return parsePacket(await readBlob(context, digest));
}

export async function readContract(context: Context, digest: Digest): Promise<Contract> {
  return parse(
    Contract,
    JSON.parse(Buffer.from(await readBlob(context, digest)).toString('utf8')),
    'contract',
  );
}

export async function readBlob(context: Context, digest: Digest): Promise<Uint8Array> {
  const bytes = await context.store.blobs.get(digest);
  if (bytes !== undefined) return bytes;
  throw new StaffettaError('blob-missing', `The store has lost ${digest}.`, {
    details: { blob: digest },
    hint: 'Run: staffetta verify. Then restore a backup.',
  });
}
