/**
 * The structure of a regular expression, as far as `needles.ts` has to know it: which letters stand in it, and which of them can be left
 * out. What is not known here (groups with names, references, other flags than i) has no structure, and is null.
 */
export type Pattern =
  /** One of these, in lower case: letters or, if it is one alone, a text; null for a letter of too many. Not `sure`: in either case. */
  | { readonly of: 'letter'; readonly letters: readonly string[] | null; readonly sure: boolean }
  /** \w */
  | { readonly of: 'word' }
  /** Any sign that is no part of a word: \s, \W */
  | { readonly of: 'blank' }
  /** \b; not `sure`: ^ and $, by which a word begins or ends too. */
  | { readonly of: 'edge'; readonly sure: boolean }
  /** Takes no room: what must not stand here (null), or must. */
  | { readonly of: 'look'; readonly at: Pattern | null }
  | { readonly of: 'all'; readonly parts: readonly Pattern[] }
  | { readonly of: 'any'; readonly parts: readonly Pattern[] }
  | { readonly of: 'times'; readonly part: Pattern; readonly min: number; readonly max: number };

export function patternOf({ source, flags }: RegExp): Pattern | null {
  if (flags !== '' && flags !== 'i') return null;
  try {
    return new Reader(source, flags === 'i').whole();
  } catch (failure) {
    if (failure instanceof Unknown) return null;
    throw failure;
  }
}

class Unknown extends Error {}

/** A set of more letters than these is as good as any letter. */
const lettersMax = 6;
const anyLetter: Pattern = { of: 'letter', letters: null, sure: false };

/** Two letters that follow each other are a text. */
function spelled(first: Pattern | undefined, second: Pattern): Pattern | null {
  if (first?.of !== 'letter' || second.of !== 'letter') return null;
  if (first.letters?.length !== 1 || second.letters?.length !== 1) return null;
  return {
    of: 'letter',
    letters: [`${first.letters[0]}${second.letters[0]}`],
    sure: first.sure && second.sure,
  };
}

class Reader {
  readonly #source: string;
  readonly #folds: boolean;
  #at = 0;

  constructor(source: string, folds: boolean) {
    this.#source = source;
    this.#folds = folds;
  }

  whole(): Pattern {
    const pattern = this.#any();
    if (this.#at < this.#source.length) throw new Unknown();
    return pattern;
  }

  #any(): Pattern {
    const parts = [this.#all()];
    while (this.#took('|')) parts.push(this.#all());
    return parts.length === 1 ? (parts[0] as Pattern) : { of: 'any', parts };
  }

  #all(): Pattern {
    const parts: Pattern[] = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#source.charAt(this.#at))) {
      const part = this.#timed(this.#one());
      const joined = spelled(parts.at(-1), part);
      if (joined === null) parts.push(part);
      else parts[parts.length - 1] = joined;
    }
    return parts.length === 1 ? (parts[0] as Pattern) : { of: 'all', parts };
  }

  #one(): Pattern {
    const mark = this.#next();
    switch (mark) {
      case '(':
        return this.#group();
      case '^':
      case '$':
        return { of: 'edge', sure: false };
      case '.':
        return anyLetter;
      case '[':
        return this.#set();
      case '\\':
        return this.#escaped();
      default:
        return this.#letter(mark);
    }
  }

  #group(): Pattern {
    if (this.#took('?:') || !this.#took('?')) return this.#closed();
    const isWanted = this.#took('=') || this.#took('<=');
    if (!isWanted && !this.#took('!') && !this.#took('<!')) throw new Unknown();
    const at = this.#closed();
    return { of: 'look', at: isWanted ? at : null };
  }

  #closed(): Pattern {
    const inner = this.#any();
    if (!this.#took(')')) throw new Unknown();
    return inner;
  }

  #timed(part: Pattern): Pattern {
    if (!'*+?{'.includes(this.#source.charAt(this.#at) || ' ')) return part;
    const counted = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/.exec(
      this.#source.slice(this.#at, this.#at + 16),
    );
    if (counted === null) return part;
    const [all, sign, from = '0', comma, to = ''] = counted;
    this.#at += all.length;
    if (sign === '?') return { of: 'times', part, min: 0, max: 1 };
    if (sign !== undefined)
      return { of: 'times', part, min: sign === '+' ? 1 : 0, max: Number.POSITIVE_INFINITY };
    const most = to === '' ? Number.POSITIVE_INFINITY : Number(to);
    return { of: 'times', part, min: Number(from), max: comma === undefined ? Number(from) : most };
  }

  #escaped(): Pattern {
    const mark = this.#next();
    if (mark === 'b') return { of: 'edge', sure: true };
    if (mark === 'B') return { of: 'look', at: null };
    if (mark === 'w') return { of: 'word' };
    if (mark === 'W' || mark === 's') return { of: 'blank' };
    if ('SdD'.includes(mark)) return anyLetter;
    if (/[A-Za-z\d]/.test(mark)) throw new Unknown();
    return this.#letter(mark);
  }

  #set(): Pattern {
    let isAny = this.#took('^');
    let isBlank = !isAny;
    const letters = new Set<string>();
    for (;;) {
      const letter = this.#next();
      if (letter === ']') break;
      if (letter === '\\') {
        const mark = this.#next();
        if (!/[A-Za-z\d]/.test(mark)) letters.add(mark);
        else [isAny, isBlank] = [true, isBlank && (mark === 's' || mark === 'W')];
      } else {
        letters.add(letter);
        if (letter === '-' && letters.size > 1 && this.#source.charAt(this.#at) !== ']')
          [isAny, isBlank] = [true, false];
      }
    }
    if (isAny || letters.size === 0 || letters.size > lettersMax)
      return isBlank && ![...letters].some((letter) => /\w/.test(letter)) ? { of: 'blank' } : anyLetter;
    const each = [...letters].map((letter) => this.#letter(letter));
    const known = each.flatMap((one) => (one.of === 'letter' ? (one.letters ?? []) : []));
    if (known.length < each.length) return anyLetter;
    return {
      of: 'letter',
      letters: [...new Set(known)],
      sure: each.every((one) => one.of === 'letter' && one.sure),
    };
  }

  /** Letters beyond ASCII have cases of their own, and are not looked for; other signs have none. */
  #letter(letter: string): Pattern {
    if (letter > '\u007f' && (letter !== letter.toLowerCase() || letter !== letter.toUpperCase()))
      return anyLetter;
    const lower = letter.toLowerCase();
    return { of: 'letter', letters: [lower], sure: this.#folds || lower === letter };
  }

  #next(): string {
    const letter = this.#source.charAt(this.#at);
    if (letter === '') throw new Unknown();
    this.#at += 1;
    return letter;
  }

  #took(words: string): boolean {
    if (!this.#source.startsWith(words, this.#at)) return false;
    this.#at += words.length;
    return true;
  }
}
