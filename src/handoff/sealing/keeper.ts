import { digestOf, type Digest } from '../../core/journal/digest.ts';
import type { Context } from '../record/context.ts';

/** Up to this much travels inside the append itself: one durable write instead of several. A long session leaves some 10 MB. */
export const inlineBytesMax = 12 * 1024 * 1024;

/** Content on its way into the store: the first of it waits for the append, the rest is stored at once. */
export class Keeper {
  readonly inline: Uint8Array[] = [];
  readonly #context: Context;
  readonly #dryRun: boolean;
  /** What waits, by its digest; null for what is stored. */
  readonly #kept = new Map<Digest, Uint8Array | null>();
  #bytes = 0;
  #storing: Promise<void> = Promise.resolve();

  constructor(context: Context, dryRun: boolean) {
    this.#context = context;
    this.#dryRun = dryRun;
  }

  /** The bytes are the keeper's from then on. They are stored by the time that `settle` returns. */
  async keep(bytes: Uint8Array): Promise<Digest> {
    const { blobs } = this.#context.store;
    const digest = this.#dryRun ? digestOf(bytes) : (blobs.begin?.(bytes) ?? digestOf(bytes));
    if (this.#kept.has(digest)) return digest;
    if (this.#bytes + bytes.length <= inlineBytesMax) {
      this.#bytes += bytes.length;
      this.inline.push(bytes);
      this.#kept.set(digest, bytes);
      return digest;
    }
    this.#kept.set(digest, null);
    // One is being stored while the next is searched, and no more than that wait in memory.
    const before = this.#storing;
    this.#storing = this.#storeNext(before, bytes);
    this.#storing.catch(() => {});
    await before;
    return digest;
  }

  async settle(): Promise<void> {
    await this.#storing;
  }

  get digests(): readonly Digest[] {
    return [...this.#kept.keys()];
  }

  /** Once settled. Undefined in a dry run, for what would have been stored. */
  async read(digest: Digest): Promise<Uint8Array | undefined> {
    return this.#kept.get(digest) ?? (await this.#context.store.blobs.get(digest));
  }

  async #storeNext(before: Promise<void>, bytes: Uint8Array): Promise<void> {
    await before;
    if (!this.#dryRun) await this.#context.store.blobs.put(bytes, this.#context.clock.now());
    this.#context.reached('seal:chunk-stored');
  }
}
