import * as z from 'zod/mini';
import { limits } from './limits.ts';

// Everything below 0x20 but tab and newline, DEL, C1, line/paragraph separators, bidi controls, zero-width characters and tags.
const unprintable =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u;
const everyUnprintable = new RegExp(unprintable, 'gu');

/** Most are, and need not be brought into the one form of their letters. */
const plainName = /^[A-Za-z0-9][A-Za-z0-9._@+/-]*$/;

export function isName(value: string): boolean {
  return (
    value.length > 0 &&
    value.length <= limits.nameCharsMax &&
    (plainName.test(value) ||
      (value === value.normalize('NFC') && /^[\p{L}\p{N}][\p{L}\p{N}._@+/-]*$/u.test(value))) &&
    !/(?:^|\/)\.\.?(?:\/|$)|\/\/|\/$/.test(value)
  );
}

/** Agents, runtimes, effects: short, visible, safe in a path, a log line and a shell word. */
export const Name = z
  .string()
  .check(
    z.refine(
      isName,
      `expected 1–${limits.nameCharsMax} letters, digits or . _ @ + / -, starting with a letter or digit`,
    ),
  );

/** One line a person reads in a list. */
export const Title = z.string().check(
  z.minLength(1),
  z.maxLength(limits.titleCharsMax),
  z.refine((text) => text.trim().length > 0, 'expected some text'),
  z.refine(
    (text) => !unprintable.test(text) && !/[\n\t]/.test(text),
    'expected one line without control characters',
  ),
);

/** Free text, any number of lines. Kept as written; shown through a sanitiser. */
export const Text = z.string().check(
  z.refine((text) => text.trim().length > 0, 'expected some text'),
  z.refine((text) => text.isWellFormed(), 'expected well-formed Unicode'),
  z.refine(
    (text) => Buffer.byteLength(text) <= limits.textBytesMax,
    `expected at most ${limits.textBytesMax} bytes; put longer content into a file and name its path`,
  ),
);

export const IdempotencyKey = z.string().check(
  z.minLength(1),
  z.maxLength(limits.keyCharsMax),
  z.refine((key) => !unprintable.test(key) && !/[\n\t]/.test(key), 'expected no control characters'),
);

/** First line of a text, cut to fit a title. */
export function titleFrom(text: string): string {
  const line = (text.split('\n').find((part) => part.trim() !== '') ?? '')
    .replaceAll(everyUnprintable, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return shortened(line, limits.titleCharsMax);
}

/** The beginning of a text, which says that it is no more than that. */
export function shortened(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : `${cut(text, charsMax - 1).trimEnd()}…`;
}

/** The beginning of a text, never ending in half a character. */
export function cut(text: string, charsMax: number): string {
  const beginning = text.slice(0, charsMax);
  return /[\ud800-\udbff]$/.test(beginning) ? beginning.slice(0, -1) : beginning;
}
