import { Lexer, type Token } from 'marked';

/** Deeper ones are no prose, and drawing them takes a stack of their own. */
const depthMax = 24;

/** What `marked` reads out of a text; undefined where it cannot, or where it is too deep to be drawn. */
export function tokensOf(text: string): readonly Token[] | undefined {
  try {
    const tokens = new Lexer({ gfm: true }).lex(text);
    return isDeeper(tokens, depthMax) ? undefined : tokens;
  } catch {
    return undefined;
  }
}

interface Nested {
  readonly tokens?: readonly Nested[];
  readonly items?: readonly Nested[];
}

function isDeeper(tokens: readonly Nested[], left: number): boolean {
  if (left === 0) return true;
  return tokens.some(({ tokens: inside = [], items = [] }) => isDeeper([...inside, ...items], left - 1));
}
