import type { Actor } from '../core/task/actor.ts';
import type { Digest } from '../core/journal/digest.ts';

export interface Signature {
  /** SPKI, as DER. Its digest is how the key is named. */
  readonly publicKey: Uint8Array;
  readonly signature: string;
}

/** Signs for the actors of one store. A private key never leaves it. */
export interface Signer {
  /** Undefined where this actor has no key and none can be made: what is recorded then says nothing of a signature. */
  sign(by: Actor, bytes: Uint8Array): Promise<Signature | undefined>;
  /** Whether that key is, or was, this actor's in this store. */
  knows(by: Actor, key: Digest): Promise<boolean>;
}
