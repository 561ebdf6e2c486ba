/** How a value fits a shape: it cannot be of it, it may be, or nothing else looks like this. */
export type Fit = 'no' | 'maybe' | 'sure';

/** A value where a message may stand, and its place among all that stand there. */
export interface Member {
  readonly place: number;
  readonly value: unknown;
}

/** Said of each transcript of a program that was not tried. */
export const unproven = 'its form is known from what others wrote about it, and not from the program';
