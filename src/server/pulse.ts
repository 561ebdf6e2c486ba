/**
 * What happened in a store, by the hour, counted from the feed of all tasks: each entry once, however often somebody looks. Of a long feed
 * only the latest entries are counted, and the answer says from when on. Tokens are those that somebody counted; of a task where nobody did,
 * what its sessions say themselves. Who is silent now fell silent when the lease ended, whether somebody has recorded that or not.
 */
import { isStaffettaError } from '../core/base/error.ts';
import { limits } from '../core/base/limits.ts';
import type { Digest } from '../core/journal/digest.ts';
import { parseEntry } from '../core/journal/entry.ts';
import type { Event } from '../core/journal/event.ts';
import type { TaskId } from '../core/journal/id.ts';
import type { Lane } from '../core/task/actor.ts';
import { sessionTimes, workedIn, type SessionTime } from '../core/transcript/session-times.ts';
import type { StoryStep } from '../core/transcript/story.ts';
import { readPacket } from '../handoff/history/history.ts';
import type { Context } from '../handoff/record/context.ts';
import { silentPage } from '../handoff/record/silence.ts';
import { feedTail } from '../handoff/record/feed-tail.ts';
import type { FeedEntry } from '../ports/journal.ts';
import type { OverviewAnswer } from './contract/contract-looks.ts';
import type { Stories } from './stories.ts';

const entriesMax = 20_000;
const pageEntries = 500;
const hourMs = 3_600_000;
const hoursMax = 31 * 24;
const recentMax = 40;

/** So long at a look stories are read for their tokens; the rest waits for the next. */
const storiesMs = 300;

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

interface Begun {
  readonly lane: Lane;
  readonly at: number;
  readonly generation: number;
}

/** How long it counts, and what it counts in. */
interface Ended {
  readonly generation: number;
  ms: number;
  readonly sum: { legs: number; ms: number };
}

export class Pulse {
  readonly #context: Context;
  readonly #stories: Stories;
  readonly #hours = new Map<
    number,
    { readonly counts: Counts; readonly lanes: Map<Lane, { legs: number; ms: number }> }
  >();
  readonly #legs = new Map<TaskId, Begun>();
  readonly #ended = new Map<TaskId, readonly Ended[]>();
  /** When the sessions of a task ran by their own clocks. */
  readonly #ran = new Map<TaskId, readonly SessionTime[]>();
  /** Packets of tasks where nobody counted tokens, that were not looked into. */
  readonly #sealed = new Map<TaskId, readonly Digest[]>();
  readonly #isCounted = new Set<TaskId>();
  /** What sessions of a task used, by when. */
  readonly #told = new Map<TaskId, readonly (readonly [at: number, tokens: number])[]>();
  #recent: OverviewAnswer['recent'] = [];
  #position: number | undefined;
  #from: number | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(context: Context, stories: Stories) {
    this.#context = context;
    this.#stories = stories;
  }

  /** One look after the other: all of them move the same position. */
  async look(): Promise<OverviewAnswer> {
    const mine = this.#last.then(async () => await this.#read());
    this.#last = mine.catch(() => {});
    await mine;
    const silent = await this.#silentByHour();
    const told = this.#toldByHour();
    const hours = [...this.#hours]
      .toSorted(([a], [b]) => a - b)
      .map(([at, { counts, lanes }]) => ({
        at,
        counts: {
          ...counts,
          lapsed: counts.lapsed + (silent.get(at) ?? 0),
          tokens: counts.tokens + (told.get(at) ?? 0),
        },
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
    for (const at of this.#hours.keys()) if (at < this.#oldest()) this.#hours.delete(at);
    await this.#readStories();
  }

  #oldest(): number {
    return this.#context.clock.now() - hoursMax * hourMs;
  }

  async #readStories(): Promise<void> {
    const until = performance.now() + storiesMs;
    for (const [task, packets] of [...this.#sealed].toReversed()) {
      if (performance.now() > until) return;
      this.#sealed.delete(task);
      try {
        if (!(await this.#hasTranscript(packets))) continue;
        const story = await this.#stories.read(task);
        this.#told.set(task, story.steps.flatMap(usedIn));
        this.#ran.set(task, sessionTimes(story));
        this.#correct(task);
      } catch (error) {
        // Damaged, or gone: verify tells of it.
        if (!isStaffettaError(error)) throw error;
      }
    }
  }

  async #hasTranscript(packets: readonly Digest[]): Promise<boolean> {
    for (const packet of packets)
      if ((await readPacket(this.#context, packet)).transcript.length > 0) return true;
    return false;
  }

  /** A leg that only sealed a session took as long as that. */
  #correct(task: TaskId): void {
    const times = this.#ran.get(task) ?? [];
    for (const leg of this.#ended.get(task) ?? []) {
      const ms = workedIn(leg, times)?.ms ?? leg.ms;
      leg.sum.ms += ms - leg.ms;
      leg.ms = ms;
    }
  }

  async #silentByHour(): Promise<ReadonlyMap<number, number>> {
    const query = { limit: limits.pageMax, onDamaged: () => {} };
    const { cards } = await silentPage(this.#context, query);
    const now = this.#context.clock.now();
    const sums = new Map<number, number>();
    for (const { leaseUntil } of cards) {
      // One that is too far ahead to be believed says nothing about when.
      const at = Math.min(leaseUntil ?? now, now);
      if (at < this.#oldest()) continue;
      const hour = Math.floor(at / hourMs) * hourMs;
      sums.set(hour, (sums.get(hour) ?? 0) + 1);
      this.#hourOf(at);
    }
    return sums;
  }

  #toldByHour(): ReadonlyMap<number, number> {
    const sums = new Map<number, number>();
    for (const [task, used] of this.#told)
      for (const [at, tokens] of this.#isCounted.has(task) ? [] : used) {
        const hour = Math.floor(at / hourMs) * hourMs;
        if (hour < this.#oldest()) continue;
        sums.set(hour, (sums.get(hour) ?? 0) + tokens);
        this.#hourOf(at);
      }
    return sums;
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
      if (event.type === 'usage-counted') {
        hour.counts.tokens += event.tokens;
        if (event.tokens > 0) this.#isCounted.add(task);
      }
      if (event.type === 'checkpoint-sealed')
        this.#sealed.set(task, [...(this.#sealed.get(task) ?? []), event.packet]);
      if (event.type === 'leg-started')
        this.#legs.set(task, { lane: event.lane, at, generation: event.generation });
      if (event.type !== 'leg-ended' && event.type !== 'leg-lapsed') continue;
      const leg = this.#legs.get(task);
      this.#legs.delete(task);
      if (leg === undefined) continue;
      const sum = hour.lanes.get(leg.lane) ?? { legs: 0, ms: 0 };
      const ms = at - leg.at;
      sum.legs += 1;
      sum.ms += ms;
      hour.lanes.set(leg.lane, sum);
      const { generation } = leg;
      this.#ended.set(task, [...(this.#ended.get(task) ?? []), { generation, ms, sum }]);
      this.#correct(task);
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

/** What the model read and wrote for one answer, by the figures of its program. */
function usedIn({ at, usage, copyOf }: StoryStep): [[at: number, tokens: number]] | [] {
  const tokens = (usage?.input ?? 0) + (usage?.output ?? 0);
  return at === null || tokens === 0 || copyOf !== undefined ? [] : [[at, tokens]];
}
