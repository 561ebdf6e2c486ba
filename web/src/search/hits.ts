/** What a search found, put together by task, with the words that were asked for marked. */
import type { SearchAnswer } from '../../../src/server/contract/contract-looks.ts';
import type { Place } from '../shell/place.ts';

export type Hit = SearchAnswer['hits'][number];

interface Found {
  readonly task: Hit['task'];
  readonly title: string;
  readonly status: Hit['status'];
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

interface Piece {
  readonly text: string;
  readonly match: boolean;
}

/** By the marks that came with it. */
export function pieces({ text, marks }: Pick<Hit, 'text' | 'marks'>): readonly Piece[] {
  const made: Piece[] = [];
  let at = 0;
  for (const { from, to } of marks.toSorted((a, b) => a.from - b.from)) {
    if (from < at || to <= from || to > text.length) continue;
    if (from > at) made.push({ text: text.slice(at, from), match: false });
    made.push({ text: text.slice(from, to), match: true });
    at = to;
  }
  if (at < text.length) made.push({ text: text.slice(at), match: false });
  return made;
}

/** Where exactly it is. */
export function hitPlace({ task, seq, ref }: Hit): Place {
  const at = ref ?? (seq === null ? undefined : `j${seq}`);
  if (at === undefined) return { page: 'task', task, view: 'packet' };
  return { page: 'task', task, view: at.startsWith('s') ? 'history' : 'journal', at };
}
