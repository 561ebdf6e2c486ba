/** A refusal as it goes on record: the next agent that tries, and a person who looks at a dead letter, must learn what to mend. */
import type { StaffettaError } from '../base/error.ts';
import type { Finding } from '../gate/finding.ts';
import { cut } from '../base/text.ts';

/** What was refused, and each thing in the way with its rule and place, as far as there is room. */
export function refusalWords({ message, details }: StaffettaError, charsMax: number): string {
  const found = details?.['findings'];
  const errors = (Array.isArray(found) ? (found as readonly Finding[]) : []).filter(
    ({ severity }) => severity === 'error',
  );
  let words = message.toWellFormed();
  for (const [n, { rule, path, text }] of errors.entries()) {
    const next = `${words}\n${rule}, ${path}: ${text}`.toWellFormed();
    const rest = `\nand ${errors.length - n} more`;
    if (next.length + rest.length > charsMax) return `${cut(words, charsMax - rest.length)}${rest}`;
    words = next;
  }
  return cut(words, charsMax);
}
