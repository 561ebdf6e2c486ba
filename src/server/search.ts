/** A plain scan, the newest tasks first, bounded: good for hundreds of tasks, and honest about where it stopped. */
import type { Entry } from '../core/entry.ts';
import { parseEntry } from '../core/entry.ts';
import { isStaffettaError } from '../core/error.ts';
import type { TaskId } from '../core/id.ts';
import type { Context } from '../handoff/context.ts';
import { readContract } from '../handoff/history.ts';
import { entriesOf, load } from '../handoff/load.ts';
import type { ListedCard } from '../ports/journal.ts';
import type { SearchAnswer } from './contract.ts';

const tasksMax = 500;
const entriesMax = 2000;
const aroundChars = 80;

type Hit = SearchAnswer['hits'][number];

export async function search(context: Context, words: string, limit: number): Promise<SearchAnswer> {
  const { cards, next } = await context.store.catalog.list({ limit: tasksMax, onDamaged: () => {} });
  const wanted = words.toLowerCase();
  const hits: Hit[] = [];
  let searched = 0;
  let more = next !== undefined;
  for (const card of cards) {
    if (hits.length >= limit) {
      more = true;
      break;
    }
    searched += 1;
    const found = await hitsIn(context, card, wanted);
    more ||= found.more;
    hits.push(...found.hits);
  }
  return { hits: hits.slice(0, limit), searched, more: more || hits.length > limit };
}

async function hitsIn(
  context: Context,
  { task, title, status }: ListedCard,
  wanted: string,
): Promise<{ readonly hits: Hit[]; readonly more: boolean }> {
  const hits: Hit[] = [];
  const look = (where: Hit['where'], text: string, seq: number | null): void => {
    const around = excerpt(text, wanted);
    if (around !== undefined) hits.push({ task, title, status, where, seq, text: around });
  };
  look('title', title, null);
  try {
    const { state } = await load(context, task);
    look('goal', (await readContract(context, state.contract)).goal, null);
    const from = Math.max(0, state.seq - entriesMax + 1);
    for await (const entry of readable(context, task, { from, to: state.seq }))
      for (const event of entry.events) {
        if (event.type === 'note') look('note', event.text, entry.seq);
        if (event.type === 'message') look('message', event.text, entry.seq);
        if (event.type === 'decision-made') look('decision', event.text, entry.seq);
        if (event.type === 'decision-raised') look('decision', event.question, entry.seq);
      }
    return { hits, more: from > 0 };
  } catch (error) {
    // One task that is damaged or was just removed does not hide the others.
    if (!isStaffettaError(error)) throw error;
    return { hits, more: true };
  }
}

async function* readable(
  context: Context,
  task: TaskId,
  range: { readonly from: number; readonly to: number },
): AsyncGenerator<Entry> {
  for await (const { body } of entriesOf(context, task, range)) yield parseEntry(body);
}

function excerpt(text: string, wanted: string): string | undefined {
  const at = text.toLowerCase().indexOf(wanted);
  if (at === -1) return undefined;
  const from = Math.max(0, at - aroundChars);
  const to = at + wanted.length + aroundChars;
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
}
