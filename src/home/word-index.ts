import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { TaskId } from '../core/journal/id.ts';
import type { Store } from '../ports/store.ts';
import type { WordIndex } from '../ports/word-index.ts';

/** The index of a store's words, opened when it is first needed: beside the store's file, or in memory where there is none. */
export function wordIndexOf({ url }: Store): {
  readonly words: () => Promise<WordIndex>;
  readonly close: () => Promise<void>;
} {
  let opened: Promise<WordIndex> | undefined;
  return {
    async words() {
      opened ??= import('../stores/sqlite/word-index.ts').then(({ openWordIndex, wordIndexFile }) =>
        openWordIndex(isAbsolute(url) ? wordIndexFile(url) : undefined),
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
export async function forgetWords({ url }: Store, tasks: readonly TaskId[]): Promise<void> {
  if (!isAbsolute(url) || tasks.length === 0) return;
  const { openWordIndex, wordIndexFile } = await import('../stores/sqlite/word-index.ts');
  if (!existsSync(wordIndexFile(url))) return;
  const index = openWordIndex(wordIndexFile(url));
  try {
    for (const task of tasks) index.forget(task);
  } finally {
    index.close();
  }
}
