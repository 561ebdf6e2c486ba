/** Why an attempt failed, in words that fit into the journal. */
import { isStaffettaError } from '../core/base/error.ts';
import { cut } from '../core/base/text.ts';
import { refusalWords } from '../core/packet/refusal-words.ts';

export const whyCharsMax = 2000;

export function whyFailed(error: unknown): string {
  const said = isStaffettaError(error)
    ? refusalWords(error, whyCharsMax)
    : cut(messageOf(error).toWellFormed(), whyCharsMax);
  return said.trim() || 'no reason given';
}

/** Anything can be thrown: also what has no text, or whose text cannot be had. */
function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return '';
  }
}
