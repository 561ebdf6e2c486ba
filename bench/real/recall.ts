/**
 * How much of a summary is in a briefing: the share of the rare words of a field that stand in it. Rare is what is no stop word, has
 * three characters or more, and is not among the words that most summaries use.
 */
import { summaryFields, type Summary } from './captures.ts';

export type SummaryField = (typeof summaryFields)[number];

/** So many of the words that occur in most summaries say nothing of one of them. */
const commonMax = 50;

const stopWords = new Set(
  `a about after again all also an and any are as at be because been before being below between both but by can cannot could did do does
  doing down during each few for from further had has have having he her here him his how i if in into is it its itself just may me might
  more most must my need needs needed no nor not now of off on once only or other our out over own same she should so some such than that
  the their them then there these they this those through to too under until up use used uses using very via was we were what when where
  which while who whom why will with within without would you your new`.split(/\s+/),
);

export function commonWords(summaries: readonly Summary[]): ReadonlySet<string> {
  const seen = new Map<string, number>();
  for (const summary of summaries)
    for (const word of wordsOf(summaryFields.flatMap((field) => summary[field]).join(' ')))
      seen.set(word, (seen.get(word) ?? 0) + 1);
  const ranked = [...seen].toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  return new Set(ranked.slice(0, commonMax).map(([word]) => word));
}

/** Null where the field has no rare word. */
export function recallOf(
  texts: readonly string[],
  briefing: string,
  common: ReadonlySet<string>,
): number | null {
  const rare = [...wordsOf(texts.join(' '))].filter((word) => !common.has(word));
  if (rare.length === 0) return null;
  const there = wordsOf(briefing);
  return rare.filter((word) => there.has(word)).length / rare.length;
}

function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => word.length >= 3 && !stopWords.has(word)));
}
