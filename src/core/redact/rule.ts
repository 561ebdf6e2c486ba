/**
 * A rule knows one kind of secret. Its anchors are literals without which it cannot match; wherever one of them stands, `find`
 * looks at the text around it and answers what to replace, if anything.
 *
 * Patterns see byte strings of one line, and name white space: `\s` would also match 0xA0, a byte of many letters in UTF-8.
 *
 * Patterns are linear. Each is tried only at an anchor, and consumes a run of characters only from the run's beginning (the
 * boundary before it says so) or up to a fixed length, so no text makes it read the same characters again and again. A token whose
 * prefix is a word of its own may stand behind a minus or an underscore, as in the name of a file or a branch; what is glued to its end
 * by one is taken with it, since both are characters of tokens.
 */
import { defined } from '../base/defined.ts';
export interface SecretRule {
  readonly id: string;
  readonly anchors: readonly string[];
  /** Letters of the anchors match in either case. */
  readonly fold?: boolean;
  readonly find: (text: string, at: number) => Span | undefined;
  /**
   * For anchors that are part of ordinary words: whether the bytes around one leave any chance, be they escaped or not. Whatever
   * this turns away, `find` would too.
   */
  readonly glance?: (bytes: Uint8Array, anchor: Span) => boolean;
  /** The secret in pieces that can be looked for elsewhere, without what may differ between two copies of it. */
  readonly known?: (secret: string) => readonly string[];
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Not inside a longer word. */
export const wordStart = '(?<![A-Za-z0-9])';
/** For prefixes that nothing else has: a digit before one may be the number of a line. */
export const prefixStart = '(?<![A-Za-z])';
/** Not inside a longer word or a run of base64url; the minus that a diff puts at the start of a line is no part of one. */
export const runStart = '(?:(?<![A-Za-z0-9_-])|(?<=^-))';
export const wordEnd = '(?![A-Za-z0-9])';
export const runEnd = '(?![A-Za-z0-9_-])';
/** Where the length is known and the end may be glued to something: `…-old`, `…_bak`. */
export const gluedEnd = `(?:[_-][A-Za-z0-9_-]{0,64})?${runEnd}`;

interface PatternOptions extends Pick<SecretRule, 'fold' | 'glance'> {
  readonly accept?: (secret: string) => boolean;
  /** Where a quote was opened before the secret, it goes on to the one that closes it. */
  readonly quoted?: true;
}

const wordCharsMax = 256;

/** Of a word that begins with a quote: an argument of a command. */
function toClosingQuote(text: string, { start, end }: Span): Span {
  const before = text.slice(Math.max(0, start - wordCharsMax), start);
  const quote = /(?:^|[ \t=<]|-[A-Za-z])(["'])[^"' \t]*$/.exec(before)?.[1];
  const close = quote === undefined ? -1 : text.slice(0, end + 2 * wordCharsMax).indexOf(quote, end);
  return { start, end: Math.max(end, close) };
}

/**
 * A rule made of one pattern that begins at its anchor. With groups, the first is what stands before the secret and the second is
 * the secret; without, all of it is.
 */
export function patternRule(
  id: string,
  anchors: readonly string[],
  pattern: string,
  options: PatternOptions = {},
): SecretRule {
  const expression = new RegExp(pattern, options.fold === true ? 'iy' : 'y');
  return {
    id,
    anchors,
    ...defined({ fold: options.fold, glance: options.glance }),
    find: (text, at) => {
      const first = spanAt(expression, text, at);
      if (first === undefined) return undefined;
      const span = options.quoted === true ? toClosingQuote(text, first) : first;
      return options.accept?.(text.slice(span.start, span.end)) === false ? undefined : span;
    },
  };
}

function spanAt(expression: RegExp, text: string, at: number): Span | undefined {
  expression.lastIndex = at;
  const match = expression.exec(text);
  if (match === null) return undefined;
  const [whole, lead, secret] = match;
  if (secret === undefined) return { start: at, end: at + whole.length };
  const start = at + (lead ?? '').length;
  return { start, end: start + secret.length };
}
