/** A thread of any framework, where another program writes between a look at it and what follows. */
import { expect, test } from 'vitest';
import { Thread } from '../../src/adapters/thread.ts';
import { openStaffetta } from '../../src/library/staffetta.ts';
import type { Store } from '../../src/ports/store.ts';
import { createWorld, openMemoryStore } from '../../src/stores/memory/open.ts';

const bytes = Buffer.from('{}');

test('one that another run hands to an agent of its own while it is taken is held', async () => {
  const world = createWorld();
  const other = await openStaffetta({ store: openMemoryStore(world) });
  const options = { program: 'graph', called: 'Graph thread' };
  const first = new Thread(other, 't', options);
  await first.keep(bytes);
  await first.release();
  let looks = 0;
  const store = openMemoryStore(world);
  const { journal } = store;
  const slow: Store = {
    ...store,
    journal: {
      ...journal,
      head: async (task) => {
        const found = await journal.head(task);
        looks += 1;
        if (looks > 1) return found;
        const leg = await other.take({ task, as: 'ada' });
        await leg?.acknowledge();
        await leg?.handoff({ to: 'agent:ben', claims: { next: 'Go on.' } });
        return found;
      },
    },
  };
  const second = new Thread(await openStaffetta({ store: slow }), 't', options);
  await expect(second.keep(bytes)).rejects.toMatchObject({
    code: 'held',
    message: 'Graph thread "t" is being passed on by another run; nothing of this run was added to it.',
  });
  expect((await other.show(first.task)).offer?.to).toBe('agent:ben');
});
