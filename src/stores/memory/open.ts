import type { Store } from '../../ports/store.ts';
import { memoryBlobs } from './blobs.ts';
import { memoryCatalog } from './catalog.ts';
import { memoryJournal } from './journal.ts';
import { memoryMailbox } from './mailbox.ts';
import { createWorld, type World } from './world.ts';

export type { World } from './world.ts';
export { createWorld } from './world.ts';

/** The model: the shortest code that keeps the contract. Gone with the process. */
export function openMemoryStore(world: World = createWorld()): Store {
  return {
    url: 'memory:',
    journal: memoryJournal(world),
    catalog: memoryCatalog(world),
    blobs: memoryBlobs(world),
    mailbox: memoryMailbox(world),
    upkeep: {
      check: async () => [],
      facts: async () => ({ store: 'memory', tasks: world.tasks.size, blobs: world.blobs.size }),
    },
    close: async () => {},
  };
}
