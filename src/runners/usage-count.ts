/** What a leg used, from what its program tells: some count from the start of the program, some from the beginning of the session. */
import type { LegUsage } from '../ports/runner.ts';

type Spent = Pick<LegUsage, 'tokens' | 'cost'>;

export class UsageCount {
  readonly #isContinued: boolean;
  #now: LegUsage = {};
  /** What a session had used before the leg, by what is counted. */
  readonly #before: { tokens?: number; cost?: number } = {};

  /** `isContinued`: the session is older than the leg. */
  constructor(isContinued: boolean) {
    this.#isContinued = isContinued;
  }

  get now(): LegUsage {
    return this.#now;
  }

  fill(context: number): void {
    this.#now = { ...this.#now, context };
  }

  add({ tokens, cost }: Spent): void {
    if (tokens !== undefined) this.#now = { ...this.#now, tokens: (this.#now.tokens ?? 0) + tokens };
    if (cost === undefined) return;
    const before = this.#now.cost?.unit === cost.unit ? this.#now.cost.amount : 0;
    this.#now = { ...this.#now, cost: { amount: before + cost.amount, unit: cost.unit } };
  }

  /** Of the whole session. What it had used before an older one was gone on with is not known: it counts from the first that is told. */
  set({ tokens, cost }: Spent): void {
    if (tokens !== undefined) {
      this.#before.tokens ??= this.#isContinued ? tokens : 0;
      this.#now = { ...this.#now, tokens: tokens - this.#before.tokens };
    }
    if (cost === undefined) return;
    this.#before.cost ??= this.#isContinued ? cost.amount : 0;
    this.#now = { ...this.#now, cost: { amount: cost.amount - this.#before.cost, unit: cost.unit } };
  }
}
