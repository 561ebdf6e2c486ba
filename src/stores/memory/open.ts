import { StaffettaError } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { memoryAddress } from '../../ports/store-address.ts';
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
  let closed = false;
  const whileOpen = <T extends object>(part: T): T =>
    new Proxy(part, {
      get: (target, name): unknown => (closed ? refuseClosed : Reflect.get(target, name)),
    });
  return {
    address: memoryAddress,
    journal: whileOpen(memoryJournal(world)),
    catalog: whileOpen(memoryCatalog(world)),
    blobs: whileOpen(memoryBlobs(world)),
    mailbox: whileOpen(memoryMailbox(world)),
    upkeep: whileOpen({
      check: async () => [],
      removed: async (task: TaskId) => world.removed.has(task) && !world.tasks.has(task),
      secret: async () => world.secret,
      facts: async () => ({ store: 'memory', tasks: world.tasks.size, blobs: world.blobs.size }),
    }),
    close: async () => {
      closed = true;
    },
  };
}

async function refuseClosed(): Promise<never> {
  throw new StaffettaError('store-closed', 'The store is closed.', { hint: 'Open it again.' });
}
