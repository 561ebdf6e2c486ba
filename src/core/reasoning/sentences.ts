/** Running text cut into sentences, by its marks alone: code in fences, tables and headings are left out, items of a list are sentences. */
import { cut } from '../base/text.ts';

const textCharsMax = 60_000;
const sentencesMax = 400;
const sentenceCharsMax = 600;

const fence = /^\s{0,3}(?:```|~~~)/;
const bullet = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/;
const noSentence = /^\s*(?:[|>]|[-=_*]{3,}\s*$|#{1,6}\s)/;
const abbreviation =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|no|nr|dr|mr|mrs|ms|st|fig|incl|resp|[A-Za-z])\.$/i;
/** A run of marks is looked at once, from its beginning: a text of nothing else would take the square of its length. */
const stop = /(?<![.!?])[.!?]{1,9}["'”’)\]*]{0,9}(?=\s)|[。！？]/g;

export function sentencesIn(given: string): string[] {
  const found: string[] = [];
  let paragraph: string[] = [];
  let isFenced = false;
  const end = (): void => {
    if (paragraph.length > 0) found.push(...sentencesOf(paragraph.join(' ')));
    paragraph = [];
  };
  for (const line of given.slice(0, textCharsMax).split('\n')) {
    if (found.length >= sentencesMax) break;
    if (fence.test(line)) {
      end();
      isFenced = !isFenced;
      continue;
    }
    if (isFenced) continue;
    const isItem = bullet.test(line);
    const isNone = line.trim() === '' || noSentence.test(line);
    if (isNone || isItem) end();
    if (isItem) paragraph = [line.replace(bullet, '')];
    else if (!isNone) paragraph.push(line.trim());
  }
  end();
  return found.slice(0, sentencesMax);
}

/** A paragraph cut at its ends of sentences. */
function sentencesOf(paragraph: string): string[] {
  const text = paragraph.replace(/\s+/g, ' ').trim();
  const found: string[] = [];
  let from = 0;
  for (const { 0: mark, index } of text.matchAll(stop)) {
    const end = index + mark.length;
    if (abbreviation.test(text.slice(Math.max(0, end - 8), end))) continue;
    found.push(cut(text.slice(from, end).trim(), sentenceCharsMax));
    from = end;
  }
  found.push(cut(text.slice(from).trim(), sentenceCharsMax));
  return found.filter((sentence) => sentence !== '');
}
