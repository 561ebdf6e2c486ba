/**
 * Private keys over several lines: PEM of every kind (PKCS, OpenSSH, PGP, SSH2) and PuTTY. A block begins with a line that ends in
 * the opening mark and goes on through lines of base64, header lines and empty lines to the closing mark, or to the first line
 * that is none of these. Only the base64 of each line is replaced, each by the same placeholder: no line is added, removed or
 * joined, so a diff still applies, a list of JSON strings stays one, and line numbers stay true.
 *
 * Lines may be indented, quoted, commented, or carry the + or - of a diff.
 */
import type { Span } from './rule.ts';

export const keyBlockAnchors = ['PRIVATE KEY', 'Private-Lines:'] as const;

/** A block this long is closed and a new one begun, so that a stream never waits for more than this. */
export const blockBytesMax = 256 * 1024;

const opening =
  /(?:-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}|^[ \t\r+-]*Private-Lines: \d{1,4})(?:\\[nr]|[ \t\r"'`,;+()\\])*$/;
const closing = /-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}|^[ \t\r+-]*Private-MAC:/;
const header = /^[ \t\r"'`#*>|+-]*[A-Z][A-Za-z-]{2,30}: [^"'`]*/;
// The look ahead keeps a plus at the end of a run from being tried as both run and rest.
const body = /^([ \t\r"'`#*>|,;(-]*)(=?[A-Za-z0-9+/]+(?![A-Za-z0-9+/])={0,2})(?:\\[nr]|[ \t\r"'`,;+()\\])*$/;
const blank = /^(?:[ \t\r"'`#*>|,;+\-\\]|(?<=\\)[nr])*$/;
/** Less than the smallest key there is (Ed25519 in PKCS 8: 64 characters): a stand-in in a manual. */
const keyCharsMin = 40;

/** In the middle of a key: its lines go on as they began. */
export interface Inside {
  /** What a diff puts before its lines, if it is a character of base64 too. */
  readonly diffMark: '+' | '';
  /** A part of this key was already found. */
  readonly continues: boolean;
}

export interface KeyBlock {
  /** The base64 of its lines, joined: equal keys are equal however they were wrapped. */
  readonly secret: string;
  readonly spans: readonly Span[];
  /** Where the first line after it begins. */
  readonly end: number;
  /** How it ended. A block that is `open` reached the end of the text, a `full` one the limit: more may follow. */
  readonly ended: 'closed' | 'open' | 'full';
}

export function opensBlock(line: string): boolean {
  return opening.test(line);
}

/** Reads the lines of a block from `from`, the beginning of the line after its opening mark. */
export function readBlock(
  lineAt: (from: number) => { readonly text: string; readonly next: number } | undefined,
  from: number,
  inside: Inside,
): KeyBlock {
  const spans: Span[] = [];
  const runs: string[] = [];
  const done = (end: number, ended: KeyBlock['ended']): KeyBlock => {
    const secret = runs.join('');
    const isKey = inside.continues || secret.length >= keyCharsMin;
    return { secret, spans: isKey ? spans : [], end, ended };
  };
  let at = from;
  while (at - from < blockBytesMax) {
    const line = lineAt(at);
    if (line === undefined) return done(at, 'open');
    const run = closing.test(line.text) ? undefined : bodyOf(line.text, inside.diffMark);
    if (run === undefined) return done(at, 'closed');
    if (run.end > run.start) {
      spans.push({ start: at + run.start, end: at + run.end });
      runs.push(line.text.slice(run.start, run.end));
    }
    at = line.next;
  }
  return done(at, 'full');
}

/** The base64 of a line; an empty span for a line that belongs to the block but holds none; nothing for one that does not belong. */
function bodyOf(line: string, diffMark: Inside['diffMark']): Span | undefined {
  const mark = diffMark !== '' && line.startsWith(diffMark) ? 1 : 0;
  const text = line.slice(mark);
  const match = body.exec(text);
  if (match !== null) {
    const start = mark + (match[1] ?? '').length;
    return { start, end: start + (match[2] ?? '').length };
  }
  return blank.test(text) || header.test(text) || text.includes('[redacted:')
    ? { start: 0, end: 0 }
    : undefined;
}
