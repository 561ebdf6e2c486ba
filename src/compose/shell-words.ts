/** Words as a shell of this system takes them apart again. */
export function shellWords(words: readonly string[], platform: NodeJS.Platform = process.platform): string {
  return words.map((word) => shellWord(word, platform)).join(' ');
}

function shellWord(word: string, platform: NodeJS.Platform): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word)) return word;
  if (platform === 'win32') return `"${word.replaceAll('"', '""')}"`;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
