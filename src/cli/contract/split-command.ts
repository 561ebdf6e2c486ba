import { UsageError } from '../frame/usage.ts';

/** A command as words, with quotes and backslashes as a shell reads them, and nothing else: no expansion, no pipes. */
export function splitCommand(command: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let i = 0; i < command.length; i += 1) {
    const character = command[i] ?? '';
    if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else if (character === '\\' && quote === '"' && i + 1 < command.length)
        word = (word ?? '') + (command[++i] ?? '');
      else word = (word ?? '') + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (character === '\\' && i + 1 < command.length) word = (word ?? '') + (command[++i] ?? '');
    else if (!/\s/.test(character)) word = (word ?? '') + character;
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  if (quote !== undefined)
    throw new UsageError(`A quote is left open in ${JSON.stringify(command)}.`, 'Close it, or leave it out.');
  if (word !== undefined) words.push(word);
  if (words.length === 0) throw new UsageError('A validation command is empty.');
  return words;
}
