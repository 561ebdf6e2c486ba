/** What `npm run torture` is made of: each trial does harm in one way until its time is over, and says what it found. */
export interface Budget {
  readonly seed: number;
  /** Nothing new is begun after this moment; what must be tried once is tried once all the same. */
  readonly until: number;
  /** A folder of the trial's own. */
  readonly scratch: string;
}

export interface Tried {
  /** How often in all, in words. */
  readonly total: string;
  /** What was done, and how often. */
  readonly counts: readonly (readonly [what: string, times: number])[];
  /** What did not hold, in sentences. */
  readonly faults: readonly string[];
  /** What could not be tried here, and why. */
  readonly notProven?: string;
}

export interface Trial {
  readonly name: string;
  /** What must hold, as a reader of the page would say it. */
  readonly promise: string;
  /** How it is tried. */
  readonly how: string;
  /** Its part of the time, relative to the others. */
  readonly share: number;
  readonly run: (budget: Budget) => Promise<Tried>;
}

export function isOver({ until }: Budget): boolean {
  return Date.now() >= until;
}

export class Tally {
  readonly #counts = new Map<string, number>();

  add(what: string, times = 1): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + times);
  }

  /** Outcomes, which begin with an arrow, are of what was counted already. */
  total(what: string): string {
    const all = this.counts
      .filter(([name]) => !name.startsWith('→'))
      .reduce((sum, [, times]) => sum + times, 0);
    return `${all.toLocaleString('en')} ${what}`;
  }

  of(what: string): string {
    return `${(this.#counts.get(what) ?? 0).toLocaleString('en')} ${what}`;
  }

  get counts(): Tried['counts'] {
    return [...this.#counts];
  }
}
