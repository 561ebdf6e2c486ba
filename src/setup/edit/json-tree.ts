/**
 * JSON with comments and trailing commas, read with the place of everything in it, so that a file can be changed without touching what
 * others wrote: their order, their indentation, their comments. Only what is inserted or taken out moves.
 */
export type JsonNode =
  | {
      readonly kind: 'object';
      readonly start: number;
      readonly end: number;
      readonly members: readonly JsonMember[];
    }
  | {
      readonly kind: 'array';
      readonly start: number;
      readonly end: number;
      readonly items: readonly JsonNode[];
    }
  | { readonly kind: 'plain'; readonly start: number; readonly end: number; readonly value: unknown };

export interface JsonMember {
  readonly key: string;
  /** Where the key begins. */
  readonly start: number;
  readonly node: JsonNode;
}

export class NotJson extends Error {
  override readonly name = 'NotJson';
}

/** Throws `NotJson` with the line where it stopped making sense. */
export function parseTree(text: string): JsonNode {
  const reader = new Reader(text);
  reader.skip();
  const node = reader.value();
  reader.skip();
  if (reader.at < text.length) throw reader.wrong();
  return node;
}

export function valueOf(node: JsonNode): unknown {
  switch (node.kind) {
    case 'plain':
      return node.value;
    case 'array':
      return node.items.map(valueOf);
    case 'object':
      return Object.fromEntries(node.members.map(({ key, node }) => [key, valueOf(node)]));
  }
}

/** Where the white space and the comments end that begin at a place. A comment that is never closed is none. */
export function pastBlanks(text: string, from: number): number {
  let at = from;
  for (;;) {
    while (/\s/.test(text.charAt(at))) at += 1;
    const mark = text.slice(at, at + 2);
    const end = mark === '//' ? text.indexOf('\n', at) : mark === '/*' ? text.indexOf('*/', at + 2) : at;
    if (end === at || (end === -1 && mark === '/*')) return at;
    at = end === -1 ? text.length : mark === '/*' ? end + 2 : end;
  }
}

const depthMax = 200;

class Reader {
  at = 0;
  readonly #text: string;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    if (text.startsWith('\uFEFF')) this.at = 1;
  }

  wrong(): NotJson {
    const line = this.#text.slice(0, this.at).split('\n').length;
    return new NotJson(`it is not JSON at line ${line}`);
  }

  /** White space and comments. */
  skip(): void {
    this.at = pastBlanks(this.#text, this.at);
  }

  value(): JsonNode {
    const first = this.#text[this.at];
    if (first === '{') return this.#nested(() => this.#object());
    if (first === '[') return this.#nested(() => this.#array());
    const start = this.at;
    const plain = /"(?:[^"\\\n]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
    plain.lastIndex = start;
    const found = plain.exec(this.#text)?.[0];
    if (found === undefined) throw this.wrong();
    this.at = plain.lastIndex;
    return { kind: 'plain', start, end: this.at, value: this.#parsed(found) };
  }

  #parsed(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      throw this.wrong();
    }
  }

  #nested(read: () => JsonNode): JsonNode {
    this.#depth += 1;
    if (this.#depth > depthMax) throw this.wrong();
    const node = read();
    this.#depth -= 1;
    return node;
  }

  #object(): JsonNode {
    const start = this.at;
    const members: JsonMember[] = [];
    this.#list('}', () => {
      const begin = this.at;
      const key = this.value();
      if (key.kind !== 'plain' || typeof key.value !== 'string') throw this.wrong();
      this.skip();
      this.#expect(':');
      this.skip();
      members.push({ key: key.value, start: begin, node: this.value() });
    });
    return { kind: 'object', start, end: this.at, members };
  }

  #array(): JsonNode {
    const start = this.at;
    const items: JsonNode[] = [];
    this.#list(']', () => items.push(this.value()));
    return { kind: 'array', start, end: this.at, items };
  }

  #list(close: string, one: () => void): void {
    this.at += 1;
    for (;;) {
      this.skip();
      if (this.#text[this.at] === close) break;
      one();
      this.skip();
      if (this.#text[this.at] === close) break;
      this.#expect(',');
    }
    this.at += 1;
  }

  #expect(mark: string): void {
    if (this.#text[this.at] !== mark) throw this.wrong();
    this.at += 1;
  }
}
