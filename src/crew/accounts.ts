/** Accounts that are exhausted, until when: as the record of this run says, and as other runs of the store found on this machine. */
import type { CarryEvent } from '../core/task/command.ts';
import type { ExhaustedHere } from '../ports/exhausted-here.ts';

export class Accounts {
  readonly #own = new Map<string, number>();
  readonly #here: ExhaustedHere | undefined;

  constructor(here: ExhaustedHere | undefined, record: ReadonlyMap<string, number> = new Map()) {
    this.#here = here;
    this.know(record);
  }

  know(record: ReadonlyMap<string, number>): void {
    for (const [account, until] of record) this.#own.set(account, until);
  }

  note(steps: readonly CarryEvent[]): void {
    for (const step of steps) {
      if (step.type !== 'run-step' || step.what !== 'exhausted' || step.until === undefined) continue;
      const { runtime, agent = '', until } = step;
      this.#own.set(runtime ?? agent, until);
      // A command has the name of its agent, which may be another's in another run.
      if (runtime !== undefined) this.#here?.note(runtime, until);
    }
  }

  /** Of several times the latest holds. */
  get exhausted(): ReadonlyMap<string, number> {
    const all = new Map(this.#own);
    for (const [account, until] of this.#here?.until() ?? [])
      all.set(account, Math.max(until, all.get(account) ?? 0));
    return all;
  }
}
