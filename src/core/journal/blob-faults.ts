/** What is wrong with a blob, in the same words in every store. */
import { StaffettaError } from '../base/error.ts';
import { limits } from '../base/limits.ts';
import type { Digest } from './digest.ts';

export function refuseLargeBlob(bytes: Uint8Array): void {
  if (bytes.length <= limits.blobBytesMax) return;
  throw new StaffettaError(
    'too-large',
    `A blob of ${bytes.length} bytes is over the limit of ${limits.blobBytesMax}.`,
    { hint: 'Store it in pieces.' },
  );
}

export function damagedBlob(digest: Digest, cause?: unknown): StaffettaError {
  return new StaffettaError('corrupt', `Blob ${digest} does not match its digest.`, {
    cause,
    details: { blob: digest },
    hint: 'Run: staffetta verify. Then restore a backup.',
  });
}
