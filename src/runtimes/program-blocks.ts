/**
 * What a program put into a message of a user, in tags of its own, and what the user wrote around it. A block begins a line or
 * follows another block; where there was one already, it may also stand behind the last words. A file that is shown in a block may
 * hold the end of one, so that the last end before the next beginning counts, unless somebody quotes it. A tag that nothing closes
 * takes all only where the message begins with it.
 */
export interface Parted {
  /** Whole blocks, as they stand there. */
  readonly blocks: readonly string[];
  /** Verbatim where there are no blocks; else the pieces, one below the other. */
  readonly words: string;
}

/** Tags by name, without brackets; the names are plain words. */
export function blockPattern(tags: readonly string[]): RegExp {
  return new RegExp(`<(${tags.join('|')})(?=[\\s>])[^<>]*>`, 'g');
}

export function partBlocks(text: string, opening: RegExp): Parted {
  if (!text.includes('<')) return { blocks: [], words: text };
  const blocks: string[] = [];
  const pieces: string[] = [];
  /** Tags that nothing closes any more. */
  const open = new Set<string>();
  let at = 0;
  const begins = new RegExp(opening);
  for (let found = begins.exec(text); found !== null; found = begins.exec(text)) {
    const { 1: tag = '', index } = found;
    if (open.has(tag)) continue;
    if (!isAtBegin(text, at, index) && !(blocks.length > 0 && isAtEnd(text, tag, index))) continue;
    let end = endOf(text, tag, index + found[0].length);
    if (end === null && text.slice(0, index).trim() === '') end = text.length;
    if (end === null) {
      open.add(tag);
      continue;
    }
    pieces.push(text.slice(at, index));
    blocks.push(text.slice(index, end));
    [at, begins.lastIndex] = [end, end];
  }
  if (blocks.length === 0) return { blocks, words: text };
  pieces.push(text.slice(at));
  const words = pieces.map((piece) => piece.trim()).filter((piece) => piece !== '');
  return { blocks, words: words.join('\n') };
}

function isAtBegin(text: string, at: number, index: number): boolean {
  for (let i = index - 1; i >= at; i -= 1) {
    const sign = text[i];
    if (sign === '\n') return true;
    if (sign !== ' ' && sign !== '\t') return false;
  }
  return true;
}

/** The last block of its kind, with nothing behind it. */
function isAtEnd(text: string, tag: string, index: number): boolean {
  return text.lastIndexOf(`<${tag}`) === index && text.trimEnd().endsWith(`</${tag}>`);
}

const quotes = /["'`“(]/;

/** Where the block is over; null where nothing ends it. */
function endOf(text: string, tag: string, from: number): number | null {
  const closing = `</${tag}>`;
  let end: number | null = null;
  let limit = nextBegin(text, tag, from, true);
  for (let i = text.indexOf(closing, from); i >= 0; i = text.indexOf(closing, i + 1)) {
    if (end !== null && (i > limit || quotes.test(text[i - 1] ?? ''))) break;
    if (end === null) limit = Math.min(limit, nextBegin(text, tag, i, false));
    end = i + closing.length;
  }
  return end;
}

/** Where another block begins, on a line of its own or anywhere; a tag that is quoted begins none. */
function nextBegin(text: string, tag: string, from: number, ownLine: boolean): number {
  const opening = `${ownLine ? '\n' : ''}<${tag}`;
  for (let i = text.indexOf(opening, from); i >= 0; i = text.indexOf(opening, i + 1))
    if (!quotes.test(text[i - 1] ?? '') && /[\s>]/.test(text[i + opening.length] ?? '')) return i;
  return text.length;
}
