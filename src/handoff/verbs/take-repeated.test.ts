/** The same keyed request, again while the first is on its way: whatever the moment, one task is taken. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { opened } from '../../../test/support/verbs.ts';
import { bea, eve, interrupted, stage } from '../../../test/support/world.ts';
import { openStaffetta } from '../../library/staffetta.ts';
import { accept, takeNext } from './take.ts';
import { takeRestored } from './take-restored.ts';

const again = { by: bea, key: 'k' };

test.each([1, 5])('on four connections to a file with %i on offer, all get the same leg', async (offers) => {
  const folder = mkdtempSync(join(tmpdir(), 'staffetta-repeated-'));
  const store = join(folder, 'store.db');
  const relays = [];
  try {
    for (let n = 0; n < 4; n += 1) relays.push(await openStaffetta({ store, gate: 'record' }));
    for (let round = 0; round < 10; round += 1) {
      for (let n = 0; n < offers; n += 1) await relays[0]?.open({ goal: 'x' }, { as: 'eve' });
      const legs = await Promise.all(
        relays.map(async (relay) => await relay.take({ as: 'bea', key: `k${round}` })),
      );
      expect(new Set(legs.map((leg) => leg?.fence)).size).toBe(1);
      expect(legs[0]?.fence).toBeDefined();
      const held = await relays[0]?.list({ statuses: ['held'] });
      expect(held?.cards).toHaveLength(round + 1);
    }
  } finally {
    for (const relay of relays) await relay.close();
    rmSync(folder, { recursive: true });
  }
});

test.each([1, 3])(
  'at whatever moment it is repeated with %i on offer, both get the same leg',
  async (offers) => {
    let happens = true;
    for (let nth = 1; happens; nth += 1) {
      const calm = stage();
      for (let n = 0; n < offers; n += 1) await opened(calm.context, {}, eve);
      let inside: string | undefined;
      const { stage: busy, happened } = interrupted(calm, nth, async () => {
        inside = (await takeNext(calm.context, {}, again))?.state.task;
      });
      const outside = await takeNext(busy.context, {}, again);
      happens = happened();
      expect(outside?.state.leg?.holder).toEqual(bea);
      expect(outside?.state.task).toBe(inside ?? outside?.state.task);
      expect((await calm.staffetta.list({ statuses: ['held'] })).cards).toHaveLength(1);
    }
  },
);

test('the same holds where the workspace is asked for', async () => {
  let happens = true;
  for (let nth = 1; happens; nth += 1) {
    const calm = stage();
    for (let n = 0; n < 3; n += 1) await opened(calm.context, {}, eve);
    let inside: string | undefined;
    const { stage: busy, happened } = interrupted(calm, nth, async () => {
      inside = (await takeRestored(calm.context, { restore: {} }, again))?.recorded.state.task;
    });
    const outside = await takeRestored(busy.context, { restore: {} }, again);
    happens = happened();
    expect(outside?.recorded.state.task).toBe(inside ?? outside?.recorded.state.task);
    expect((await calm.staffetta.list({ statuses: ['held'] })).cards).toHaveLength(1);
  }
});

test('with a key the next task is the same request as that task by its name, and its hint is spent', async () => {
  const { context, world } = stage();
  const task = await opened(context, {}, eve);
  expect(world.hints.size).toBe(1);
  await takeNext(context, {}, again);
  expect((await takeNext(context, {}, again))?.repeated).toBe(true);
  expect((await accept(context, task, {}, again)).repeated).toBe(true);
  expect(world.hints.size).toBe(0);
});
