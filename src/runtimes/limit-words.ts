/** How services say that a conversation no longer fits into the model's window; whatever program passes it on. */
const tooLong =
  /prompt is too long|context[ _](?:length|window)[ _](?:is )?exceeded|maximum context length|exceeds? the (?:context|maximum number of tokens)|out of room in the model's context window|input is too long for/i;

export function saysTooLong(words: string): boolean {
  return tooLong.test(words);
}
