import { expect, test } from 'vitest';
import { ada, bea, stage } from '../../../test/support/world.ts';
import { openMemoryStore } from '../../stores/memory/open.ts';
import { knownState } from './known-states.ts';

test('what was just stored is known, until somebody else stores something', async () => {
  const at = stage();
  const other = stage({ world: at.world, store: openMemoryStore(at.world) });
  const leg = await at.staffetta.begin({ goal: 'x' }, { as: ada });
  const before = await at.store.journal.head(leg.task);
  expect(before === undefined ? undefined : knownState(at.store, before)).toMatchObject({ seq: 0 });
  await other.staffetta.tell(leg.task, 'mind the gap', { as: bea });
  const after = await at.store.journal.head(leg.task);
  expect(after === undefined ? undefined : knownState(at.store, after)).toBeUndefined();
  expect(await leg.state()).toMatchObject({ seq: 1, unread: [1] });
});

test('it is the state that the snapshot holds', async () => {
  const at = stage();
  const leg = await at.staffetta.begin({ goal: 'x' }, { as: ada });
  await leg.progress(1);
  await leg.handoff({ to: 'agent:bea', transcript: 'y' });
  const fresh = stage({ world: at.world, store: openMemoryStore(at.world) });
  expect(await fresh.staffetta.show(leg.task)).toStrictEqual(await at.staffetta.show(leg.task));
});

test('nobody can change it from outside', async () => {
  const at = stage();
  const leg = await at.staffetta.begin({ goal: 'x' }, { as: ada });
  const state = (await leg.state()) as { generation: number; terms: { title: string; needs: string[] } };
  expect(() => (state.generation = 7)).toThrow(TypeError);
  expect(() => (state.terms.title = 'y')).toThrow(TypeError);
  expect(() => state.terms.needs.push('z')).toThrow(TypeError);
});

test('of many tasks the latest are known', async () => {
  const at = stage();
  const tasks: string[] = [];
  for (let i = 0; i < 70; i += 1)
    tasks.push((await at.staffetta.begin({ goal: `x ${i}` }, { as: ada })).task);
  const known = await Promise.all(
    tasks.map(async (task) => {
      const head = await at.store.journal.head(task as `t${string}`);
      return head !== undefined && knownState(at.store, head) !== undefined;
    }),
  );
  expect(known).toEqual(tasks.map((_, i) => i >= 6));
});
