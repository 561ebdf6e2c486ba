/**
 * In which order statements of a kind are worth telling. An agent that narrates says the same things over and over with other names
 * in them; what matters is said once, in words that are seldom used. So a statement weighs
 *
 *   how outright it was said     the strength of its signs
 *   how rare its words are       the mean over its rarest words of log(statements / statements with the word); names, paths and numbers
 *                                are left out, for they are all rare
 *   how late it was said         up to `lateness`
 *   where it was said            whatever `bonus` gives it: more where the course of the work turned
 *
 * and whenever one is taken, its words count half from then on: what was told is not told again in other words. The same statements
 * give the same order.
 */
import type { Statement } from '../stated/statements.ts';

/** It begins where a word does, and is no longer than names are: from each place in a long word it would be looked for anew. */
const name = /`[^`]*`|(?<![^\s`])\S{0,400}[\d_/\\.@][^\s,;:]{0,400}\w|\b\w*[a-z][A-Z]\w*/g;
/** Of so many of the rarest words the mean is taken. */
const wordsMax = 5;
const decay = 0.5;
const word = /[a-z\u00c0-\uffff]{4,}/g;
/** More than any briefing holds; what lies beyond stays in the order of its weight. */
const pickedMax = 250;

export interface Told {
  readonly statement: Statement;
  readonly terms: readonly string[];
}

/** Rarity of words among all that was stated. */
export function rarities(stated: readonly Statement[]): {
  readonly told: (statement: Statement) => Told;
  readonly rarity: ReadonlyMap<string, number>;
} {
  const terms = new Map(
    stated.map(
      (statement) =>
        [statement, [...new Set(statement.text.replace(name, ' ').toLowerCase().match(word))]] as const,
    ),
  );
  const seen = new Map<string, number>();
  for (const list of terms.values()) for (const term of list) seen.set(term, (seen.get(term) ?? 0) + 1);
  const rarity = new Map([...seen].map(([term, n]) => [term, Math.log((stated.length + 1) / n)] as const));
  return { told: (statement) => ({ statement, terms: terms.get(statement) ?? [] }), rarity };
}

export function inOrder(
  told: readonly Told[],
  rarity: ReadonlyMap<string, number>,
  { lateness, strengthMax }: { readonly lateness: number; readonly strengthMax: number },
  bonus: (statement: Statement) => number = () => 0,
): Statement[] {
  const end = Math.max(1, ...told.map(({ statement }) => statement.ref));
  const worth = new Map(rarity);
  const novelty = ({ terms }: Told): number => {
    // The largest few, in falling order: lists are short, and there are many of them.
    const rarest: number[] = [];
    for (const term of terms) {
      const one = worth.get(term) ?? 0;
      let place = rarest.length;
      while (place > 0 && (rarest[place - 1] ?? 0) < one) place -= 1;
      if (place < wordsMax) rarest.splice(place, 0, one);
      if (rarest.length > wordsMax) rarest.pop();
    }
    let sum = 0;
    for (const one of rarest) sum += one;
    return sum / Math.max(rarest.length, 3);
  };
  const base = ({ statement }: Told): number =>
    Math.min(statement.strength, strengthMax) + (lateness * statement.ref) / end + bonus(statement);
  const left = told
    .map((one) => ({ one, weight: base(one) + novelty(one) }))
    .toSorted((a, b) => a.weight - b.weight || a.one.statement.ref - b.one.statement.ref);
  const order: Statement[] = [];
  // Weights only ever fall, so one that is still the heaviest when it is weighed again is the one to take.
  while (order.length < pickedMax) {
    const heaviest = left.pop();
    if (heaviest === undefined) break;
    const { one } = heaviest;
    const weight = base(one) + novelty(one);
    if (weight < (left.at(-1)?.weight ?? Number.NEGATIVE_INFINITY)) {
      left.splice(placeFor(left, weight), 0, { one, weight });
      continue;
    }
    order.push(one.statement);
    for (const term of one.terms) worth.set(term, (worth.get(term) ?? 0) * decay);
  }
  return [...order, ...left.toReversed().map(({ one }) => one.statement)];
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
