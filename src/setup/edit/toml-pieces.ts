/**
 * TOML, understood before it is touched. Values are read by a parser of TOML; this cuts the text into pieces, each a whole number of lines:
 * a blank or a comment, the head of a table, or a key with its value, however many lines that takes. Joined, the pieces are the text.
 * So a table can be put in or taken out without touching what others wrote.
 */
import { parse, type TomlTable } from 'smol-toml';

export class NotToml extends Error {
  override readonly name = 'NotToml';
  /** What to do, where it is more than putting the file right. */
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}

export interface TomlPiece {
  readonly kind: 'other' | 'head' | 'pair';
  readonly text: string;
  /** Of the table, or of the key within it. Empty for a blank or a comment. */
  readonly path: readonly string[];
}

/** Throws `NotToml` with the line where it stopped making sense. */
export function parseToml(text: string): TomlTable {
  try {
    return parse(text, { integersAsBigInt: 'asNeeded' });
  } catch (error) {
    const { line, message } = error as { line?: number; message: string };
    const why = (message.split('\n')[0] ?? '').replace(/^Invalid TOML document: /, '');
    throw new NotToml(`it is not TOML at line ${line ?? 1}: ${why}`);
  }
}

/** Of a text that `parseToml` accepts. */
export function piecesOf(text: string): TomlPiece[] {
  const pieces: TomlPiece[] = [];
  for (let at = 0; at < text.length;) {
    const end = endOf(text, at);
    pieces.push(pieceOf(text.slice(at, end)));
    at = end;
  }
  return pieces;
}

function pieceOf(text: string): TomlPiece {
  const said = text.replace(/^\uFEFF/, '').trim();
  if (said === '' || said.startsWith('#')) return { kind: 'other', text, path: [] };
  if (said.startsWith('[')) return { kind: 'head', text, path: headPath(said) };
  return { kind: 'pair', text, path: keysOf(parse(`${keyText(said)} = 0`)) };
}

function headPath(said: string): string[] {
  return keysOf(parse(said));
}

function keysOf(table: TomlTable): string[] {
  const [key] = Object.keys(table);
  if (key === undefined) return [];
  const value = table[key];
  const inner = typeof value === 'object' && !Array.isArray(value) ? keysOf(value as TomlTable) : [];
  return [key, ...inner];
}

function keyText(said: string): string {
  return /^(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^"'=])+/.exec(said)?.[0] ?? '';
}

const tokens =
  /"""[\s\S]*?(?<!\\)(?:\\\\)*"{3,5}|'''[\s\S]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|[[\]{}\n]/y;

/** Behind the end of the line on which what begins here ends. */
function endOf(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length;) {
    tokens.lastIndex = at;
    const token = tokens.exec(text)?.[0];
    at += token?.length ?? 1;
    if (token === '[' || token === '{') depth += 1;
    if (token === ']' || token === '}') depth -= 1;
    if (token === '\n' && depth <= 0) return at;
  }
  return text.length;
}

export interface TomlSection {
  readonly path: readonly string[];
  readonly pieces: readonly TomlPiece[];
}

/** Tables with what is in them. What follows the last key of one (blanks, comments) is a section without a path, as is what comes first. */
export function sectionsOf(pieces: readonly TomlPiece[]): TomlSection[] {
  const sections: { path: readonly string[]; pieces: TomlPiece[] }[] = [];
  let loose: TomlPiece[] = [];
  const settle = (): void => {
    if (loose.length > 0) sections.push({ path: [], pieces: loose });
    loose = [];
  };
  for (const piece of pieces) {
    if (piece.kind === 'head') {
      settle();
      sections.push({ path: piece.path, pieces: [piece] });
      continue;
    }
    loose.push(piece);
    const table = sections.at(-1);
    if (piece.kind === 'other' || table === undefined || table.path.length === 0) continue;
    table.pieces.push(...loose);
    loose = [];
  }
  settle();
  return sections;
}

export function textOfPieces(pieces: readonly TomlPiece[]): string {
  return pieces.map(({ text }) => text).join('');
}
