/**
 * Code mode: the model writes a script of JavaScript, and the script calls the tools, `await tools.exec_command({ cmd: "…" })`. The file
 * has the script and what it printed. Where the events of the calls are not in the file too, this reads from the script what can be
 * read without running it: calls whose argument is a literal, or a name that a literal was given to. Everything else is passed over.
 */
import type { Json, JsonObject } from '../../../core/transcript/step.ts';

export interface ScriptCall {
  readonly tool: string;
  readonly input: Json;
}

const callsMax = 100;
const charsMax = 1024 * 1024;
const depthMax = 20;
/** As many times the length of the script. */
const againMax = 4;

export function callsInScript(script: string): readonly ScriptCall[] {
  return script.length > charsMax ? [] : new Script(script).calls();
}

const word = /[A-Za-z_$][\w$]*/y;
const binding = /\s+([A-Za-z_$][\w$]*)\s*=\s*/y;
const toolCall = /\s*\.\s*([A-Za-z_$][\w$]*)\s*\(\s*/y;
const number = /-?\d[\d_]*(?:\.\d+)?/y;
const blank = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  '0': '\0',
};
const words: ReadonlyMap<string, Json> = new Map<string, Json>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', null],
]);

class Script {
  readonly #text: string;
  readonly #names = new Map<string, Json>();
  #at = 0;
  /** How many characters were read a second time. */
  #again = 0;

  constructor(text: string) {
    this.#text = text;
  }

  calls(): ScriptCall[] {
    const found: ScriptCall[] = [];
    while (this.#at < this.#text.length && found.length < callsMax) {
      const call = this.#step();
      if (call !== null) found.push(call);
    }
    return found;
  }

  #step(): ScriptCall | null {
    const sign = this.#text[this.#at] ?? '';
    if (sign === '"' || sign === "'" || sign === '`') this.#quoted();
    else if (this.#text.startsWith('//', this.#at) || this.#text.startsWith('/*', this.#at))
      this.#skipBlank();
    else {
      const name = this.#match(word)?.[0];
      if (name === undefined) this.#at += 1;
      else if (name === 'const' || name === 'let' || name === 'var') this.#bind();
      else if (name === 'tools') return this.#call();
    }
    return null;
  }

  #bind(): void {
    const name = this.#match(binding)?.[1];
    if (name === undefined) return;
    const from = this.#at;
    const value = this.#value(0);
    if (value === undefined) this.#goBack(from);
    else this.#names.set(name, value);
  }

  #call(): ScriptCall | null {
    const tool = this.#match(toolCall)?.[1];
    if (tool === undefined) return null;
    const from = this.#at;
    const input = this.#value(0);
    if (input === undefined) {
      this.#goBack(from);
      return null;
    }
    this.#skipBlank();
    return this.#text[this.#at] === ')' ? { tool, input } : null;
  }

  /** There may be a call in what is no literal. All that is read again is bounded. */
  #goBack(to: number): void {
    this.#again += this.#at - to;
    if (this.#again <= againMax * this.#text.length) this.#at = to;
  }

  /** Undefined for what is no literal. */
  #value(depth: number): Json | undefined {
    if (depth > depthMax) return undefined;
    this.#skipBlank();
    const sign = this.#text[this.#at] ?? '';
    if (sign === '"' || sign === "'" || sign === '`') return this.#quoted() ?? undefined;
    if (sign === '{') return this.#object(depth);
    if (sign === '[') return this.#list(depth);
    const figure = this.#match(number)?.[0];
    if (figure !== undefined) return Number(figure.replaceAll('_', ''));
    const name = this.#match(word)?.[0];
    if (name === 'String' && this.#text.startsWith('.raw`', this.#at)) {
      this.#at += 4;
      return this.#quoted(true) ?? undefined;
    }
    if (name === undefined) return undefined;
    return words.has(name) ? words.get(name) : this.#names.get(name);
  }

  /** A property whose value is no literal is left out. */
  #object(depth: number): JsonObject | undefined {
    const fields: [string, Json][] = [];
    this.#at += 1;
    for (;;) {
      this.#skipBlank();
      const sign = this.#text[this.#at];
      if (sign === '}') break;
      const key = sign === '"' || sign === "'" ? this.#quoted() : (this.#match(word)?.[0] ?? null);
      if (key === null) return undefined;
      this.#skipBlank();
      const isNamed = this.#text[this.#at] === ':';
      if (isNamed) this.#at += 1;
      const value = isNamed ? this.#value(depth + 1) : this.#names.get(key);
      if (this.#endsHere('}') ? value !== undefined : false) fields.push([key, value as Json]);
      else if (!this.#skipTo('}')) return undefined;
      if (this.#text[this.#at] === ',') this.#at += 1;
    }
    this.#at += 1;
    return Object.fromEntries(fields);
  }

  #list(depth: number): Json[] | undefined {
    const items: Json[] = [];
    this.#at += 1;
    for (;;) {
      this.#skipBlank();
      if (this.#text[this.#at] === ']') break;
      const value = this.#value(depth + 1);
      if (value === undefined || !this.#endsHere(']')) return undefined;
      items.push(value);
      if (this.#text[this.#at] === ',') this.#at += 1;
    }
    this.#at += 1;
    return items;
  }

  /** The value before is whole: nothing is added to it. */
  #endsHere(closing: string): boolean {
    this.#skipBlank();
    const sign = this.#text[this.#at];
    return sign === ',' || sign === closing;
  }

  /** To the end of a value that is no literal; false where there is none. */
  #skipTo(closing: string): boolean {
    let depth = 0;
    while (this.#at < this.#text.length) {
      const sign = this.#text[this.#at] ?? '';
      if (depth === 0 && (sign === ',' || sign === closing)) return true;
      if (sign === '"' || sign === "'" || sign === '`') {
        this.#quoted();
        continue;
      }
      if ('{[('.includes(sign)) depth += 1;
      else if ('}])'.includes(sign)) depth -= 1;
      if (depth < 0) return false;
      this.#at += 1;
    }
    return false;
  }

  /** Passes a quoted text; null where it does not end, or holds something to be computed. */
  #quoted(isRaw = false): string | null {
    const quote = this.#text[this.#at] ?? '';
    const pieces: string[] = [];
    let isPlain = true;
    for (this.#at += 1; this.#at < this.#text.length; this.#at += 1) {
      const sign = this.#text[this.#at] ?? '';
      if (sign === quote) {
        this.#at += 1;
        return isPlain ? pieces.join('') : null;
      }
      if (sign === '\\' && !isRaw) pieces.push(this.#escaped());
      else pieces.push(sign);
      if (quote === '`' && sign === '$' && this.#text[this.#at + 1] === '{') isPlain = false;
    }
    return null;
  }

  #escaped(): string {
    this.#at += 1;
    const sign = this.#text[this.#at] ?? '';
    if (sign === '\n') return '';
    const digits = sign === 'u' ? 4 : sign === 'x' ? 2 : 0;
    if (digits === 0) return escapes[sign] ?? sign;
    const code = this.#text.slice(this.#at + 1, this.#at + 1 + digits);
    if (!/^[0-9a-fA-F]+$/.test(code) || code.length < digits) return sign;
    this.#at += digits;
    return String.fromCharCode(Number.parseInt(code, 16));
  }

  #skipBlank(): void {
    const from = this.#at;
    this.#match(blank);
    // A comment that does not end takes the rest.
    if (this.#at === from && this.#text.startsWith('/*', from)) this.#at = this.#text.length;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found !== null) this.#at = pattern.lastIndex;
    return found;
  }
}
