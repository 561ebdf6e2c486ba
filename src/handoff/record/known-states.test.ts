import { describe, expect, test } from 'vitest';
import { ada, bea, eve, stage, type Stage } from '../../../test/support/world.ts';
import { canonical } from '../../core/journal/canonical.ts';
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

/** One task, handed to bea by this process, and another process beside it. */
async function handedOver(): Promise<{ at: Stage; other: Stage; task: string }> {
  const at = stage();
  const leg = await at.staffetta.begin({ goal: 'x' }, { as: ada });
  await leg.handoff({ to: 'agent:bea', claims: { next: 'y' } });
  const other = stage({ world: at.world, clock: at.clock, store: openMemoryStore(at.world) });
  return { at, other, task: leg.task };
}

describe('going by the head that was left', () => {
  test('a receiver in the same process is given what was handed over, and reads nothing', async () => {
    const { at, task } = await handedOver();
    const { packet } = (await at.staffetta.show(task)) as { packet: string };
    const read = await at.store.blobs.get(packet as 'sha256:');
    at.world.blobs.clear();
    const leg = await at.staffetta.take({ task, as: bea });
    expect(leg?.contract.goal).toBe('x');
    expect(Buffer.from(canonical(leg?.received))).toEqual(Buffer.from(read ?? []));
  });

  test('each receiver has a packet of its own, which it may change', async () => {
    const { at, other, task } = await handedOver();
    const leg = await at.staffetta.take({ task, as: bea });
    const theirs = await other.staffetta.leg(task, { as: bea });
    expect(theirs.received).toEqual(leg?.received);
    if (leg !== undefined && leg.received !== null) leg.received.from.name = 'eve';
    expect(leg?.received?.from.name).toBe('eve');
    expect((await at.staffetta.leg(task, { as: bea })).received).toEqual(theirs.received);
  });

  test('who was slower is told who holds it now', async () => {
    const { at, other, task } = await handedOver();
    await other.staffetta.take({ task, as: { ...bea, session: 'elsewhere' } });
    await expect(at.staffetta.take({ task, as: bea })).rejects.toMatchObject({ code: 'held' });
  });

  test('what is only shown is shown of the head that is there', async () => {
    const { at, other, task } = await handedOver();
    await other.staffetta.take({ task, as: bea });
    await expect(at.staffetta.take({ task, as: bea, dryRun: true })).rejects.toMatchObject({ code: 'held' });
  });

  test('what refuses it there may be gone from the head that is there', async () => {
    const at = stage();
    const { task, contract } = await at.staffetta.open({ goal: 'x' }, { to: 'agent:bea', as: eve });
    const other = stage({ world: at.world, clock: at.clock, store: openMemoryStore(at.world) });
    await other.staffetta.amend(task, { change: { goal: 'z' }, why: 'Changed.' }, { as: eve });
    at.world.blobs.delete(contract);
    expect((await at.staffetta.take({ task, as: bea }))?.contract.goal).toBe('z');
  });

  test('a handoff from a leg that has gone on elsewhere is built for where it stands', async () => {
    const at = stage();
    const leg = await at.staffetta.begin({ goal: 'x' }, { as: ada });
    const other = stage({ world: at.world, clock: at.clock, store: openMemoryStore(at.world) });
    await (await other.staffetta.leg(leg.task, { as: ada })).progress(3);
    const { state } = await leg.handoff({ to: 'agent:bea' });
    expect(state.progress).toMatchObject({ at: 3 });
    const taken = await at.staffetta.take({ task: leg.task, as: bea });
    expect(taken?.received?.facts?.progress).toEqual({ at: 3 });
    expect(taken?.received?.head.seq).toBe(1);
  });
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
