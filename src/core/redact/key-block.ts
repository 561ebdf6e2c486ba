/**
 * Private keys over several lines: PEM of every kind (PKCS, OpenSSH, PGP, SSH2) and PuTTY. A block begins with a line that ends in
 * the opening mark and goes on through lines of base64, header lines and empty lines to the closing mark, or to the first line
 * that is none of these. Only the base64 of each line is replaced, each by the same placeholder: no line is added, removed or
 * joined, so a diff still applies, a list of JSON strings stays one, and line numbers stay true.
 *
 * Keys are shown by programs that put something before every line: a number, a file's name, a time, the sign of a diff, a quote. What
 * it is does not matter. A line belongs to the key if
 *
 *   nothing but signs stands before its base64,
 *   or what stands there is what stood before the opening mark or before the line above, apart from numbers and white space, or ends
 *     in the same column,
 *   or its base64 is as long as the lines of a key are
 */
import { endingRun, leadCharsMax, leadEnd } from './lead.ts';
import { hasBothCases } from './plausible.ts';
import type { Span } from './rule.ts';
import { uncoloured, type View } from './view.ts';

export const keyBlockAnchors = ['PRIVATE KEY', 'Private-Lines:'] as const;

/** A block this long is closed and a new one begun, so that a stream never waits for more than this. */
export const blockBytesMax = 256 * 1024;

const opening =
  /(?:-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}|(?<![\w-])Private-Lines: \d{1,4})(?:\\[nr]|\^M|\xe2\x94\x82|[ \t\r"'`,;+()\\|$])*$/;
const closing = /-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}|(?<![\w-])Private-MAC:/;
const header = /^[ \t\r"'`#*>|+-]*[A-Z][A-Za-z-]{2,30}: [^"'`]*/;
// The look ahead keeps a plus at the end of a run from being tried as both run and rest. Behind the base64 may stand the quote and the
// plus of a programming language, the frame of a table, what `cat -A` shows of a line's end.
const body =
  /^([ \t\r"'`#*>|,;(-]*)(=?[A-Za-z0-9+/]+(?![A-Za-z0-9+/])={0,2})(?:\\[nr]|\^M|\xe2\x94\x82|[ \t\r"'`,;+()\\|$])*$/;
const blank = /^(?:[ \t\r"'`#*>|,;+\-\\$]|\^M|\xe2\x94\x82|(?<=\\)[nr])*$/;
/** Less than the smallest key there is (Ed25519 in PKCS 8: 64 characters): a stand-in in a manual. */
const keyCharsMin = 40;
/** Keys are wrapped at 64 characters or more. */
const wrappedCharsMin = 60;

/** In the middle of a key: its lines go on as they began. */
export interface Inside {
  /** What stood before the opening mark, and before the base64 of the last line. */
  readonly leads: readonly string[];
  /** A part of this key was already found. */
  readonly continues: boolean;
}

export interface KeyBlock {
  /** The base64 of its lines, joined: equal keys are equal however they were wrapped. */
  readonly secret: string;
  readonly spans: readonly Span[];
  /** The base64 of each. */
  readonly runs: readonly string[];
  /** Where the first line after it begins. */
  readonly end: number;
  /** How it ended. A block that is `open` reached the end of the text, a `full` one the limit: more may follow. */
  readonly ended: 'closed' | 'open' | 'full';
  /** For what follows. */
  readonly inside: Inside;
}

/** What the lines of the key begin with that this line opens; `undefined` if it opens none. */
export function opensBlock(line: string): Inside | undefined {
  const { text } = shownOf(line);
  const match = opening.exec(text);
  if (match === null) return undefined;
  const lead = text.slice(0, match.index);
  // Behind the number of the line may stand the name that the key is given to.
  const numbered = lead.length > leadCharsMax ? lead : (/^.*\d[^A-Za-z0-9]*/.exec(lead)?.[0] ?? lead);
  return { leads: [lead, numbered], continues: false };
}

/** Reads the lines of a block from `from`, the beginning of the line after its opening mark. */
export function readBlock(
  lineAt: (from: number) => { readonly text: string; readonly next: number } | undefined,
  from: number,
  before: Inside,
): KeyBlock {
  const spans: Span[] = [];
  const runs: string[] = [];
  let { leads } = before;
  const done = (end: number, ended: KeyBlock['ended']): KeyBlock => {
    const secret = runs.join('');
    const isKey = before.continues || secret.length >= keyCharsMin;
    return { secret, spans: isKey ? spans : [], runs, end, ended, inside: { leads, continues: true } };
  };
  let at = from;
  while (at - from < blockBytesMax) {
    const line = lineAt(at);
    if (line === undefined) return done(at, 'open');
    const shown = shownOf(line.text);
    const run = closing.test(shown.text) ? undefined : bodyOf(shown.text, leads);
    if (run === undefined) return done(at, 'closed');
    if (run.end > run.start) {
      spans.push({ start: at + shown.sourceStart(run.start), end: at + shown.sourceEnd(run.end) });
      runs.push(shown.text.slice(run.start, run.end));
      leads = [...leads.slice(0, 2), shown.text.slice(0, run.start)];
    }
    at = line.next;
  }
  return done(at, 'full');
}

/** A program's colours are no part of the line. */
function shownOf(line: string): View {
  return line.includes('\x1b[')
    ? uncoloured(line)
    : { text: line, sourceStart: (at) => at, sourceEnd: (at) => at };
}

/** The base64 of a line; an empty span for a line that belongs to the block but holds none; nothing for one that does not belong. */
function bodyOf(line: string, leads: readonly string[]): Span | undefined {
  const ends = [...leads.flatMap((lead) => [leadEnd(line, lead), columnOf(line, lead)]), 0].filter(
    (end) => end !== undefined,
  );
  for (const from of ends) {
    const match = body.exec(line.slice(from));
    if (match === null) continue;
    const start = from + (match[1] ?? '').length;
    return { start, end: start + (match[2] ?? '').length };
  }
  const isEmpty = ends.some((from) => blank.test(line.slice(from)) || header.test(line.slice(from)));
  return isEmpty || line.includes('[redacted:') ? { start: 0, end: 0 } : wrappedIn(line);
}

/** Whatever stands before it: base64 to the end of the line, as long as the lines of a key. */
function wrappedIn(line: string): Span | undefined {
  const run = endingRun(line);
  return run.end - run.start >= wrappedCharsMin && hasBothCases(line.slice(run.start, run.end))
    ? run
    : undefined;
}

/** Programs that put names before lines align what comes behind them. */
function columnOf(line: string, lead: string): number | undefined {
  const at = lead.length;
  return at > 0 && at < leadCharsMax && line.charAt(at - 1) === lead.charAt(at - 1) ? at : undefined;
}
