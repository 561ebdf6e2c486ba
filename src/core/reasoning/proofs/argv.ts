/**
 * A command line as a shell would take it apart, as far as that needs no shell: words with quotes and backslashes. Null where
 * it does: pipes, lists, redirections, substitutions and variables are for a shell.
 */
export function splitWords(line: string): string[] | null {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let i = 0; i < line.length; i += 1) {
    const character = line[i] ?? '';
    if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else if (quote === '"' && (character === '$' || character === '`')) return null;
      else if (character === '\\' && quote === '"') word = (word ?? '') + (line[++i] ?? '');
      else word = (word ?? '') + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (character === '\\') word = (word ?? '') + (line[++i] ?? '');
    else if (/[|&;<>()$`*?{}[\]~#\n!]/.test(character)) return null;
    else if (!/\s/.test(character)) word = (word ?? '') + character;
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  if (quote !== undefined) return null;
  if (word !== undefined) words.push(word);
  return words.length === 0 ? null : words;
}

const shortening = /^\s*(?:tail|head|grep|rg|sed|less|cat|tee|wc|sort|uniq)\b[^|&;>]*$/;
const joining = /\s(?:2>&1|[12&]?>\s?\/dev\/null)$/;

/** Without what only shortens or joins the output: `npm test 2>&1 | tail -20` runs `npm test`. */
export function withoutOutput(line: string): string {
  let left = withoutPipes(line);
  for (let found = joining.exec(left.slice(-16)); found !== null; found = joining.exec(left.slice(-16)))
    left = left.slice(0, -found[0].length).trimEnd();
  return left;
}

/** Without pipes at its end into something that only shortens the output. */
export function withoutPipes(line: string): string {
  let left = line.trim();
  // From the end, one at a time: a pattern for all of them would look for each in every place.
  for (
    let at = left.lastIndexOf('|');
    at !== -1 && shortening.test(left.slice(at + 1));
    at = left.lastIndexOf('|')
  )
    left = left.slice(0, at).trimEnd();
  return left;
}
