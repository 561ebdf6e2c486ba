import type { Lane } from '../core/actor.ts';
import type { Address } from '../core/address.ts';
import type { Sealed } from '../core/command.ts';
import { digestOf, type Digest } from '../core/digest.ts';
import { StaffettaError } from '../core/error.ts';
import type { Trigger } from '../core/event.ts';
import { limits } from '../core/limits.ts';
import { Packet, sealPacket, type Chunk, type Claims } from '../core/packet.ts';
import { parse } from '../core/parse.ts';
import type { TaskState } from '../core/state.ts';
import type { Context } from './context.ts';
import type { Call } from './record.ts';

/** What an agent leaves behind. Everything is optional; an empty packet still marks the place. */
export interface PacketInput {
  readonly claims?: Claims;
  readonly artefacts?: Packet['artefacts'];
  /** The reasoning since the last packet, as the runtime wrote it. */
  readonly transcript?: string | Uint8Array | AsyncIterable<Uint8Array>;
  readonly media?: string;
}

/** Transcripts are cut into pieces of this size, so that reading them back needs no more memory than one. */
const chunkBytes = 1024 * 1024;
/** Up to this much travels inside the append itself: one durable write instead of several. */
const inlineBytesMax = 4 * 1024 * 1024;

export interface Material {
  readonly input: PacketInput;
  readonly chunks: readonly Chunk[];
  readonly inline: readonly Uint8Array[];
}

/** Stores what is large before the journal is touched. Done once, however often the append has to be tried. */
export async function gather(context: Context, input: PacketInput, dryRun = false): Promise<Material> {
  const chunks: Chunk[] = [];
  const inline: Uint8Array[] = [];
  let total = 0;
  for await (const bytes of pieces(input.transcript)) {
    total += bytes.length;
    if (total > limits.transcriptBytesMax) {
      throw new StaffettaError(
        'too-large',
        `The transcript is longer than the ${limits.transcriptBytesMax} bytes that one packet may add.`,
        { hint: 'Send only what is new since the last packet, or seal several checkpoints.' },
      );
    }
    const large = total > inlineBytesMax;
    if (!large) inline.push(bytes);
    const blob =
      large && !dryRun ? await context.store.blobs.put(bytes, context.clock.now()) : digestOf(bytes);
    if (large) context.reached('seal:chunk-stored');
    chunks.push({ blob, bytes: bytes.length, ...(input.media === undefined ? {} : { media: input.media }) });
  }
  return { input, chunks, inline };
}

async function* pieces(transcript: PacketInput['transcript']): AsyncGenerator<Uint8Array> {
  if (transcript === undefined) return;
  if (typeof transcript === 'string' || transcript instanceof Uint8Array) {
    const bytes = typeof transcript === 'string' ? Buffer.from(transcript) : transcript;
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
    return;
  }
  let waiting: Uint8Array[] = [];
  let size = 0;
  for await (const part of transcript) {
    for (let at = 0; at < part.length;) {
      const piece = part.subarray(at, at + chunkBytes - size);
      waiting.push(piece);
      size += piece.length;
      at += piece.length;
      if (size < chunkBytes) continue;
      yield Buffer.concat(waiting);
      waiting = [];
      size = 0;
    }
  }
  if (size > 0) yield Buffer.concat(waiting);
}

export interface Occasion {
  readonly trigger: Trigger;
  readonly to?: Address;
  readonly lane: Lane;
}

export interface SealedPacket {
  readonly sealed: Sealed;
  readonly blobs: readonly Uint8Array[];
  readonly packet: Digest;
}

/** Builds the packet for the state it will be appended to. Pure but for the announcement. */
export function seal(
  context: Context,
  material: Material,
  made: { readonly state: TaskState; readonly now: number; readonly call: Call; readonly occasion: Occasion },
): SealedPacket {
  const { state, now, call, occasion } = made;
  const packet = parse(
    Packet,
    {
      v: 1,
      task: state.task,
      parent: state.packet,
      contract: state.contract,
      generation: state.generation,
      head: { seq: state.seq, digest: state.head },
      at: now,
      from: call.by,
      ...(occasion.to === undefined ? {} : { to: occasion.to }),
      lane: occasion.lane,
      trigger: occasion.trigger,
      claims: material.input.claims ?? {},
      artefacts: material.input.artefacts ?? [],
      transcript: material.chunks,
    },
    'packet',
  );
  const { bytes, digest } = sealPacket(packet);
  context.reached('seal:packet-built');
  return {
    sealed: { packet: digest, certification: 'valid' },
    blobs: [bytes, ...material.inline],
    packet: digest,
  };
}
