/** A name in a text, and the value that is given to it. */
import type { Span } from '../rule.ts';

const nameCharsMax = 64;
export const bareCharsMax = 512;
const quotedCharsMax = 8192;

/** A bare word ends at white space, a quote or an operator of the shell; a backslash belongs to it unless it starts an escape or ends the line. */
export const shellWord = new RegExp(
  `(?:[^ \\t\\r"'\`;&|<>)\\\\]|\\\\(?![nrtbfvux"'\`\\\\/]|$)){1,${bareCharsMax}}`,
  'y',
);

const nameEnd = /[\w.-]{0,64}/y;
const stringPrefix = /[rbfuRBFU]{0,2}(?=["'`])/y;

/** Of a line of settings that is nothing but a name and a value without white space. */
export const restOfLine = new RegExp(
  `(?!\\[redacted:)[^ \\t\\r"'\`][^ \\t\\r]{0,${bareCharsMax}}(?=[ \\t\\r]*$)`,
  'y',
);

export interface ValueName {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

export type Judge = (value: string) => boolean;

export function nameAt(text: string, at: number): ValueName {
  let start = at;
  while (start > 0 && at - start < nameCharsMax && isNameCode(text.charCodeAt(start - 1))) start--;
  const end = after(nameEnd, text, at) ?? at;
  return { start, end, name: text.slice(start, end).replace(/^[-.]+|[-.]+$/g, '') };
}

/** A letter, a digit or one of _ . - */
function isNameCode(code: number): boolean {
  if (code >= 0x30 && code <= 0x39) return true;
  const upper = code & ~0x20;
  return (upper >= 0x41 && upper <= 0x5a) || code === 0x5f || code === 0x2e || code === 0x2d;
}

export function after(expression: RegExp, text: string, at: number): number | undefined {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : undefined;
}

/** The value that begins here, without its quotes. */
export function valueAt(text: string, at: number, bare: RegExp): Span | undefined {
  const quoted = after(stringPrefix, text, at) ?? at;
  const quote = text.charAt(quoted);
  if (quote === '"' || quote === "'" || quote === '`') return quotedAt(text, quoted + 1, quote);
  const end = after(bare, text, at);
  if (end === undefined) return undefined;
  return { start: at, end: withoutStop(text, at, end) };
}

export function quotedAt(text: string, start: number, quote: string): Span | undefined {
  for (let at = start; at < text.length && at - start < quotedCharsMax; at++) {
    const character = text.charAt(at);
    if (character === '\\') at++;
    else if (character === quote) {
      const goesOn = quote === "'" ? after(quoteInside, text, at) : undefined;
      if (goesOn === undefined) return { start, end: at };
      at = goesOn - 1;
    }
  }
  return undefined;
}

/** The quote that stands right before a place, and nothing that would escape it. */
export function quoteBefore(text: string, start: number): string | undefined {
  const quote = text.charAt(start - 1);
  return /["'`]/.test(quote) && text.charAt(start - 2) !== '\\' ? quote : undefined;
}

/** How a single quote is written between single quotes: of YAML and SQL, of a shell. */
const quoteInside = /''|'"'"'|'\\''/y;

/** A comma or a full stop at the end belongs to the sentence. */
function withoutStop(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && /[,.:]/.test(text.charAt(at - 1))) at--;
  return at;
}

export function judged(text: string, span: Span | undefined, judge: Judge): Span | undefined {
  return span !== undefined && judge(text.slice(span.start, span.end)) ? span : undefined;
}

export function capturedSpan(text: string, at: number, expression: RegExp, judge: Judge): Span | undefined {
  expression.lastIndex = at;
  const match = expression.exec(text);
  if (match === null) return undefined;
  const start = at + (match[1] ?? '').length;
  return judged(text, { start, end: start + (match[2] ?? '').length }, judge);
}

/** No pattern reads more than its fixed length, but of a value that long nothing may stay. */
export function toItsEnd(text: string, span: Span | undefined): Span | undefined {
  if (span === undefined || span.end - span.start < bareCharsMax - 8) return span;
  let { end } = span;
  for (let next = after(shellWord, text, end); next !== undefined; next = after(shellWord, text, end))
    end = next;
  return { start: span.start, end };
}
