/** What a search found, put together by task, with the words that were asked for marked. */
import type { SearchAnswer } from '../../../src/server/contract.ts';
import type { Place } from '../shell/place.ts';

/** A server may say more of a hit than the least: by what name it is shown, and where in the text the match is. */
export type Hit = SearchAnswer['hits'][number] & {
  readonly ref?: string | null;
  readonly field?: string | null;
  readonly marks?: readonly { readonly from: number; readonly to: number }[];
};

export interface Found {
  readonly task: string;
  readonly title: string;
  readonly status: string;
  readonly hits: readonly Hit[];
}

/** In the order of the first hit of each. */
export function byTask(hits: readonly Hit[]): readonly Found[] {
  const found = new Map<string, Found & { readonly hits: Hit[] }>();
  for (const hit of hits) {
    const { task, title, status } = hit;
    const known = found.get(task);
    if (known === undefined) found.set(task, { task, title, status, hits: [hit] });
    else known.hits.push(hit);
  }
  return [...found.values()];
}

export interface Piece {
  readonly text: string;
  readonly match: boolean;
}

/** By the server's marks, or else wherever one of the words stands. */
export function pieces({ text, marks }: Pick<Hit, 'text' | 'marks'>, q: string): readonly Piece[] {
  const ranges = marks ?? rangesOf(text, q);
  const made: Piece[] = [];
  let at = 0;
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    if (from < at || to <= from || to > text.length) continue;
    if (from > at) made.push({ text: text.slice(at, from), match: false });
    made.push({ text: text.slice(from, to), match: true });
    at = to;
  }
  if (at < text.length) made.push({ text: text.slice(at), match: false });
  return made;
}

function rangesOf(text: string, q: string): readonly { readonly from: number; readonly to: number }[] {
  const whole = [q.trim(), ...q.trim().split(/\s+/)].filter((word) => word.length > 1);
  const words = whole.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  if (words.length === 0) return [];
  return [...text.matchAll(new RegExp(words.join('|'), 'giu'))].map(({ index, 0: match }) => ({
    from: index,
    to: index + match.length,
  }));
}

/** Where exactly it is. */
export function hitPlace({ task, seq, ref }: Hit): Place {
  const at = ref ?? (seq === null ? undefined : `j${seq}`);
  if (at === undefined) return { page: 'task', task, view: 'packet' };
  return { page: 'task', task, view: at.startsWith('s') ? 'history' : 'journal', at };
}
