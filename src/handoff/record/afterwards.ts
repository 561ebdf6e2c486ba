/**
 * What a call leaves to be done after its answer, one piece at a time, when this process has nothing more urgent. Only what the store itself
 * remembers may be left: where the process dies before, or the store fails, the next one that looks finds it there.
 */
import { isStaffettaError } from '../../core/base/error.ts';

export class Afterwards {
  #last: Promise<void> = Promise.resolve();

  add(work: () => Promise<unknown>): void {
    this.#last = after(this.#last, work);
  }

  /** Before the store is closed. */
  async settled(): Promise<void> {
    await this.#last;
  }
}

/** The same for who has to say when that is: nothing is done before it asks. */
export class UntilAsked {
  #left: (() => Promise<unknown>)[] = [];

  add(work: () => Promise<unknown>): void {
    this.#left.push(work);
  }

  get isEmpty(): boolean {
    return this.#left.length === 0;
  }

  async settled(): Promise<void> {
    for (const work of this.#left.splice(0)) await after(Promise.resolve(), work);
  }
}

async function after(last: Promise<void>, work: () => Promise<unknown>): Promise<void> {
  await last;
  // A turn of the event loop: answers are written in the one that made them.
  await new Promise((resolve) => setImmediate(resolve));
  try {
    await work();
  } catch (error) {
    if (!isStaffettaError(error)) throw error;
  }
}
