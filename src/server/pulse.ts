/**
 * What happened in a store, by the hour, counted from the feed of all tasks: each entry once, however often somebody looks. Of a long feed
 * only the latest entries are counted, and the answer says from when on.
 */
import { parseEntry } from '../core/journal/entry.ts';
import type { Event } from '../core/journal/event.ts';
import type { TaskId } from '../core/journal/id.ts';
import type { Lane } from '../core/task/actor.ts';
import type { Context } from '../handoff/record/context.ts';
import { feedTail } from '../handoff/record/feed-tail.ts';
import type { FeedEntry } from '../ports/journal.ts';
import type { OverviewAnswer } from './contract/contract-looks.ts';

const entriesMax = 20_000;
const pageEntries = 500;
const hourMs = 3_600_000;
const hoursMax = 31 * 24;
const recentMax = 40;

type Hour = OverviewAnswer['hours'][number];
type Counts = Hour['counts'];

const counted: Readonly<Partial<Record<Event['type'], keyof Counts>>> = {
  'task-opened': 'opened',
  'task-done': 'done',
  'task-failed': 'stopped',
  'task-cancelled': 'stopped',
  'review-sent-back': 'sentBack',
  'leg-lapsed': 'lapsed',
};

export class Pulse {
  readonly #context: Context;
  readonly #hours = new Map<
    number,
    { readonly counts: Counts; readonly lanes: Map<Lane, { legs: number; ms: number }> }
  >();
  readonly #legs = new Map<TaskId, { readonly lane: Lane; readonly at: number }>();
  #recent: OverviewAnswer['recent'] = [];
  #position: number | undefined;
  #from: number | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(context: Context) {
    this.#context = context;
  }

  /** One look after the other: all of them move the same position. */
  async look(): Promise<OverviewAnswer> {
    const mine = this.#last.then(async () => await this.#read());
    this.#last = mine.catch(() => {});
    await mine;
    const hours = [...this.#hours]
      .toSorted(([a], [b]) => a - b)
      .map(([at, { counts, lanes }]) => ({
        at,
        counts: { ...counts },
        lanes: [...lanes].map(([lane, sum]) => ({ lane, ...sum })),
      }));
    return { hours, recent: this.#recent.toReversed(), from: this.#from, now: this.#context.clock.now() };
  }

  async #read(): Promise<void> {
    const { catalog } = this.#context.store;
    const isFirst = this.#position === undefined;
    let position = this.#position ?? Math.max(0, (await feedTail(catalog)) - entriesMax);
    for (;;) {
      const page = await catalog.feed(position, pageEntries);
      for (const entry of page) this.#add(entry, isFirst && position > 0);
      position = page.at(-1)?.position ?? position;
      this.#position = position;
      if (page.length < pageEntries) break;
    }
    const oldest = this.#context.clock.now() - hoursMax * hourMs;
    for (const at of this.#hours.keys()) if (at < oldest) this.#hours.delete(at);
  }

  #add({ task, body }: FeedEntry, isCut: boolean): void {
    let entry;
    try {
      entry = parseEntry(body);
    } catch {
      // Damaged, or of a version to come: verify tells of it.
      return;
    }
    const { at, by, events } = entry;
    this.#recent.push({ task, at, by: by.name, types: events.map(({ type }) => type) });
    if (this.#recent.length > recentMax) this.#recent.shift();
    if (isCut) this.#from ??= at;
    const hour = this.#hourOf(at);
    for (const event of events) {
      const name = counted[event.type];
      if (name !== undefined) hour.counts[name] += 1;
      if (event.type === 'usage-counted') hour.counts.tokens += event.tokens;
      if (event.type === 'leg-started') this.#legs.set(task, { lane: event.lane, at });
      if (event.type !== 'leg-ended' && event.type !== 'leg-lapsed') continue;
      const leg = this.#legs.get(task);
      this.#legs.delete(task);
      if (leg === undefined) continue;
      const { legs, ms } = hour.lanes.get(leg.lane) ?? { legs: 0, ms: 0 };
      hour.lanes.set(leg.lane, { legs: legs + 1, ms: ms + at - leg.at });
    }
  }

  #hourOf(at: number) {
    const hour = Math.floor(at / hourMs) * hourMs;
    const known = this.#hours.get(hour);
    if (known !== undefined) return known;
    const counts = { opened: 0, done: 0, stopped: 0, sentBack: 0, lapsed: 0, tokens: 0 };
    const made = { counts, lanes: new Map<Lane, { legs: number; ms: number }>() };
    this.#hours.set(hour, made);
    return made;
  }
}
