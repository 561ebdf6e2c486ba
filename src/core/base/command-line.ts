/** Words of a command as one line for a POSIX shell. */
export function joinCommand(words: readonly string[]): string {
  return words.map(quoteWord).join(' ');
}

export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
