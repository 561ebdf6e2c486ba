import * as z from 'zod/mini';
import { Text } from './text.ts';

/** What a reviewer says, of a line where they name one. */
export const ReviewFinding = z.strictObject({
  text: Text,
  path: z.optional(z.string().check(z.minLength(1), z.maxLength(4096))),
  line: z.optional(z.int().check(z.minimum(1))),
});
export type ReviewFinding = z.infer<typeof ReviewFinding>;

/** `PATH:LINE: text`, `PATH: text` where PATH looks like one, or only text. */
export function findingFrom(given: string): ReviewFinding {
  const match = /^([^\s:]+[./][^\s:]*)(?::(\d{1,9}))?: (.+)$/s.exec(given);
  if (match?.[1] === undefined || match[3] === undefined) return { text: given };
  return { text: match[3], path: match[1], ...(match[2] === undefined ? {} : { line: Number(match[2]) }) };
}
