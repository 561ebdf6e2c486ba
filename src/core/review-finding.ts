import type { ReviewFinding } from './event.ts';

/** `PATH:LINE: text`, `PATH: text` where PATH looks like one, or only text. */
export function findingFrom(given: string): ReviewFinding {
  const match = /^([^\s:]+[./][^\s:]*)(?::(\d{1,9}))?: (.+)$/s.exec(given);
  if (match?.[1] === undefined || match[3] === undefined) return { text: given };
  return { text: match[3], path: match[1], ...(match[2] === undefined ? {} : { line: Number(match[2]) }) };
}
