/** Tasks that somebody could not be started on: each rests, longer each time, until it is put before a person. */
import { isStaffettaError } from '../core/base/error.ts';
import type { Context } from '../handoff/record/context.ts';
import { escalate } from '../handoff/verbs/outside.ts';
import { crewActor, plannedId } from './run-names.ts';
import { whyFailed } from './why-failed.ts';

const restMs = 500;
const refusalsMax = 4;

export class Resting {
  readonly #context: Context;
  readonly #run: string;
  readonly #refused = new Map<string, { readonly count: number; readonly until: number }>();

  constructor(context: Context, run: string) {
    this.#context = context;
    this.#run = run;
  }

  /** Until when each does. */
  get times(): ReadonlyMap<string, number> {
    return new Map([...this.#refused].map(([task, { until }]) => [task, until]));
  }

  isDue(task: string): boolean {
    return (this.#refused.get(task)?.until ?? 0) <= this.#context.clock.now();
  }

  began(task: string): void {
    this.#refused.delete(task);
  }

  /** Somebody else may have been faster, or the task went another way: the journal says what to do next. */
  async refuse(task: string, error: unknown, tell?: (why: string) => void): Promise<void> {
    if (!isStaffettaError(error)) throw error;
    const why = whyFailed(error);
    if (!error.retryable) tell?.(why);
    await this.#again(task, `Nobody could be started on it: ${why}`, error.retryable);
  }

  /** It is tried again with the same, since a program or a network that fails now may not later. */
  async failed(task: string, why: string): Promise<void> {
    await this.#again(task, why, false);
  }

  async #again(task: string, text: string, isPassing: boolean): Promise<void> {
    const count = (this.#refused.get(task)?.count ?? 0) + 1;
    this.#refused.set(task, { count, until: this.#context.clock.now() + restMs * 2 ** count });
    if (count < refusalsMax || isPassing) return;
    this.#refused.delete(task);
    try {
      await escalate(this.#context, plannedId(this.#run, task), { text }, { by: crewActor });
    } catch (refused) {
      if (!isStaffettaError(refused)) throw refused;
    }
  }
}
