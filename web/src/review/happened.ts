/** Entries of a journal as what somebody did: what only vouches for it, or follows from it, is left out. */
import type { TaskEvents } from '../../../src/server/contract/contract.ts';

type Entry = TaskEvents['entries'][number];

const quiet: ReadonlySet<string> = new Set(['signed', 'messages-read', 'task-done', 'leg-acknowledged']);

interface Happened {
  readonly by: string;
  readonly at: number;
  readonly event: Entry['entry']['events'][number];
}

export function happenedIn(entries: readonly Pick<Entry, 'entry'>[]): readonly Happened[] {
  return entries.flatMap(({ entry }) => {
    const by = (entry['by'] as { readonly name?: string } | undefined)?.name ?? 'somebody';
    return entry.events.filter(({ type }) => !quiet.has(type)).map((event) => ({ by, at: entry.at, event }));
  });
}
