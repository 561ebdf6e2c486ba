/** A conversation on its way into a packet, beside those that the chain has already. */
import { defined } from '../../core/base/defined.ts';
import type { Digest } from '../../core/journal/digest.ts';
import type { ConversationFact } from '../../core/packet/packet.ts';
import { ConversationBytes, keptOf } from '../../core/formats/shapes/conversation.ts';
import { documentBytesMax, takeApart, type Apart, type ShapeName } from '../../core/formats/shapes/detect.ts';
import type { Context } from '../record/context.ts';
import { readBlobs, readPacket } from '../history/history.ts';

/** All but what the chain had before, which is known when it is appended to. */
export type GivenConversation = Omit<ConversationFact, 'before'>;

/** Of conversations that one chain has side by side, so many are looked at. */
const comparedMax = 4;
/** And not further back than this. */
const packetsMax = 64;

/** Looks at a transcript while it is stored. */
export class GivenTranscript {
  readonly #context: Context;
  readonly #parent: Digest | null;
  readonly #bytes = new ConversationBytes();

  constructor(context: Context, parent: Digest | null) {
    this.#context = context;
    this.#parent = parent;
  }

  push(bytes: Uint8Array): void {
    this.#bytes.push(bytes);
  }

  /** Undefined where nothing here knows its shape. */
  async end(): Promise<GivenConversation | undefined> {
    const conversation = this.#bytes.end();
    if (conversation === null) return undefined;
    const { shape, records, apart } = conversation;
    const goesOn =
      apart === null ? undefined : await goneOnFrom(this.#context, this.#parent, { shape, apart });
    return { shape, records, ...defined({ goesOn }) };
  }
}

async function goneOnFrom(
  context: Context,
  parent: Digest | null,
  { shape: wanted, apart }: { readonly shape: ShapeName; readonly apart: () => Apart | null },
): Promise<GivenConversation['goesOn']> {
  const passed = new Set<Digest>();
  let later: Apart | null = null;
  let compared = 0;
  let at = parent;
  for (let packets = 0; at !== null && packets < packetsMax && compared < comparedMax; packets += 1) {
    const { parent: earlier, facts, transcript } = await readPacket(context, at);
    const { shape, goesOn } = facts?.conversation ?? {};
    const bytes = transcript.reduce((sum, chunk) => sum + chunk.bytes, 0);
    if (shape === wanted && !passed.has(at) && bytes <= documentBytesMax) {
      compared += 1;
      const blobs = await readBlobs(
        context,
        transcript.map(({ blob }) => blob),
      );
      const before = takeApart(Buffer.concat(blobs));
      later ??= apart();
      const kept = before === null || later === null ? 0 : keptOf(before, later);
      if (kept > 0) return { from: at, kept };
    }
    // What was gone on from is compared in what went on.
    if (goesOn !== undefined) passed.add(goesOn.from);
    at = earlier;
  }
  return undefined;
}
