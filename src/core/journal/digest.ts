import { sha256Hex } from './sha256.ts';
import * as z from 'zod/mini';

/** A content address: the SHA-256 of exact bytes. */
export type Digest = `sha256:${string}`;

const pattern = /^sha256:[0-9a-f]{64}$/;

export const Digest = z.custom<Digest>(
  (value) => typeof value === 'string' && pattern.test(value),
  'expected sha256: and 64 hex digits',
);

export function isDigest(value: string): value is Digest {
  return pattern.test(value);
}

export function digestOf(bytes: Uint8Array | string): Digest {
  return `sha256:${sha256Hex(bytes)}`;
}

/** The 32 bytes behind a digest, for stores that keep them as such. */
export function digestBytes(digest: Digest): Uint8Array {
  return Buffer.from(digest.slice(7), 'hex');
}

export function digestFromBytes(bytes: Uint8Array): Digest {
  return `sha256:${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`;
}
