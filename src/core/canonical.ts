import canonicalize from 'canonicalize';
import { assert } from './assert.ts';
import { StaffettaError } from './error.ts';

/**
 * RFC 8785 canonical JSON. Equal values give equal bytes, so a digest of the text is a digest of the value.
 * Lone surrogates are refused: they have no UTF-8 form and would not survive a round trip.
 */
export function canonical(value: unknown): string {
  const text = canonicalize(value);
  assert(text !== undefined, 'canonical form of a value that JSON cannot hold');
  if (!text.isWellFormed()) {
    throw new StaffettaError('invalid-input', 'The text contains half of a surrogate pair.', {
      hint: 'Send well-formed Unicode.',
    });
  }
  return text;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Strict: malformed UTF-8 throws, a byte order mark is kept. */
export function utf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
