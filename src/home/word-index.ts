import { existsSync } from 'node:fs';
import type { TaskId } from '../core/journal/id.ts';
import type { Store } from '../ports/store.ts';
import type { WordIndex } from '../ports/word-index.ts';
import { homeOf } from './home.ts';

/** The index of a store's words, opened when it is first needed: in its home, or in memory where it has none. */
export function wordIndexOf({ address }: Pick<Store, 'address'>): {
  readonly words: () => Promise<WordIndex>;
  readonly close: () => Promise<void>;
} {
  let opened: Promise<WordIndex> | undefined;
  return {
    async words() {
      opened ??= import('../stores/sqlite/word-index.ts').then(({ openWordIndex }) =>
        openWordIndex(homeOf(address)?.words),
      );
      return await opened;
    },
    async close() {
      (await opened)?.close();
      opened = undefined;
    },
  };
}

/** What was swept is taken out of an index that is there; one that is not would be made for nothing. */
export async function forgetWords(
  { address }: Pick<Store, 'address'>,
  tasks: readonly TaskId[],
): Promise<void> {
  const file = homeOf(address)?.words;
  if (file === undefined || tasks.length === 0 || !existsSync(file)) return;
  const { openWordIndex } = await import('../stores/sqlite/word-index.ts');
  const index = openWordIndex(file);
  try {
    for (const task of tasks) index.forget(task);
  } finally {
    index.close();
  }
}
