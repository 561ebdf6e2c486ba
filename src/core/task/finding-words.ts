/** Findings of a reviewer as one text each, and back. Nothing but types is imported: the pages use it too. */
import type { ReviewFinding } from './review-finding.ts';

/** `PATH:LINE: text`, `PATH: text` where PATH looks like one, or only text. What begins with a colon is only text, whatever it says. */
export function findingFrom(given: string): ReviewFinding {
  if (given.startsWith(': ') && given.trim() !== ':') return { text: given.slice(2) };
  const match = /^([^\s:]+)(?::(\d{1,9}))?: (.+)$/s.exec(given);
  if (match?.[1] === undefined || match[3] === undefined || !/.[./]/.test(match[1])) return { text: given };
  return { text: match[3], path: match[1], ...(match[2] === undefined ? {} : { line: Number(match[2]) }) };
}

/** `PATH:LINE: text`, whatever the path looks like; `PATH:-LINE: text` of a line that the change removed, `PATH::text` of the whole file. */
export function commentFrom(given: string): ReviewFinding | undefined {
  const match = /^(.+?):(?:(-?)([1-9]\d{0,8}))?:\s*(\S.*)$/s.exec(given);
  const [, path, minus, line, text] = match ?? [];
  if (path === undefined || text === undefined) return undefined;
  if (line === undefined) return { text, path };
  return { text, path, line: Number(line), ...(minus === '-' ? { side: 'old' } : {}) };
}

export function findingText({ path, line, side, text }: ReviewFinding): string {
  const number = line === undefined ? '' : `:${side === 'old' ? '-' : ''}${line}`;
  return path === undefined ? text : `${path}${number}: ${text}`;
}
