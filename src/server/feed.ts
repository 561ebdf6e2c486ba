/**
 * The entries of all tasks as they appear, no matter who writes them, for any number of listeners. One loop asks the store while somebody
 * listens, and keeps the latest entries; a listener further behind reads from the store. So a listener needs no buffer of its own: it
 * asks for what follows the position it has reached, and what is slow only falls behind.
 */
import type { Context } from '../handoff/record/context.ts';
import { feedTail } from '../handoff/record/feed-tail.ts';
import { parseEntry } from '../core/journal/entry.ts';
import type { FeedEntry } from '../ports/journal.ts';
import type { LiveEvent } from './contract/contract.ts';

const keptMax = 1024;
const pageEntries = 256;

interface Waiter {
  readonly after: number;
  readonly until: number;
  readonly wake: () => void;
}

export class Feed {
  readonly #context: Context;
  readonly #pollMs: number;
  readonly #closing = new AbortController();
  readonly #waiters = new Set<Waiter>();
  /** Everything after `#from` up to `#last`, in order. */
  #kept: LiveEvent[] = [];
  #from = 0;
  #last = 0;
  #polling = false;

  constructor(context: Context, options: { readonly pollMs: number }) {
    this.#context = context;
    this.#pollMs = options.pollMs;
  }

  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  close(): void {
    this.#closing.abort();
    this.#wakeAll();
  }

  /** The position of the latest entry. */
  async tail(): Promise<number> {
    return await feedTail(this.#context.store.catalog, this.#last);
  }

  /** What follows a position, at most so much of it. */
  async after(position: number, max: number): Promise<readonly LiveEvent[]> {
    if (this.#polling && position >= this.#from) {
      const first = this.#firstAfter(position);
      return this.#kept.slice(first, first + max);
    }
    return (await this.#context.store.catalog.feed(position, max)).map(liveEvent);
  }

  /** Until something follows that position, the time is over, or the feed is closed. */
  async waitPast(position: number, ms: number, signal: AbortSignal): Promise<void> {
    if (this.closed.aborted || signal.aborted || (this.#polling && this.#last > position)) return;
    await new Promise<void>((resolve) => {
      const leave = (): void => {
        this.#waiters.delete(waiter);
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const waiter: Waiter = { after: position, until: this.#context.clock.now() + ms, wake: leave };
      this.#waiters.add(waiter);
      signal.addEventListener('abort', leave, { once: true });
      if (!this.#polling) void this.#poll();
    });
  }

  /** Where in what is kept the entries after a position begin. */
  #firstAfter(position: number): number {
    let low = 0;
    let high = this.#kept.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#kept[middle]?.position ?? 0) > position) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  async #poll(): Promise<void> {
    this.#polling = true;
    try {
      // Each listener says from where on; what came while nobody listened is not kept.
      this.#last = Math.min(...[...this.#waiters].map(({ after }) => after));
      this.#from = this.#last;
      this.#kept = [];
      while (this.#waiters.size > 0 && !this.closed.aborted) {
        const page = await this.#context.store.catalog.feed(this.#last, pageEntries);
        if (page.length > 0) this.#keep(page);
        this.#wake();
        if (page.length < pageEntries) await this.#rest();
      }
    } catch {
      // A store that is busy or gone: listeners ask it themselves, and are told.
      this.#wakeAll();
    } finally {
      this.#polling = false;
    }
  }

  async #rest(): Promise<void> {
    await this.#context.clock.sleep(this.#pollMs, this.closed).catch(() => {});
  }

  #keep(page: readonly FeedEntry[]): void {
    this.#kept.push(...page.map(liveEvent));
    this.#last = page.at(-1)?.position ?? this.#last;
    const over = this.#kept.length - keptMax;
    if (over <= 0) return;
    this.#from = this.#kept[over - 1]?.position ?? this.#from;
    this.#kept = this.#kept.slice(over);
  }

  #wake(): void {
    const now = this.#context.clock.now();
    for (const { after, until, wake } of this.#waiters) if (after < this.#last || until <= now) wake();
  }

  #wakeAll(): void {
    for (const { wake } of this.#waiters) wake();
  }
}

function liveEvent({ position, task, seq, digest, body }: FeedEntry): LiveEvent {
  const place = { position, task, seq, digest };
  try {
    const { at, by, events } = parseEntry(body);
    return { ...place, at, by: by.name, types: events.map(({ type }) => type) };
  } catch {
    // Damaged, or of a version to come. That it is there is news all the same.
    return { ...place, at: null, by: null, types: [] };
  }
}
