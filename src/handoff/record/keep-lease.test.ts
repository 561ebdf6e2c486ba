import { expect, test } from 'vitest';
import { ada, HandClock, stage } from '../../../test/support/world.ts';
import { StaffettaError } from '../../core/base/error.ts';
import { openMemoryStore } from '../../stores/memory/open.ts';
import { keepLease } from './keep-lease.ts';

test('a renewal that a busy store refuses is made by the next look, and not when another is due', async () => {
  const store = openMemoryStore();
  let refusals = 2;
  const busy: typeof store = {
    ...store,
    journal: {
      ...store.journal,
      renew: async (...asked) => {
        refusals -= 1;
        if (refusals >= 0) throw new StaffettaError('store-busy', 'The store is busy.');
        return await store.journal.renew(...asked);
      },
    },
  };
  const clock = new HandClock();
  const { context, staffetta } = stage({ store: busy, clock });
  await staffetta.open({ goal: 'A wall stands.' }, { as: 'eve' });
  const leaseMs = 30_000;
  const leg = await staffetta.take({ as: ada, leaseMs });
  if (leg === undefined) throw new Error('nothing was on offer');
  const began = clock.now();
  const kept = keepLease(context, { task: leg.task, generation: leg.generation, leaseMs });
  await clock.advance(15_000);
  expect((await store.journal.head(leg.task))?.lease?.until).toBeGreaterThan(began + leaseMs);
  expect(kept.lost.aborted).toBe(false);
  await kept.release();
});
