/** Every task of a store, by its list and by its entries: what one of them hides, the other shows. */
import { defined } from '../../core/base/defined.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { CardQuery, ListedCard } from '../../ports/journal.ts';
import type { Context } from './context.ts';
import { pageSize } from './load.ts';

export async function* allCards(
  context: Context,
  onDamaged: NonNullable<CardQuery['onDamaged']>,
): AsyncGenerator<ListedCard> {
  let cursor: string | undefined;
  do {
    const page = await context.store.catalog.list({
      limit: pageSize,
      onDamaged,
      ...defined({ cursor }),
    });
    yield* page.cards;
    cursor = page.next;
  } while (cursor !== undefined);
}

export async function* tasksInFeed(context: Context): AsyncGenerator<TaskId> {
  for (let after = 0; ;) {
    const page = await context.store.catalog.feed(after, pageSize);
    const last = page.at(-1);
    if (last === undefined) return;
    for (const { task } of page) yield task;
    after = last.position;
  }
}
