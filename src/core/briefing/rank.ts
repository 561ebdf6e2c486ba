/**
 * What else of the sessions bears on the goal. Steps are ranked as search engines rank pages (BM25, k1 = 1.2, b = 0.75): a step
 * that has rare words of the goal, several of them, and is not long for other reasons, comes first. Of each the one or two sentences
 * with the most of these words are shown. Only what users and agents said is looked at, not what tools printed.
 */
import type { StoryStep } from '../transcript/story.ts';
import { sentencesIn } from '../stated/prose.ts';
import { termsOf } from '../stated/term.ts';

export interface Ranked {
  readonly ref: number;
  readonly by: 'user' | 'agent';
  readonly text: string;
}

const k1 = 1.2;
const b = 0.75;
const termsMax = 40;
const rankedMax = 150;
const charsMax = 20_000;

export function rankSteps(steps: readonly StoryStep[], goal: string): Ranked[] {
  const terms = [...termsOf(goal)].slice(0, termsMax);
  const places = new Map(terms.map((term, i) => [term, i]));
  if (terms.length === 0) return [];
  const pattern = new RegExp(
    `(?<![a-z0-9])(?:${terms
      .toSorted((a, c) => c.length - a.length || (a < c ? -1 : 1))
      .map((term) => term.replace(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`))
      .join('|')})`,
    'gi',
  );
  const pages: { readonly step: StoryStep; readonly counts: Map<number, number>; readonly length: number }[] =
    [];
  const inPages = Array.from({ length: terms.length }, () => 0);
  let total = 0;
  let all = 0;
  for (const step of steps) {
    if (
      step.source === 'system' ||
      step.aside === 'rewritten' ||
      step.aside === 'branch-left' ||
      step.text === ''
    )
      continue;
    const text = step.text.length > charsMax ? step.text.slice(0, charsMax) : step.text;
    all += 1;
    total += text.length;
    const counts = new Map<number, number>();
    for (const [found] of text.matchAll(pattern)) {
      const place = places.get(found.toLowerCase());
      if (place !== undefined) counts.set(place, (counts.get(place) ?? 0) + 1);
    }
    if (counts.size === 0) continue;
    for (const place of counts.keys()) inPages[place] = (inPages[place] ?? 0) + 1;
    pages.push({ step, counts, length: text.length });
  }
  const weights = inPages.map((n) => Math.log(1 + (all - n + 0.5) / (n + 0.5)));
  const mean = all === 0 ? 1 : total / all;
  return pages
    .map(({ step, counts, length }) => {
      let score = 0;
      for (const [place, n] of counts)
        score += ((weights[place] ?? 0) * n * (k1 + 1)) / (n + k1 * (1 - b + (b * length) / mean));
      return { step, score };
    })
    .toSorted((one, other) => other.score - one.score || other.step.ref - one.step.ref)
    .slice(0, rankedMax)
    .flatMap(({ step }) => bestOf(step, places));
}

/** The sentence with the most words of the goal, and the one after it if it has some too. */
function bestOf(step: StoryStep, terms: ReadonlyMap<string, number>): Ranked[] {
  if (step.source === 'system') return [];
  const sentences = sentencesIn(step.text).map(({ text }) => text);
  let best = -1;
  let most = 0;
  const weightOf = (text: string): number => [...termsOf(text)].filter((term) => terms.has(term)).length;
  for (const [i, text] of sentences.entries()) {
    const weight = weightOf(text);
    if (weight > most) [best, most] = [i, weight];
  }
  const text = sentences[best];
  return text === undefined ? [] : [{ ref: step.ref, by: step.source, text }];
}
