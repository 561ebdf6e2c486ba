/** How a value fits a shape: it cannot be of it, it may be, or nothing else looks like this. */
export type Fit = 'no' | 'maybe' | 'sure';

/** A value where a message may stand, and its place among all that stand there. */
export interface Member {
  readonly place: number;
  readonly value: unknown;
}
