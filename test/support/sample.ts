/**
 * What `npm test` takes of points that are alike: a part of them, another one with each seed, and at least one of every kind. The seed is
 * printed, and STAFFETTA_SEED takes the same points again. STAFFETTA_WHOLE=1 takes all of them; `npm run torture` does.
 */
import { appendFileSync } from 'node:fs';
import { seed, saySeed } from '../property/seed.ts';

export const isWhole = process.env['STAFFETTA_WHOLE'] === '1';

/** For a child that takes a sample itself. */
export function sampleEnvironment(): Record<string, string> {
  saySeed();
  return {
    STAFFETTA_SEED: `${seed}`,
    STAFFETTA_WHOLE: isWhole ? '1' : '',
    STAFFETTA_SAMPLES: process.env['STAFFETTA_SAMPLES'] ?? '',
  };
}

export interface Sampled {
  readonly what: string;
  readonly taken: number;
  readonly of: number;
}

export interface SampleOptions<T> {
  /** One in so many of each kind. */
  readonly oneIn: number;
  /** Points of one kind are alike; all of them unless told. */
  readonly kindOf?: (item: T) => string;
}

export function sample<T>(
  what: string,
  items: readonly T[],
  { oneIn, kindOf = () => '' }: SampleOptions<T>,
): T[] {
  const kinds = [...Map.groupBy(items, kindOf).values()];
  const turn = turnOf(what);
  const taken = isWhole ? [...items] : kinds.flatMap((alike, nth) => partOf(alike, oneIn, turn + nth));
  note({ what, taken: taken.length, of: items.length });
  return taken;
}

/** One seed is another turn for each enumeration: many that are alike are not all taken at the same place. */
function turnOf(what: string): number {
  return Array.from(what).reduce((sum, char) => sum + char.charCodeAt(0), seed);
}

/** Of fewer than that one is taken, and the turn still goes through all of them. */
function partOf<T>(alike: readonly T[], oneIn: number, turn: number): T[] {
  const stride = Math.min(oneIn, alike.length);
  return alike.filter((_, n) => n % stride === turn % stride);
}

/** For a run that has to know: it names a file for what was taken. */
function note(sampled: Sampled): void {
  saySeed();
  const file = process.env['STAFFETTA_SAMPLES'] ?? '';
  if (file !== '') appendFileSync(file, `${JSON.stringify(sampled)}\n`);
}
