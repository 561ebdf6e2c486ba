import { digestOf, type Digest } from '../core/journal/digest.ts';
import { limits } from '../core/base/limits.ts';
import type { Content, Loss } from '../core/tree/workspace.ts';
import type { ContentPiece, StoreContent } from '../ports/workspace.ts';
import { Unpacking } from './packed.ts';

const refused = { stored: null, reason: 'unsearchable' } as const;

/** Hands contents to the caller's store until the capture is as large as it may be, and notes what did not fit. */
export class Budget {
  readonly losses: Loss[] = [];
  /** Paths of what was left out for a secret in it: nothing may name the bytes as they were. */
  readonly secret = new Set<string>();
  readonly #store: StoreContent;
  readonly #unpacking = new Unpacking();
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
    piece: Omit<Extract<ContentPiece, { path: string }>, 'packed'>,
    digest: Digest = digestOf(content),
  ): Promise<Content | undefined> {
    const bytes = content.length;
    if (bytes > limits.captureFileBytesMax) return this.lose(piece.path, 'too-large', bytes);
    if (bytes > this.#bytesLeft) return this.lose(piece.path, 'over-total', bytes);
    this.#bytesLeft -= bytes;
    const packed = this.#unpacking.opener(content, piece.path);
    const answer = await this.#store(content, packed === undefined ? piece : { ...piece, packed });
    const { stored, reason } = typeof answer === 'object' ? (answer ?? refused) : { stored: answer };
    if (reason !== undefined) this.lose(piece.path, reason, bytes);
    if (reason === 'secret-inside') this.secret.add(piece.path);
    if (stored === null) return undefined;
    return { bytes, stored, ...(stored === digest ? {} : { redacted: true as const }) };
  }
}
