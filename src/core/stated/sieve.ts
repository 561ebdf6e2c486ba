/**
 * Which of many signs a text may have, in one pass over its letters. A sign is tried on the text itself only where one of its needles
 * was found (`needles.ts`), and only when somebody asks for it; what a text has is the same as if each had been tried.
 *
 * The needles are two trees of letters in one table: those that begin a word are looked for where a word begins, the others at every
 * letter.
 */
import type { Sign } from './kinds.ts';
import { needlesOf, type Needle } from './needles.ts';

export interface Sieve {
  /** The text that is asked about from now on. */
  look(words: string): void;
  /** The numbers of the signs it may have; so many of these are of this text. */
  readonly touched: Int32Array;
  readonly touchedCount: () => number;
  /** Whether it has the sign with this number. */
  has(sign: number): boolean;
  numberOf(sign: Sign): number;
}

/** What is known of a sign, beyond the count of the text it was found in. */
const [maybe, yes, no] = [1, 2, 3] as const;
const perText = 4;
const baseMax = 2 ** 30;

const wordBegins = 1;
const anywhere = 2;
const nodesFirst = 3;
/** Letters that needles may have between them. */
const width = 64;
const rowsFirst = 4096;
const rowsMax = 65_535;

/** `lowered`: the texts are in lower case. */
export function sieveOf(given: Iterable<Sign>, { lowered }: { readonly lowered: boolean }): Sieve {
  const signs = [...withParts(given)];
  const numbers = new Map(signs.map((sign, number) => [sign, number]));
  const numberOf = (sign: Sign): number => {
    const number = numbers.get(sign) ?? numbers.get(plain(sign));
    if (number === undefined) throw new Error('The sieve was made without this sign.');
    numbers.set(sign, number);
    return number;
  };
  const parts = signs.map(({ any }) => any?.map(numberOf));
  const always: number[] = [];
  const tree = new Tree();
  for (const [number, sign] of signs.entries()) {
    const needles = needlesOf(sign, lowered);
    if (needles?.every((needle) => tree.add(needle, number)) !== true) always.push(number);
  }
  const table = tree.finished();
  const known = new Int32Array(signs.length);
  const touched = new Int32Array(signs.length);
  let count = 0;
  let text = '';
  let base = 0;
  const has = (number: number): boolean => {
    const state = (known[number] as number) - base;
    if (state !== maybe) return state === yes;
    const found = parts[number]?.some(has) ?? signs[number]?.test(text) === true;
    known[number] = base + (found ? yes : no);
    return found;
  };
  return {
    look: (words) => {
      text = words;
      base += perText;
      if (base > baseMax) {
        known.fill(0);
        base = perText;
      }
      count = searchIn(table, words, { known, touched, base });
      for (const number of always) {
        if ((known[number] as number) >= base) continue;
        known[number] = base + maybe;
        touched[count] = number;
        count += 1;
      }
    },
    touched,
    touchedCount: () => count,
    has,
    numberOf,
  };
}

/** A sign that is another one under a name. */
function plain(sign: Sign): Sign {
  const [only, ...others] = sign.any ?? [];
  return only === undefined || others.length > 0 ? sign : plain(only);
}

/** What a sign is made of is asked for by itself too: several signs share it. */
function withParts(signs: Iterable<Sign>, all = new Set<Sign>()): Set<Sign> {
  for (const sign of signs) withParts(plain(sign).any ?? [], all.add(plain(sign)));
  return all;
}

interface Found {
  readonly known: Int32Array;
  readonly touched: Int32Array;
  readonly base: number;
}

interface Table {
  readonly table: Uint16Array;
  readonly columns: Uint8Array;
  readonly founds: Int32Array;
}

class Tree {
  /** Rows of columns: by letter, the row of the next letter; 0 for none. The first column says what was found so far. */
  #table = new Uint16Array(rowsFirst * width);
  #rows = nodesFirst;
  readonly #columns = new Uint8Array(0x1_0000);
  #columnsUsed = 0;
  #foundCount = 0;
  /** By row: the signs whose needle ends there, each with what is known by that. */
  readonly #found = new Map<number, Set<number>>();

  /** False if there is no room for it. */
  add({ text, begins, ends, sure }: Needle, sign: number): boolean {
    let row = begins ? wordBegins : anywhere;
    for (let i = 0; i < text.length; i += 1) {
      const column = this.#columnOf(text.charCodeAt(i));
      if (column === 0) return false;
      row = this.#table[row * width + column] || this.#added(row * width + column);
      if (row === 0) return false;
    }
    this.#foundCount += 2;
    if (this.#foundCount > rowsMax) return false;
    const found = this.#found.get(row) ?? new Set();
    this.#found.set(row, found.add(sign * 4 + (sure ? 2 : 0) + (ends ? 1 : 0)));
    return true;
  }

  #columnOf(letter: number): number {
    const known = this.#columns[letter] ?? 0;
    if (known !== 0 || this.#columnsUsed === width - 1) return known;
    this.#columnsUsed += 1;
    this.#columns[letter] = this.#columnsUsed;
    if (letter >= 97 && letter <= 122) this.#columns[letter - 32] = this.#columnsUsed;
    return this.#columnsUsed;
  }

  #added(place: number): number {
    const row = this.#rows;
    if (row === rowsMax) return 0;
    if (row * width === this.#table.length) {
      const larger = new Uint16Array(this.#table.length * 2);
      larger.set(this.#table);
      this.#table = larger;
    }
    this.#rows += 1;
    this.#table[place] = row;
    return row;
  }

  finished(): Table {
    const found: number[] = [0];
    for (const [row, signs] of this.#found) {
      this.#table[row * width] = found.length;
      found.push(signs.size, ...signs);
    }
    return { table: this.#table, columns: this.#columns, founds: new Int32Array(found) };
  }
}

const inWords = Uint8Array.from({ length: 0x1_0000 }, (_, letter) =>
  letter < 128 && /\w/.test(String.fromCharCode(letter)) ? 1 : 0,
);

/** One loop, for it is most of what judging takes: every letter of a session goes through it. */
function searchIn({ table, columns, founds }: Table, words: string, into: Found): number {
  const { known, touched, base } = into;
  const { length } = words;
  let count = 0;
  let before = 0;
  for (let i = 0; i < length; i += 1) {
    const first = words.charCodeAt(i);
    const inWord = inWords[first] as number;
    const isBegun = inWord > before;
    before = inWord;
    const start = columns[first] as number;
    if (start === 0) continue;
    let row = table[anywhere * width + start] as number;
    let other = isBegun ? (table[wordBegins * width + start] as number) : 0;
    if (row === 0) [row, other] = [other, 0];
    for (let at = i + 1; row !== 0; at += 1) {
      const letter = at < length ? words.charCodeAt(at) : 0;
      const isInside = inWords[letter] as number;
      const place = table[row * width] as number;
      const end = place === 0 ? 0 : place + (founds[place] as number);
      for (let k = place + 1; k <= end; k += 1) {
        const found = founds[k] as number;
        // A needle that ends a word, in the middle of one.
        if ((found & isInside) === 1) continue;
        const sign = found >> 2;
        if ((known[sign] as number) < base) {
          touched[count] = sign;
          count += 1;
          known[sign] = base + maybe;
        }
        if ((found & 2) === 2) known[sign] = base + yes;
      }
      const column = columns[letter] as number;
      row = column === 0 ? 0 : (table[row * width + column] as number);
      if (row === 0 && other !== 0) [row, other, at] = [other, 0, i];
    }
  }
  return count;
}
