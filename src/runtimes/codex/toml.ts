/**
 * As much of TOML as the names of settings need: which keys there are, in which table, and those values that are a text or a
 * yes or no. Every other value (numbers, dates, lists, tables in one line) is passed over whole, so that nothing within it is
 * taken for a key; what is no TOML ends the reading, and says so.
 */
export interface TomlEntry {
  /** Of its table and its own, in their order. */
  readonly path: readonly string[];
  /** Undefined for values of another kind, and for the head of a table. */
  readonly value?: string | boolean;
}

export interface TomlNames {
  readonly entries: readonly TomlEntry[];
  /** It was understood to its end. */
  readonly whole: boolean;
}

const key = /(?:[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')/y;
const blank = /(?:[ \t\r\n]|#[^\n]*)*/y;
const space = /[ \t]*/y;
const texts = [/"""[\s\S]*?"""+/y, /'''[\s\S]*?'''+/y, /"(?:[^"\\\n]|\\.)*"/y, /'[^'\n]*'/y] as const;
const bare = /[^\s,\]}#=[{"']+(?: \d\d:[^\s,\]}#]+)?/y;

export function namesOf(text: string): TomlNames {
  const reader = new Reader(text);
  let table: readonly string[] = [];
  for (reader.skip(blank); !reader.ended(); reader.skip(blank)) {
    const head = reader.head();
    if (head === null) return { entries: reader.entries, whole: false };
    if (head.kind === 'table') table = head.path;
    if (head.kind === 'table') reader.entries.push({ path: head.path });
    else if (!reader.value([...table, ...head.path])) return { entries: reader.entries, whole: false };
  }
  return { entries: reader.entries, whole: true };
}

class Reader {
  readonly entries: TomlEntry[] = [];
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  ended(): boolean {
    return this.#at >= this.#text.length;
  }

  skip(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    if (found !== null) this.#at += found.length;
    return found;
  }

  #take(sign: string): boolean {
    if (!this.#text.startsWith(sign, this.#at)) return false;
    this.#at += sign.length;
    return true;
  }

  /** `[table]`, `[[table]]` or `key =`. */
  head(): { readonly kind: 'table' | 'key'; readonly path: readonly string[] } | null {
    const brackets = this.#take('[[') ? 2 : this.#take('[') ? 1 : 0;
    const path = this.#path();
    if (path === null || !this.#take(brackets === 0 ? '=' : ']'.repeat(brackets))) return null;
    return { kind: brackets === 0 ? 'key' : 'table', path };
  }

  #path(): string[] | null {
    const path: string[] = [];
    do {
      this.skip(space);
      const part = this.skip(key);
      if (part === null) return null;
      path.push(/^["']/.test(part) ? unquoted(part) : part);
      this.skip(space);
    } while (this.#take('.'));
    return path;
  }

  value(path: readonly string[]): boolean {
    this.skip(space);
    for (const pattern of texts) {
      const found = this.skip(pattern);
      if (found !== null) {
        this.entries.push({ path, value: unquoted(found) });
        return true;
      }
    }
    if (this.#take('{')) return this.#inline(path);
    if (this.#take('[')) return this.#list(path);
    const found = this.skip(bare);
    if (found === null) return false;
    this.entries.push({
      path,
      ...(found === 'true' || found === 'false' ? { value: found === 'true' } : {}),
    });
    return true;
  }

  #inline(path: readonly string[]): boolean {
    this.entries.push({ path });
    for (this.skip(blank); !this.#take('}'); this.skip(blank)) {
      const inner = this.#path();
      if (inner === null || !this.#take('=') || !this.value([...path, ...inner])) return false;
      this.skip(blank);
      if (!this.#take(',') && this.#text[this.#at] !== '}') return false;
    }
    return true;
  }

  #list(path: readonly string[]): boolean {
    const known = this.entries.length;
    for (this.skip(blank); !this.#take(']'); this.skip(blank)) {
      if (!this.value(path)) return false;
      this.skip(blank);
      if (!this.#take(',') && this.#text[this.#at] !== ']') return false;
    }
    this.entries.splice(known, this.entries.length, { path });
    return true;
  }
}

/** What backslashes mean does not matter for the names that are looked for. */
function unquoted(text: string): string {
  const length = /^("""|''')/.test(text) ? 3 : 1;
  return text.slice(length, -length);
}
