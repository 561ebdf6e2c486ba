/**
 * Which lines go into a budget. All that could be said is put into one order; a briefing holds the longest beginning of it that fits.
 * So a larger budget never drops what a smaller one had, and nothing is chosen by luck.
 *
 *   1  rounds over the pinned parts, in the order of `section.ts`: each gives the next `share` of its items, cut to `shortChars`.
 *      After the first round the contract grows to its whole length, `pieceChars` at a time
 *   2  pinned items that were cut grow to `dataCharsMax`
 *   3  the rest, as it is ranked
 *   4  what is of little weight, part by part
 *
 * Costs add up: every line is counted with its line end, and a count of the whole is never more than the sum of its lines, since no line
 * begins with what a tokenizer would join to the one before. Should a counter not keep to that, lines are taken off the end.
 */
import type { Counter } from '../tokens/count.ts';
import { dataCharsMax, lineOf, pieceChars, shortChars, type Item } from './item.ts';
import { sectionNames, sections, type SectionName } from './section.ts';

export interface Chosen {
  readonly item: Item;
  /** How many characters of its text are shown. */
  readonly shown: number;
}

interface Upgrade {
  readonly item: Item;
  readonly shown: number;
}

export interface Fitting {
  readonly items: readonly Item[];
  readonly count: Counter;
  /** Tokens for lines, without what frames them. */
  readonly room: number;
  readonly heading: (section: SectionName) => string;
}

export function fit({ items, count, room, heading }: Fitting): Chosen[] {
  const shown = new Map<Item, number>();
  const opened = new Set<SectionName>();
  let left = room;
  for (const { item, shown: wanted } of inOrder(items)) {
    const before = shown.get(item);
    const opening = opened.has(item.section) ? 0 : count(heading(item.section));
    const cost =
      before === undefined
        ? opening + count(lineOf(item, wanted))
        : count(lineOf(item, wanted)) - count(lineOf(item, before));
    if (cost > left) break;
    left -= cost;
    opened.add(item.section);
    shown.set(item, wanted);
  }
  return [...shown].map(([item, chars]) => ({ item, shown: chars }));
}

function* inOrder(items: readonly Item[]): Generator<Upgrade> {
  const by = new Map<SectionName, Item[]>(sectionNames.map((name) => [name, []]));
  for (const item of items) if (item.last !== true) by.get(item.section)?.push(item);
  const pinned = sectionNames.filter((name) => sections[name].share !== null);
  const rounds = Math.max(
    1,
    ...pinned.map((name) => Math.ceil((by.get(name)?.length ?? 0) / (sections[name].share ?? 1))),
  );
  for (let round = 0; round < rounds; round += 1) {
    for (const name of pinned) {
      const share = sections[name].share ?? 0;
      for (const item of by.get(name)?.slice(round * share, (round + 1) * share) ?? [])
        yield { item, shown: shortChars };
    }
    if (round === 0) {
      const first = by.get('contract')?.slice(0, sections.contract.share) ?? [];
      for (const item of first) yield* growth(item, Number.POSITIVE_INFINITY);
    }
  }
  const later = by.get('contract')?.slice(sections.contract.share) ?? [];
  for (const item of later) yield* growth(item, Number.POSITIVE_INFINITY);
  for (const name of pinned)
    if (name !== 'contract') for (const item of by.get(name) ?? []) yield* growth(item, dataCharsMax);
  for (const name of sectionNames)
    if (sections[name].share === null)
      for (const item of by.get(name) ?? []) yield { item, shown: shortChars };
  for (const name of sectionNames)
    for (const item of items)
      if (item.last === true && item.section === name) yield { item, shown: shortChars };
}

function* growth(item: Item, charsMax: number): Generator<Upgrade> {
  const end = Math.min(item.text.length, charsMax);
  for (let shown = shortChars; shown < end;) {
    shown = Math.min(shown + pieceChars, end);
    yield { item, shown };
  }
}
