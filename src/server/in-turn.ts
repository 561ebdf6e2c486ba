/** Work that is heavy for the whole machine: one at a time, and a caller that asks for what is asked for already gets the same answer. */
import { HttpRefusal } from './problem.ts';

export class InTurn {
  readonly #asked = new Map<string, Promise<unknown>>();
  readonly #waitingMax: number;
  #last: Promise<unknown> = Promise.resolve();

  constructor(waitingMax = 16) {
    this.#waitingMax = waitingMax;
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const same = this.#asked.get(key);
    if (same !== undefined) return (await same) as T;
    if (this.#asked.size >= this.#waitingMax)
      throw new HttpRefusal('rate-limited', 'Too many ask for this at once.', {
        hint: 'Ask again in a moment.',
        retryAfter: 2,
      });
    const mine = this.#last.then(work);
    this.#last = mine.catch(() => {});
    this.#asked.set(key, mine);
    try {
      return await mine;
    } finally {
      this.#asked.delete(key);
    }
  }
}
