import * as z from 'zod/mini';
import { Text } from './text.ts';

export const diffSides = ['old', 'new'] as const;

/** What a reviewer says; where they name a line, it is one of the new file unless `side` says that it was in the old one. */
export const ReviewFinding = z.strictObject({
  text: Text,
  path: z.optional(z.string().check(z.minLength(1), z.maxLength(4096))),
  line: z.optional(z.int().check(z.minimum(1))),
  side: z.optional(z.enum(diffSides)),
});
export type ReviewFinding = z.infer<typeof ReviewFinding>;

/** `PATH:LINE: text`, `PATH: text` where PATH looks like one, or only text. */
export function findingFrom(given: string): ReviewFinding {
  const match = /^([^\s:]+[./][^\s:]*)(?::(\d{1,9}))?: (.+)$/s.exec(given);
  if (match?.[1] === undefined || match[3] === undefined) return { text: given };
  return { text: match[3], path: match[1], ...(match[2] === undefined ? {} : { line: Number(match[2]) }) };
}

/** `PATH:LINE: text`, whatever the path looks like; `PATH:-LINE: text` of a line that the change removed. */
export function commentFrom(given: string): ReviewFinding | undefined {
  const match = /^(.+?):(-?)([1-9]\d{0,8}):\s*(\S.*)$/s.exec(given);
  const [, path, minus, line, text] = match ?? [];
  if (path === undefined || line === undefined || text === undefined) return undefined;
  return { text, path, line: Number(line), ...(minus === '-' ? { side: 'old' } : {}) };
}

export function findingText({ path, line, side, text }: ReviewFinding): string {
  const number = line === undefined ? '' : `:${side === 'old' ? '-' : ''}${line}`;
  return path === undefined ? text : `${path}${number}: ${text}`;
}
