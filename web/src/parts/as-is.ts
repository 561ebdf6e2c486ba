/** Which texts are not read as Markdown. */

/** Longer ones are logs; reading them would hold up the page. */
const charsMax = 20_000;
/** What opens and closes something takes time with its square: six thousand of them took ten seconds. */
const signsMax = 400;

export function isShownAsIs(text: string): boolean {
  return text.length > charsMax || isPlain(text) || (text.match(/[*_~[\]<>!`]/g)?.length ?? 0) > signsMax;
}

/** One plain line; there is nothing to read in it. */
function isPlain(text: string): boolean {
  return !/[\n`*_[\]<>#|~&\\]|https?:|^\s*(?:[-+>]|\d+[.)])\s/.test(text);
}
