import type { Digest } from '../core/journal/digest.ts';

/**
 * Content-addressed bytes.
 * BS1 `put` returns the SHA-256 of the bytes; putting the same bytes again stores nothing new.
 * BS2 When `put` returns, the bytes are durable.
 * BS3 `get` returns exactly the bytes put, or undefined if the store has none of that digest.
 * BS4 `get` never returns bytes that do not match their digest: it throws `corrupt`.
 * BS5 `remove` deletes only a blob that was last put before the given time, and says whether it did.
 * BS6 Putting a blob that is there, alone or with an append, counts as a new put for BS5, so that a sweep cannot take it from under a writer. It never makes the last put earlier.
 * BS7 `list` returns every blob once, in ascending order of digest, a page at a time, each with its size and last put.
 * BS8 A blob over the size limit is refused with `too-large`, and nothing is stored: nothing of the append either that brought it.
 * BS9 `getMany`, where a store has it, returns for each digest what `get` returns, in the order asked; where `get` would throw for one, it throws.
 * BS10 `begin`, where a store has it, returns the digest of bytes that are put later, alone or with an append, and are not changed until then. It stores nothing, and a put without it is no different.
 */
export interface BlobStore {
  put(bytes: Uint8Array, at: number): Promise<Digest>;
  get(digest: Digest): Promise<Uint8Array | undefined>;
  /** Where several cost less together than one by one. All of them are in memory at once: ask for as many as may be. */
  readonly getMany?: (digests: readonly Digest[]) => Promise<readonly (Uint8Array | undefined)[]>;
  /** Where making bytes ready takes long, it goes on meanwhile. */
  readonly begin?: (bytes: Uint8Array) => Digest;
  remove(digest: Digest, putBefore: number): Promise<boolean>;
  list(after: Digest | undefined, limit: number): Promise<readonly BlobInfo[]>;
}

export interface BlobInfo {
  readonly digest: Digest;
  readonly bytes: number;
  readonly putAt: number;
}
