import type { Digest } from '../../core/journal/digest.ts';
import type { Packet } from '../../core/packet/packet.ts';
import { openPacket } from '../../core/journal/sealed-content.ts';
import type { Context } from '../record/context.ts';

/** So many packets are read together. One may be as long as 1 MB, and usually is a thousandth of that. */
export const packetsAhead = 16;
/** Their pieces are read together up to so many bytes; beyond that, nothing is gained by it. */
const piecesBytesMax = 1024 * 1024;

/** What was read ahead. Whatever is not here has still to be read: it is missing, damaged, or too long to be read ahead. */
export interface Ahead {
  readonly packets: ReadonlyMap<Digest, Packet>;
  readonly pieces: Map<Digest, Uint8Array>;
}

/** Packets and the pieces of their transcripts, in two reads, where the store can read many at once. */
export async function readAhead(context: Context, digests: readonly Digest[]): Promise<Ahead> {
  const packets = new Map<Digest, Packet>();
  const wanted: Digest[] = [];
  let bytes = 0;
  for (const [digest, sealed] of await readable(context, digests)) {
    const packet = readablePacket(sealed);
    if (packet === undefined) continue;
    packets.set(digest, packet);
    for (const piece of packet.transcript) {
      bytes += piece.bytes;
      if (bytes <= piecesBytesMax) wanted.push(piece.blob);
    }
  }
  return { packets, pieces: await readable(context, wanted) };
}

/** A fault shows when its blob's turn comes: until then, what is sound is delivered. */
async function readable(context: Context, digests: readonly Digest[]): Promise<Map<Digest, Uint8Array>> {
  const found = new Map<Digest, Uint8Array>();
  const { blobs } = context.store;
  if (blobs.getMany === undefined || digests.length === 0) return found;
  try {
    const all = await blobs.getMany(digests);
    for (const [i, digest] of digests.entries()) {
      const bytes = all[i];
      if (bytes !== undefined) found.set(digest, bytes);
    }
  } catch {
    return found;
  }
  return found;
}

function readablePacket(sealed: Uint8Array): Packet | undefined {
  try {
    return openPacket(sealed);
  } catch {
    return undefined;
  }
}
