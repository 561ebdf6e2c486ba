/** Whether a text is read as Markdown. What would hold up the page, or is no prose, is shown as it was written: nothing of it is lost. */

/** Longer ones are logs. */
const charsMax = 20_000;

/** Reading takes the square of how many marks one paragraph has. */
const marksMax = 300;
const marksInAllMax = 1500;

/** Quotes and lists that begin on one line, each inside the one before it. */
const nested = /^(?:[ \t]*(?:>|[-+*][ \t]|\d{1,9}[.)][ \t])){17}/m;

export function isReadable(text: string): boolean {
  if (text.length > charsMax || nested.test(text)) return false;
  const marks = text.split(/\n\s*\n/).map((part) => part.match(/[*_~`[\]<\\]/g)?.length ?? 0);
  return Math.max(...marks) <= marksMax && marks.reduce((sum, count) => sum + count, 0) <= marksInAllMax;
}
