import type { Span } from './rule.ts';

export interface Found extends Span {
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
export function disjoint(found: readonly Found[], text: (span: Span) => string): readonly Found[] {
  const ordered = found.toSorted((a, b) => a.start - b.start || b.end - a.end || a.rank - b.rank);
  const places: Found[] = [];
  for (const next of ordered) {
    const last = places.at(-1);
    if (last === undefined || next.start >= last.end) places.push(next);
    else places[places.length - 1] = joined(last, next, text);
  }
  return places;
}

function joined(a: Found, b: Found, text: (span: Span) => string): Found {
  const start = a.start;
  const end = Math.max(a.end, b.end);
  const named = b.rank < a.rank ? b : a;
  // One of them covers the place: its own decoded secret is the secret. Otherwise there is only the text.
  const whole = [named, a, b].find((one) => one.start === start && one.end === end);
  return {
    start,
    end,
    rule: named.rule,
    rank: named.rank,
    secret: whole?.secret ?? text({ start, end }),
    known: [a, b].flatMap((one) => one.known ?? [one.secret]),
    continues: a.continues && b.continues,
  };
}
