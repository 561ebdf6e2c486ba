/**
 * In which order sentences of agents are worth telling. An agent that narrates says the same things over and over with other names in
 * them; what matters is said once, in words that are seldom used. So a sentence weighs
 *
 *   how rare its words are    the mean over its rarest words of log(sentences / sentences with the word); names, paths and numbers are
 *                             left out, for they are all rare
 *   how late it was said      up to `lateness`
 *   what is looked for        each word of a goal, where one was given
 *
 * and whenever one is taken, its words count half from then on: what was told is not told again in other words. The same sentences give
 * the same order.
 */
import { agentSteps } from './messages.ts';
import { sentencesIn } from './sentences.ts';
import { tellingWords } from './term.ts';
import type { Story } from '../transcript/story.ts';

export interface Ranked {
  readonly ref: number;
  readonly text: string;
  /** Its place in its step. */
  readonly nth: number;
}

/** It begins where a word does, and is no longer than names are: from each place in a long word it would be looked for anew. */
const name = /`[^`]*`|(?<![^\s`])\S{0,400}[\d_/\\.@][^\s,;:]{0,400}\w|\b\w*[a-z][A-Z]\w*/g;
const word = /[a-z\u00c0-\uffff]{4,}/g;
/** Of so many of the rarest words the mean is taken. */
const wordsMax = 5;
const wordsMin = 8;
const decay = 0.5;
const lateness = 1;
/** More than rarity gives: what somebody looks for comes first. */
const wantedWeight = 4;
/** More than any briefing holds; what lies beyond is not looked at again. */
const pickedMax = 250;
/** Of the newest steps: a session of a day has fewer. */
const stepsMax = 4000;

interface Weighed extends Ranked {
  readonly terms: readonly string[];
  readonly base: number;
}

export function rankSentences(story: Pick<Story, 'steps' | 'sessions'>, goal = ''): Ranked[] {
  const said = agentSteps(story)
    .slice(-stepsMax)
    .flatMap(({ ref, text }) => sentencesIn(text).map((sentence, nth) => ({ ref, text: sentence, nth })))
    .filter(({ text }) => text.split(' ', wordsMin).length >= wordsMin);
  const seen = new Map<string, number>();
  const termed = said.map((one) => {
    const terms = [...new Set(one.text.replace(name, ' ').toLowerCase().match(word))];
    for (const term of terms) seen.set(term, (seen.get(term) ?? 0) + 1);
    return { ...one, terms };
  });
  const worth = new Map([...seen].map(([term, n]) => [term, Math.log((said.length + 1) / n)] as const));
  const end = Math.max(1, said.at(-1)?.ref ?? 1);
  const wanted = wantedOf(goal);
  return inOrder(
    termed.map((one) => ({ ...one, base: (lateness * one.ref) / end + wanted(one.text) })),
    worth,
  );
}

function wantedOf(goal: string): (text: string) => number {
  const terms = tellingWords(goal);
  if (terms.size === 0) return () => 0;
  return (text) => wantedWeight * [...tellingWords(text)].filter((term) => terms.has(term)).length;
}

function inOrder(all: readonly Weighed[], worth: Map<string, number>): Ranked[] {
  const weightOf = ({ terms, base }: Weighed): number => base + novelty(terms, worth);
  const left = all
    .map((one) => ({ one, weight: weightOf(one) }))
    .toSorted((a, b) => a.weight - b.weight || a.one.ref - b.one.ref);
  const order: Ranked[] = [];
  const told = new Set<string>();
  // Weights only ever fall, so one that is still the heaviest when it is weighed again is the one to take.
  while (order.length < pickedMax) {
    const heaviest = left.pop();
    if (heaviest === undefined) break;
    const { one } = heaviest;
    if (told.has(one.text)) continue;
    const weight = weightOf(one);
    if (weight < (left.at(-1)?.weight ?? Number.NEGATIVE_INFINITY)) {
      left.splice(placeFor(left, weight), 0, { one, weight });
      continue;
    }
    told.add(one.text);
    order.push({ ref: one.ref, text: one.text, nth: one.nth });
    for (const term of one.terms) worth.set(term, (worth.get(term) ?? 0) * decay);
  }
  return order;
}

/** The mean of the largest few: lists are short, and there are many of them. */
function novelty(terms: readonly string[], worth: ReadonlyMap<string, number>): number {
  const rarest: number[] = [];
  for (const term of terms) {
    const one = worth.get(term) ?? 0;
    let place = rarest.length;
    while (place > 0 && (rarest[place - 1] ?? 0) < one) place -= 1;
    if (place < wordsMax) rarest.splice(place, 0, one);
    if (rarest.length > wordsMax) rarest.pop();
  }
  return rarest.reduce((sum, one) => sum + one, 0) / Math.max(rarest.length, 3);
}

/** Behind all that weigh less. */
function placeFor(sorted: readonly { readonly weight: number }[], weight: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle]?.weight ?? 0) < weight) low = middle + 1;
    else high = middle;
  }
  return low;
}
