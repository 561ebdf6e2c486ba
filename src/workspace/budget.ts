import { digestOf, type Digest } from '../core/digest.ts';
import { limits } from '../core/limits.ts';
import type { Content, Loss } from '../core/workspace.ts';
import type { Piece, StoreContent } from '../ports/workspace.ts';

/** Hands contents to the caller's store until the capture is as large as it may be, and notes what did not fit. */
export class Budget {
  readonly losses: Loss[] = [];
  readonly #store: StoreContent;
  #bytesLeft: number = limits.captureBytesMax;

  constructor(store: StoreContent) {
    this.#store = store;
  }

  lose(path: string, reason: Loss['reason'], bytes: number): undefined {
    this.losses.push({ path, reason, bytes });
    return undefined;
  }

  /** Undefined if it did not fit. */
  async keep(
    content: Uint8Array,
    piece: Extract<Piece, { path: string }>,
    digest: Digest = digestOf(content),
  ): Promise<Content | undefined> {
    const bytes = content.length;
    if (bytes > limits.captureFileBytesMax) return this.lose(piece.path, 'too-large', bytes);
    if (bytes > this.#bytesLeft) return this.lose(piece.path, 'over-total', bytes);
    this.#bytesLeft -= bytes;
    const stored = await this.#store(content, piece);
    if (stored === null) return this.lose(piece.path, 'unsearchable', bytes);
    return { bytes, stored, ...(stored === digest ? {} : { redacted: true as const }) };
  }
}
