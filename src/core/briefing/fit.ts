/**
 * Which lines go into a budget. All that could be said is put into one order of additions, each a line or more of one; a briefing holds
 * what fits of it, up to the first that does not. Parts that are capped take no more than their share of the budget, and what does not
 * fit there is passed over. Caps are less than the whole together, so a larger budget never drops what a smaller one had.
 *
 *   1  what is missing, and what the work was sent back for; then what was written down on purpose, in rounds over its parts
 *   2  what is pending, the running call, where the agent stopped, the task list
 *   3  the first lines of needs, who waits, checks, files and commits
 *   4  every message of users, short: the newest, the first, and then on from the newest
 *   5  what programs summarised; messages of users, longer; ends of turns
 *   6  the rest of what was begun, messages of users longer still, and sentences of agents
 *
 * Costs add up: every line is counted with its line end, and a count of the whole is never more than the sum of its lines, since no line
 * begins with what a tokenizer would join to the one before. Should a counter not keep to that, lines are taken off the end.
 */
import type { Counter } from '../tokens/count.ts';
import { dataCharsMax, joinOn, lineOf, sameWords, shortChars, type BriefingItem } from './item.ts';
import { capOf, caps, sectionNames, type CappedGroup, type SectionName } from './section.ts';

export interface Chosen {
  readonly item: BriefingItem;
  /** How many characters of its text are shown. */
  readonly shown: number;
}

export interface Fitting {
  readonly items: readonly BriefingItem[];
  readonly count: Counter;
  /** Tokens for lines, without what frames them. */
  readonly room: number;
  readonly heading: (section: SectionName) => string;
}

/** `isTight`: something was weighed and left out, or shown in part. */
export function chooseItems({ items, count, room, heading }: Fitting): {
  readonly chosen: Chosen[];
  readonly isTight: boolean;
} {
  const shown = new Map<BriefingItem, number>();
  const opened = new Set<SectionName>();
  const taken = new Map<CappedGroup, number>();
  const full = new Set<BriefingItem | CappedGroup>();
  /** Whose sentences stand on one line. */
  const steps = new Set<string | undefined>();
  let left = room;
  let isTight = false;
  for (const { item, shown: wanted } of additions(items)) {
    const cap = capOf(item.section);
    const before = shown.get(item);
    if (item.section === 'rest' && isShown(item, shown)) continue;
    if (full.has(item) || (cap !== undefined && before === undefined && full.has(cap))) continue;
    const opening = opened.has(item.section) ? 0 : count(heading(item.section));
    const isJoined = item.section === 'rest' && steps.has(item.names[0]);
    const cost =
      before === undefined
        ? opening + count(isJoined ? joinOn(item, wanted) : lineOf(item, wanted))
        : count(lineOf(item, wanted)) - count(lineOf(item, before));
    if (cap !== undefined && (taken.get(cap) ?? 0) + cost > caps[cap] * room) {
      isTight = true;
      // What is there stays as long as it is; what is not there makes no room for less.
      full.add(before === undefined ? cap : item);
      continue;
    }
    if (cost > left) {
      isTight = true;
      break;
    }
    left -= cost;
    if (cap !== undefined) taken.set(cap, (taken.get(cap) ?? 0) + cost);
    opened.add(item.section);
    shown.set(item, wanted);
    if (item.section === 'rest') steps.add(item.names[0]);
  }
  return { chosen: [...shown].map(([item, chars]) => ({ item, shown: chars })), isTight };
}

/** A sentence of a message that is there, in as much of it as is shown. */
export function isShown({ names, text }: BriefingItem, shown: ReadonlyMap<BriefingItem, number>): boolean {
  for (const [item, chars] of shown)
    if (
      item.names[0] === names[0] &&
      item.text !== text &&
      sameWords(lineOf(item, chars)).includes(sameWords(text))
    )
      return true;
  return false;
}

/** How many of a part are taken in one round. */
const rounds: readonly (readonly [SectionName, number])[] = [
  ['contract', 24],
  ['added', 8],
  ['question', 4],
  ['next', 4],
  ['decisions', 6],
  ['deadEnds', 6],
  ['blockers', 4],
  ['state', 6],
  ['skills', 2],
  ['own', 8],
];
const firstChars = 120;
const wholeParts = [
  'missing',
  'list',
  'waiting',
  'files',
  'commits',
  'notCarried',
  'given',
  'handed',
  'needs',
] as const;

function* additions(items: readonly BriefingItem[]): Generator<Chosen> {
  const by = new Map<SectionName, BriefingItem[]>(sectionNames.map((name) => [name, []]));
  for (const item of items) by.get(item.section)?.push(item);
  const of = (name: SectionName): readonly BriefingItem[] => by.get(name) ?? [];
  const users = newestAndFirst(of('users'));
  const turns = of('turns').toReversed();
  yield* at(of('missing').slice(0, 12), shortChars);
  yield* at(of('sentBack').slice(0, 16), shortChars);
  for (const item of of('sentBack')) yield* growing(item);
  yield* written(of);
  for (const name of ['asked', 'order', 'answered'] as const)
    for (const item of of(name)) yield* growing(item);
  for (const item of of('running')) yield* growing(item, 600);
  for (const item of of('stopped')) yield* growing(item, Number.POSITIVE_INFINITY);
  yield* at(of('list').slice(0, 16), firstChars);
  yield* at(of('needs').slice(0, 16), shortChars);
  yield* at(of('waiting').slice(0, 4), firstChars);
  yield* at(of('checks').slice(0, 4), shortChars);
  yield* at(of('files').slice(0, 10), shortChars);
  yield* at(of('commits').slice(-6), firstChars);
  yield* at(users, firstChars);
  yield* at(users, shortChars);
  for (const item of of('summarised').toReversed()) yield* growing(item, Number.POSITIVE_INFINITY);
  yield* at(of('notCarried').slice(0, 8), shortChars);
  yield* at(of('given').slice(0, 8), shortChars);
  yield* at(of('handed').slice(0, 8), shortChars);
  yield* at(turns.slice(0, 4), 280);
  yield* at(of('needs').slice(0, 64), shortChars);
  yield* at(of('rest').slice(0, 24), shortChars);
  yield* at(users, 500);
  for (const name of wholeParts) yield* at(of(name), shortChars);
  yield* at(turns, shortChars);
  yield* at(of('rest').slice(0, 60), shortChars);
  yield* at(users, dataCharsMax);
  yield* at(of('checks'), shortChars);
  yield* at(of('rest'), shortChars);
  yield* at(turns, 700);
  yield* at(users, 4000);
  for (const name of ['rest', 'needs', 'list', 'given', 'handed', 'notCarried'] as const)
    yield* at(of(name), dataCharsMax);
}

/** Each part gives its next few lines. After the first round the contract grows to its whole length. */
function* written(of: (name: SectionName) => readonly BriefingItem[]): Generator<Chosen> {
  const most = Math.max(...rounds.map(([name, share]) => Math.ceil(of(name).length / share)));
  for (let round = 0; round < most; round += 1) {
    for (const [name, share] of rounds)
      yield* at(of(name).slice(round * share, (round + 1) * share), shortChars);
    if (round === 0) for (const item of of('contract')) yield* growing(item, Number.POSITIVE_INFINITY);
  }
  for (const [name] of rounds) for (const item of of(name)) yield* growing(item);
}

function* at(items: readonly BriefingItem[], chars: number): Generator<Chosen> {
  for (const item of items) yield { item, shown: Math.min(chars, Math.max(item.text.length, 1)) };
}

/** So that what does not fit whole is there as far as it fits. */
function* growing(item: BriefingItem, charsMax = dataCharsMax): Generator<Chosen> {
  const end = Math.max(1, Math.min(item.text.length, charsMax));
  for (let shown = Math.min(firstChars, end); ; shown = Math.min(Math.ceil(shown * 1.25), end)) {
    yield { item, shown };
    if (shown >= end) return;
  }
}

/** What was said last counts most, and then what it began with. */
function newestAndFirst(items: readonly BriefingItem[]): BriefingItem[] {
  const [first, ...others] = items;
  const [newest, ...older] = others.toReversed();
  return [newest, first, ...older].filter((item) => item !== undefined);
}
