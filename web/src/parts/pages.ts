/**
 * A long list on the server, of which a page is asked for when something of it comes into view. What was loaded stays; a reader who goes
 * back finds it. `version` changes whenever there is more to show.
 */
import { signal, type Signal } from '@preact/signals';
import { refusalOf, type Refusal } from '../api/refusal.ts';

interface Page<T> {
  readonly from: number;
  readonly items: readonly T[];
  readonly total: number;
}

type LoadPage<T> = (from: number, limit: number) => Promise<Page<T>>;

export class Pages<T> {
  readonly version: Signal<number> = signal(0);
  /** Undefined until the first page is there. */
  readonly total: Signal<number | undefined> = signal(undefined);
  readonly refusal: Signal<Refusal | undefined> = signal(undefined);
  readonly #load: LoadPage<T>;
  readonly #size: number;
  readonly #items: (T | undefined)[] = [];
  readonly #asked = new Map<number, Promise<void>>();

  constructor(load: LoadPage<T>, size: number) {
    this.#load = load;
    this.#size = size;
  }

  /** What is at this place; where it is not there yet, it is asked for. */
  at(index: number): T | undefined {
    const item = this.#items[index];
    if (item === undefined) void this.ask(index);
    return item;
  }

  /** The same, and nothing is asked for. */
  known(index: number): T | undefined {
    return this.#items[index];
  }

  async ask(index: number): Promise<void> {
    const page = Math.floor(Math.max(0, index) / this.#size);
    const asked = this.#asked.get(page) ?? this.#fetch(page);
    this.#asked.set(page, asked);
    await asked;
  }

  /** All of it, page after page; `heard` is told how far it is, and ends it by saying false. */
  async all(heard: (loaded: number, total: number) => boolean | void = () => {}): Promise<void> {
    await this.ask(0);
    for (let from = 0; this.refusal.value === undefined; from += this.#size) {
      const total = this.total.value ?? 0;
      if (from >= total || heard(from, total) === false) return;
      await this.ask(from);
    }
  }

  /** It has grown: its last page is asked for again. */
  grow(total: number): void {
    const before = this.total.value;
    if (before === undefined || total <= before) return;
    this.#asked.delete(Math.floor(before / this.#size));
    this.total.value = total;
    this.version.value += 1;
  }

  /** It may be another by now: everything is asked for again when it is looked at. What is shown stays until then. */
  forget(): void {
    this.#asked.clear();
    this.refusal.value = undefined;
    this.#items.length = 0;
    this.version.value += 1;
  }

  async #fetch(page: number): Promise<void> {
    try {
      const { from, items, total } = await this.#load(page * this.#size, this.#size);
      for (const [i, item] of items.entries()) this.#items[from + i] = item;
      this.total.value = Math.max(total, this.total.value ?? 0);
      this.refusal.value = undefined;
    } catch (error) {
      this.refusal.value = refusalOf(error);
      this.#asked.delete(page);
    }
    this.version.value += 1;
  }
}
