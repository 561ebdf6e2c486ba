/** How services say that a conversation no longer fits into the model's window; whatever program passes it on. */
const tooLong =
  /(?:prompt|conversation|session) (?:is )?too long|context[ _](?:length|window)[ _](?:is )?exceeded|context limit reached|maximum context length|exceeds? (?:the )?context (?:limit|length)|exceeds? the (?:context|maximum number of tokens)|out of room in the model's context window|input is too long for/i;

export function saysTooLong(words: string): boolean {
  return tooLong.test(words);
}

/** How services say that nothing is left to pay with: like a limit of usage, it does not pass by waiting a minute. */
const spent =
  /credit balance is too low|insufficient[ _](?:credits?|balance|funds|quota)|out of credits|used (?:up )?all (?:of )?your (?:\w+ )?credits|spend(?:ing)? (?:cap|limit) (?:was |has been |is )?reached|exceeded your current quota/i;

export function saysSpent(words: string): boolean {
  return spent.test(words);
}
