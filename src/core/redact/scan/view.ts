/**
 * A decoded view of a text that remembers where each of its characters came from, so that what is found in the view can be replaced in
 * the text. It is a list of segments in order: copied (as many characters as in the text) or decoded (an escape, shown as what
 * it stands for). A place inside a decoded segment maps to the whole escape: no replacement ever cuts one in two.
 *
 * Texts are byte strings: one character per byte, as in latin1. An escape for a character beyond ASCII shows its UTF-8 bytes.
 */
export interface View {
  readonly text: string;
  /** Where in the source the characters from here on begin. */
  readonly sourceStart: (at: number) => number;
  /** Where in the source the characters before here end. */
  readonly sourceEnd: (at: number) => number;
}

class ViewBuilder {
  readonly #pieces: string[] = [];
  readonly #viewAt: number[] = [];
  readonly #sourceAt: number[] = [];
  readonly #copied: boolean[] = [];
  #length = 0;

  copy(piece: string, sourceAt: number): void {
    if (piece !== '') this.#add(piece, sourceAt, true);
  }

  decode(shown: string, sourceAt: number): void {
    this.#add(shown, sourceAt, false);
  }

  #add(piece: string, sourceAt: number, copied: boolean): void {
    this.#pieces.push(piece);
    this.#viewAt.push(this.#length);
    this.#sourceAt.push(sourceAt);
    this.#copied.push(copied);
    this.#length += piece.length;
  }

  build(sourceLength: number): View {
    const viewAt = this.#viewAt;
    const sourceAt = this.#sourceAt;
    const copied = this.#copied;
    const length = this.#length;
    const segmentOf = (at: number): number => {
      let low = 0;
      let high = viewAt.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((viewAt[middle] ?? 0) <= at) low = middle;
        else high = middle - 1;
      }
      return low;
    };
    const sourceStart = (at: number): number => {
      if (at >= length) return sourceLength;
      const segment = segmentOf(at);
      return (sourceAt[segment] ?? 0) + (copied[segment] === true ? at - (viewAt[segment] ?? 0) : 0);
    };
    const sourceEnd = (at: number): number => {
      if (at <= 0) return 0;
      const segment = segmentOf(at - 1);
      if (copied[segment] !== true) return sourceAt[segment + 1] ?? sourceLength;
      return (sourceAt[segment] ?? 0) + at - (viewAt[segment] ?? 0);
    };
    return { text: this.#pieces.join(''), sourceStart, sourceEnd };
  }
}

const simpleEscapes: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  '"': '"',
  "'": "'",
  '`': '`',
  '\\': '\\',
  '/': '/',
};

/** Backslash escapes as in JSON and most programming languages. What is no escape stays as it is. */
export function unescaped(text: string): View {
  const builder = new ViewBuilder();
  let from = 0;
  for (let at = text.indexOf('\\'); at !== -1;) {
    const [shown, length] = escapeAt(text, at);
    if (shown !== undefined) {
      builder.copy(text.slice(from, at), from);
      builder.decode(shown, at);
      from = at + length;
    }
    at = text.indexOf('\\', at + length);
  }
  builder.copy(text.slice(from), from);
  return builder.build(text.length);
}

function escapeAt(text: string, at: number): readonly [shown: string | undefined, length: number] {
  const letter = text.charAt(at + 1);
  const simple = simpleEscapes[letter];
  if (simple !== undefined) return [simple, 2];
  if (letter === 'x') {
    const code = hexAt(text, at + 2, 2);
    return code === undefined ? [undefined, 2] : [utf8(code), 4];
  }
  if (letter !== 'u') return [undefined, 1];
  const code = hexAt(text, at + 2, 4);
  if (code === undefined) return [undefined, 2];
  if (code < 0xd800 || code > 0xdbff || text.charAt(at + 6) !== '\\' || text.charAt(at + 7) !== 'u')
    return [utf8(code), 6];
  const low = hexAt(text, at + 8, 4);
  if (low === undefined || low < 0xdc00 || low > 0xdfff) return [utf8(code), 6];
  return [utf8(0x1_0000 + ((code - 0xd800) << 10) + (low - 0xdc00)), 12];
}

/** Percent-encoding as in URLs. */
export function percentDecoded(text: string): View {
  const builder = new ViewBuilder();
  let from = 0;
  for (let at = text.indexOf('%'); at !== -1; at = text.indexOf('%', at + 1)) {
    const code = at < from ? undefined : hexAt(text, at + 1, 2);
    if (code === undefined) continue;
    builder.copy(text.slice(from, at), from);
    builder.decode(String.fromCharCode(code), at);
    from = at + 3;
  }
  builder.copy(text.slice(from), from);
  return builder.build(text.length);
}

/** Zero-width space, non-joiner and joiner, word joiner, byte order mark; as bytes, and as JSON may write them. */
const zeroWidth = ['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff'];
export const unseenAnchors: readonly string[] = zeroWidth.flatMap((character) => [
  Buffer.from(character).toString('latin1'),
  `\\u${character.charCodeAt(0).toString(16)}`,
]);
/** And the soft hyphen, too short to be looked for, where something else made the line worth reading. */
const unseen = /\xe2\x80[\x8b-\x8d]|\xe2\x81\xa0|\xef\xbb\xbf|\xc2\xad/g;

export function hasUnseen(text: string): boolean {
  return text.search(unseen) !== -1;
}

/** Without characters that have no width: a token with one in it looks whole, and is. */
export function seen(text: string): View {
  return without(text, unseen);
}

const colour = /\x1b\[[0-9;:]*[A-Za-z]/g;

/** Without the sequences by which programs colour what they print: their last letter would run into the word after it. */
export function uncoloured(text: string): View {
  return without(text, colour);
}

function without(text: string, what: RegExp): View {
  const builder = new ViewBuilder();
  let from = 0;
  for (const match of text.matchAll(what)) {
    builder.copy(text.slice(from, match.index), from);
    from = match.index + match[0].length;
  }
  builder.copy(text.slice(from), from);
  return builder.build(text.length);
}

/** The low bytes of text in two-byte characters, as Windows writes it; `undefined` if the bytes are something else. */
export function lowBytes(bytes: Buffer): View | undefined {
  const low = lowByteOf(bytes);
  if (low === undefined) return undefined;
  const characters = Buffer.alloc((bytes.length - low + 1) >> 1);
  for (let i = 0; i < characters.length; i++) characters[i] = bytes[2 * i + low] ?? 0;
  const source = (at: number): number => Math.min(2 * at, bytes.length);
  return { text: characters.toString('latin1'), sourceStart: source, sourceEnd: source };
}

function lowByteOf(bytes: Buffer): 0 | 1 | undefined {
  const zeros = [0, 0];
  const looked = Math.min(bytes.length, 4096);
  for (let i = 0; i < looked; i++) if (bytes[i] === 0) zeros[i & 1] = (zeros[i & 1] ?? 0) + 1;
  // In text of any European language nearly every high byte is zero and no low byte is.
  const [even = 0, odd = 0] = zeros;
  if (odd > looked / 4 && even < looked / 32) return 0;
  return even > looked / 4 && odd < looked / 32 ? 1 : undefined;
}

function hexAt(text: string, at: number, digits: number): number | undefined {
  let value = 0;
  for (let i = at; i < at + digits; i++) {
    const digit = hexDigit(text.charCodeAt(i));
    if (digit === -1) return undefined;
    value = value * 16 + digit;
  }
  return value;
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const upper = code & ~0x20;
  return upper >= 0x41 && upper <= 0x46 ? upper - 0x37 : -1;
}

function utf8(code: number): string {
  return code < 0x80 ? String.fromCharCode(code) : Buffer.from(String.fromCodePoint(code)).toString('latin1');
}
