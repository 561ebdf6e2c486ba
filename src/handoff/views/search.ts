/**
 * Finds tasks by the words in them. The words stand in an index that is a cache of the journals: a search first takes in what
 * was written since, in the order of the feed, and a store that was put back makes the index begin again. So nothing is written to
 * the index when work is recorded, and a search sees everything that was recorded before it began.
 */
import { cardOf } from '../../core/task/card.ts';
import { openContract, openPacket } from '../../core/journal/sealed-content.ts';
import {
  contractTexts,
  entryTexts,
  packetTexts,
  stepTexts,
  type Searchable,
} from '../../core/packet/searchable.ts';
import { parseEntry, type Entry } from '../../core/journal/entry.ts';
import { isStaffettaError, StaffettaError } from '../../core/base/error.ts';
import type { Lane } from '../../core/task/actor.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { limits } from '../../core/base/limits.ts';
import type { Status } from '../../core/task/state.ts';
import type { Reader } from '../../core/transcript/story.ts';
import type { FeedEntry } from '../../ports/journal.ts';
import type {
  FoundWords,
  WordMark,
  WordPlace,
  FeedReached,
  WordIndex,
  IndexedWords,
} from '../../ports/word-index.ts';
import type { Context } from '../record/context.ts';
import { isSilent } from '../record/silence.ts';
import { readBlob } from '../history/history.ts';
import { load } from '../record/load.ts';
import { readStory } from '../history/story.ts';

export interface SearchOptions {
  readonly words: string;
  readonly statuses?: readonly Status[];
  readonly lane?: Lane;
  readonly holder?: string;
  readonly limit?: number;
}

export interface SearchHit {
  readonly task: TaskId;
  readonly title: string;
  /** As it stands now: lapsed as soon as the lease is over. */
  readonly status: Status;
  readonly lane: Lane | null;
  readonly holder: string | null;
  readonly where: WordPlace;
  /** The field of a contract or a packet, or who said it in a history. */
  readonly field: string | null;
  /** What `staffetta show TASK` takes: j12, d3, s42. */
  readonly ref: string | null;
  readonly seq: number | null;
  readonly at: number | null;
  readonly by: string | null;
  readonly text: string;
  readonly marks: readonly WordMark[];
}

export interface FoundText {
  readonly hits: readonly SearchHit[];
  /** Tasks that were looked at because words were found in them. */
  readonly searched: number;
  /** There is more than is listed here. */
  readonly more: boolean;
}

export interface SearchMeans {
  readonly index: WordIndex;
  readonly readerOf: (runtime: string) => Reader | undefined;
}

const pageEntries = 256;
const pageFound = 256;
/** Of one task, so that it does not fill the list. */
const perTaskMax = 8;
const tasksMax = 2000;
const foundMax = 20_000;

export async function search(
  context: Context,
  means: SearchMeans,
  options: SearchOptions,
): Promise<FoundText> {
  const { words, limit = limits.pageDefault } = options;
  if (words.trim().length < 2)
    throw new StaffettaError('invalid-input', 'A search takes at least two characters.', {
      hint: 'Give a word, or the beginning of one.',
    });
  await takeIn(context, means);
  const seen = new Map<TaskId, Seen>();
  const hits: SearchHit[] = [];
  let before: number | null = null;
  let more = false;
  for (let looked = 0; ;) {
    const page: readonly FoundWords[] = means.index.find(words, { before, limit: pageFound });
    for (const found of page) {
      if (hits.length >= limit) return { hits, searched: seen.size, more: true };
      const task = seen.get(found.task) ?? (await taskFor(context, means.index, found.task, options));
      seen.set(found.task, task);
      if (task.card === undefined || task.told.has(told(found))) continue;
      if (task.told.size >= perTaskMax) more = true;
      else hits.push(hitOf(found, task.card));
      task.told.add(told(found));
    }
    looked += page.length;
    before = page.at(-1)?.place ?? null;
    if (page.length < pageFound) return { hits, searched: seen.size, more };
    if (looked >= foundMax || seen.size >= tasksMax) return { hits, searched: seen.size, more: true };
  }
}

interface Seen {
  /** Undefined where it is gone, damaged or not asked for. */
  readonly card: ReturnType<typeof cardOf> | undefined;
  readonly told: Set<string>;
}

/** A contract that was amended says much of what it said before. */
function told({ where, field, ref, text }: FoundWords): string {
  return JSON.stringify([where, field, where === 'history' ? ref : null, text]);
}

async function taskFor(
  context: Context,
  index: WordIndex,
  task: TaskId,
  { statuses, lane, holder }: SearchOptions,
): Promise<Seen> {
  const nothing = { card: undefined, told: new Set<string>() };
  try {
    const { state, lease } = await load(context, task);
    const silent = isSilent(context, { ...state, leaseUntil: lease?.until ?? null });
    const card = { ...cardOf(state), ...(silent ? { status: 'lapsed' as const } : {}) };
    const fits =
      (statuses === undefined || statuses.includes(card.status)) &&
      (lane === undefined || card.lane === lane) &&
      (holder === undefined || card.holder === holder);
    return fits ? { card, told: new Set() } : nothing;
  } catch (error) {
    if (!isStaffettaError(error)) throw error;
    // What was swept is not found again.
    if (error.code === 'unknown-task') index.forget(task);
    return nothing;
  }
}

function hitOf({ place: _place, ...found }: FoundWords, card: ReturnType<typeof cardOf>): SearchHit {
  const { title, status, lane, holder } = card;
  return { ...found, title, status, lane, holder };
}

/** Everything that was written since somebody searched last. */
async function takeIn(context: Context, means: SearchMeans): Promise<void> {
  const { index } = means;
  if (!(await isOfThisStore(context, index.reached()))) index.clear();
  for (;;) {
    const from = index.reached();
    const page = await context.store.catalog.feed(from.position, pageEntries);
    const last = page.at(-1);
    if (last === undefined) return;
    const { words, retold } = await wordsOf(context, means, page);
    // If somebody else was faster, what they took in is not taken in again.
    index.add({ from, to: { position: last.position, digest: last.digest }, words, retold });
  }
}

/** A backup that was put back has other entries at the same positions, or none. */
async function isOfThisStore(context: Context, { position, digest }: FeedReached): Promise<boolean> {
  if (position === 0) return true;
  const [at] = await context.store.catalog.feed(position - 1, 1);
  return at?.position === position && at.digest === digest;
}

async function wordsOf(
  context: Context,
  means: SearchMeans,
  page: readonly FeedEntry[],
): Promise<{ readonly words: readonly IndexedWords[]; readonly retold: readonly TaskId[] }> {
  const words: IndexedWords[] = [];
  const retold = new Set<TaskId>();
  for (const { body } of page) {
    const entry = await readable(() => parseEntry(body));
    if (entry === undefined) continue;
    const { task, seq, at, by } = entry;
    const texts = [...entryTexts(entry), ...(await namedTexts(context, entry, () => retold.add(task)))];
    words.push(...texts.map((text) => ({ ...text, task, seq, at, by: by.name })));
  }
  for (const task of retold) words.push(...(await historyWords(context, means, task)));
  return { words, retold: [...retold] };
}

async function namedTexts(context: Context, entry: Entry, onTranscript: () => void): Promise<Searchable[]> {
  const texts: Searchable[] = [];
  for (const event of entry.events) {
    if (event.type === 'task-opened' || event.type === 'contract-amended') {
      const contract = await readable(async () => openContract(await readBlob(context, event.contract)));
      if (contract !== undefined) texts.push(...contractTexts(contract));
    }
    if (event.type !== 'checkpoint-sealed') continue;
    const packet = await readable(async () => openPacket(await readBlob(context, event.packet)));
    if (packet === undefined) continue;
    texts.push(...packetTexts(packet, `j${entry.seq}`));
    if (packet.transcript.length > 0) onTranscript();
  }
  return texts;
}

/** All of it: what a later packet brings can change how earlier records are read. */
async function historyWords(
  context: Context,
  { readerOf }: SearchMeans,
  task: TaskId,
): Promise<IndexedWords[]> {
  const story = await readable(async () => await readStory(context, task, readerOf));
  if (story === undefined) return [];
  return story.steps.flatMap((step) =>
    stepTexts(step).map((text) => ({ ...text, task, seq: null, at: step.at, by: null })),
  );
}

/** One entry or blob that is damaged, or was just swept, does not hide the others. */
async function readable<T>(read: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!isStaffettaError(error)) throw error;
    return undefined;
  }
}
