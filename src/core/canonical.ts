import canonicalize from 'canonicalize';
import { assert } from './assert.ts';
import { StaffettaError } from './error.ts';

/**
 * RFC 8785 canonical JSON. Equal values give equal bytes, so a digest of the text is a digest of the value.
 * Lone surrogates are refused: they have no UTF-8 form and would not survive a round trip. So are numbers that JSON lacks.
 */
export function canonical(value: unknown): string {
  let text: string | undefined;
  try {
    text = canonicalize(value);
  } catch (cause) {
    throw new StaffettaError('invalid-input', `The value has no JSON form: ${(cause as Error).message}.`, {
      cause,
      hint: 'Send well-formed Unicode and finite numbers.',
    });
  }
  assert(text !== undefined, 'canonical form of a value that JSON cannot hold');
  return text;
}
