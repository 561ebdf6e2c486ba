import { Lexer, type Token, type Tokens } from 'marked';

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

function isDeeper(tokens: readonly Token[], left: number): boolean {
  if (left === 0) return true;
  return tokens.some((token) => isDeeper(insideOf(token), left - 1));
}

function insideOf(token: Token): readonly Token[] {
  if (token.type === 'list') return (token as Tokens.List).items;
  return 'tokens' in token ? (token.tokens ?? []) : [];
}
