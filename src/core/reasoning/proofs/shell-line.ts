/**
 * A line for a shell, taken apart into its simple commands, without running anything. Null for whatever hides what would run:
 * substitutions but a few that only ask, variables but those below, here-documents, functions, comments, lines that are not
 * closed, work in the background; and for output into a file.
 */
export interface SimpleCommand {
  readonly words: readonly string[];
  /** What stands before it. */
  readonly after: '' | '&&' | '||' | ';' | '|';
}

/** They print a place or a number, and stand for an ordinary word. */
const asking = /\$\((?:pwd|nproc|sysctl -n hw\.ncpu|git rev-parse --show-toplevel)\)/g;
const variables = /\$(?:(?:PWD|PATH)\b|\{(?:PWD|PATH)\}|\?)/g;
const home = /\$(?:HOME\b|\{HOME\})/g;
/** Output that goes nowhere, or to where the other output goes. */
const joined = /(?<=^|[\s)])(?:[012]?>&[012]|(?:[12&]?>>?)\s?\/dev\/null|<\s?\/dev\/null)(?=$|[\s;|&)])/g;

export function simpleCommands(line: string): SimpleCommand[] | null {
  if (/[\n\r\0]/.test(line)) return null;
  const text = unquotedReplaced(line);
  return text === null ? null : new Parts(text).read();
}

/** What stands in single quotes stays as it is. */
function unquotedReplaced(line: string): string | null {
  const pieces = line.split("'");
  if (pieces.length % 2 === 0) return null;
  return pieces
    .map((piece, i) =>
      i % 2 === 1
        ? piece
        : piece.replace(asking, '.').replace(variables, '.').replace(home, '~').replace(joined, ''),
    )
    .join("'");
}

class Parts {
  readonly #parts: SimpleCommand[] = [];
  #words: string[] = [];
  #word: string | undefined;
  #after: SimpleCommand['after'] = '';
  #depth = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  read(): SimpleCommand[] | null {
    for (let i = 0; i < this.#text.length;) {
      const step = this.#take(i);
      if (step === null) return null;
      i += step;
    }
    this.#endWord();
    if (this.#words.length > 0) this.#endCommand('');
    return this.#depth === 0 && this.#parts.length > 0 ? this.#parts : null;
  }

  /** How many characters it took; null where the line cannot be judged. */
  #take(i: number): number | null {
    const text = this.#text;
    const character = text[i] ?? '';
    if (character === "'") {
      const end = text.indexOf("'", i + 1);
      this.#word = (this.#word ?? '') + text.slice(i + 1, end < 0 ? undefined : end);
      return end < 0 ? null : end - i + 1;
    }
    if (character === '"') return this.#quoted(i);
    if (character === '\\') {
      this.#word = (this.#word ?? '') + (text[i + 1] ?? '');
      return i + 1 < text.length ? 2 : null;
    }
    if (/\s/.test(character)) return this.#endWord();
    if (/[<>$`]/.test(character) || (character === '#' && this.#word === undefined)) return null;
    if (/[&|;()]/.test(character)) return this.#operator(i, character);
    this.#word = (this.#word ?? '') + character;
    return 1;
  }

  #quoted(start: number): number | null {
    let word = this.#word ?? '';
    for (let i = start + 1; i < this.#text.length; i += 1) {
      const character = this.#text[i] ?? '';
      if (character === '"') {
        this.#word = word;
        return i - start + 1;
      }
      if (character === '$' || character === '`') return null;
      if (character === '\\') i += 1;
      word += this.#text[i] ?? '';
    }
    return null;
  }

  #operator(i: number, character: string): number | null {
    this.#endWord();
    if (character === '(') {
      // Elsewhere it would make a function or a list.
      if (this.#words.length > 0) return null;
      this.#depth += 1;
      return 1;
    }
    if (character === ')') {
      if (this.#words.length > 0) this.#endCommand(this.#after);
      this.#depth -= 1;
      return this.#depth < 0 ? null : 1;
    }
    const isDouble = this.#text[i + 1] === character;
    if (character === '&' && !isDouble) return null;
    const operator = isDouble ? `${character}${character}` : character;
    if (operator === ';;') return null;
    if (this.#words.length === 0) {
      if (this.#text[i - 1] !== ')' && !/\)\s*$/.test(this.#text.slice(0, i))) return null;
      this.#after = operator as SimpleCommand['after'];
    } else this.#endCommand(operator as SimpleCommand['after']);
    return operator.length;
  }

  #endWord(): number {
    if (this.#word !== undefined) this.#words.push(this.#word);
    this.#word = undefined;
    return 1;
  }

  #endCommand(next: SimpleCommand['after']): void {
    this.#parts.push({ words: this.#words, after: this.#after });
    this.#words = [];
    this.#after = next;
  }
}
