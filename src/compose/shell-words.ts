import { quoteWord } from '../core/base/command-line.ts';

/** Words as a shell of this system takes them apart again. */
export function shellWords(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}

function shellWord(word: string): string {
  const quoted = quoteWord(word);
  if (quoted === word || process.platform !== 'win32') return quoted;
  return `"${word.replaceAll('"', '""')}"`;
}
