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
 * Of what comes after the contract, every fifth character goes to what users said without any sign of a kind: rules for words miss
 * some of what people state, and none of it may be lost to what agents wrote. So that part has a share of any budget.
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
  for (const { item, shown: wanted } of withUsers(items)) {
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

/** Of the characters after the contract. */
const usersShare = 0.2;

function* withUsers(items: readonly Item[]): Generator<Upgrade> {
  const said = items.filter(({ section, last }) => section === 'said' && last !== true);
  let at = 0;
  let theirs = 0;
  let all = 0;
  for (const upgrade of inOrder(items.filter((item) => item.section !== 'said' || item.last === true))) {
    yield upgrade;
    if (before.has(upgrade.item.section)) continue;
    all += Math.min(upgrade.item.text.length, shortChars);
    while (at < said.length && theirs < usersShare * (all + theirs)) {
      const item = said[at] as Item;
      yield { item, shown: shortChars };
      theirs += Math.min(item.text.length, shortChars);
      at += 1;
    }
  }
  for (const item of said.slice(at)) yield { item, shown: shortChars };
  for (const item of said) yield* growth(item, dataCharsMax);
}

const before: ReadonlySet<SectionName> = new Set(['question', 'missing', 'contract']);

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
