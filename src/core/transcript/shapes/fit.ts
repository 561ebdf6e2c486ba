/** How a value fits a shape: it cannot be of it, it may be, or nothing else looks like this. */
export type Fit = 'no' | 'maybe' | 'sure';
