import { quoteWord } from '../core/base/command-line.ts';

/** Words as a shell of this system takes them apart again. */
export function shellWords(words: readonly string[], platform: NodeJS.Platform = process.platform): string {
  return words.map((word) => shellWord(word, platform)).join(' ');
}

function shellWord(word: string, platform: NodeJS.Platform): string {
  const quoted = quoteWord(word);
  if (quoted === word || platform !== 'win32') return quoted;
  return `"${word.replaceAll('"', '""')}"`;
}
