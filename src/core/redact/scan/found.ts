import { assert } from '../../base/assert.ts';
import type { Span } from '../rule.ts';

export interface FoundSecret extends Span {
  readonly rule: string;
  /** Where two overlap, the lower one names the place. */
  readonly rank: number;
  /** Decoded, as a byte string. */
  readonly secret: string;
  /** What of it can be looked for elsewhere, where that is not all of it: the lines of a key. */
  readonly known?: readonly string[];
  /** The second and later lines of one key are the same finding. */
  readonly continues: boolean;
}

/** In order, none overlapping: what overlaps becomes one place, named by its best rule. */
export function disjoint(
  found: readonly FoundSecret[],
  text: (span: Span) => string,
): readonly FoundSecret[] {
  const ordered = found.toSorted((a, b) => a.start - b.start || b.end - a.end || a.rank - b.rank);
  const places: FoundSecret[] = [];
  let together: FoundSecret[] = [];
  let end = 0;
  for (const next of ordered) {
    if (together.length > 0 && next.start >= end) {
      places.push(joined(together, end, text));
      together = [];
    }
    end = together.length === 0 ? next.end : Math.max(end, next.end);
    together.push(next);
  }
  if (together.length > 0) places.push(joined(together, end, text));
  return places;
}

/** All at once: joined one after the other, thousands in one place would be copied for each of them. */
function joined(all: readonly FoundSecret[], end: number, text: (span: Span) => string): FoundSecret {
  const [first, ...others] = all;
  assert(first !== undefined, 'there is something to join');
  if (others.length === 0) return first;
  const { start } = first;
  const named = others.reduce((best, one) => (one.rank < best.rank ? one : best), first);
  // One of them covers the place: its own decoded secret is the secret. Otherwise there is only the text.
  const whole = [named, ...all].find((one) => one.start === start && one.end === end);
  return {
    start,
    end,
    rule: named.rule,
    rank: named.rank,
    secret: whole?.secret ?? text({ start, end }),
    known: all.flatMap((one) => one.known ?? [one.secret]),
    continues: all.every(({ continues }) => continues),
  };
}
