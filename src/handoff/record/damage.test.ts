import { describe, expect, test } from 'vitest';
import { opened } from '../../../test/support/verbs.ts';
import { ada, bea, dawn, eve, stage, worldText, type Stage } from '../../../test/support/world.ts';
import type { Digest } from '../../core/journal/digest.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { limits } from '../../core/base/limits.ts';
import type { DamagedTask } from './damage.ts';
import { complete } from '../verbs/finish.ts';
import { load } from './load.ts';
import { recover } from '../verbs/recover.ts';
import { accept, takeNext } from '../verbs/take.ts';

const later = dawn + limits.leaseMsDefault + 1;

/** The same store, opened by somebody who has read nothing of it yet. */
function reopened({ world, clock }: Stage): Stage {
  return stage({ world, clock });
}

/** A journal that says something else than was sealed, and no snapshot to pass over it. */
function damageJournal({ world }: Stage, task: TaskId): void {
  const kept = world.tasks.get(task);
  if (kept === undefined) throw new Error('no such task');
  kept.snapshot = 'damaged';
  const [first] = kept.entries;
  if (first !== undefined) kept.entries[0] = { ...first, body: first.body.replace('"v":1', '"v":7') };
}

function damageBlob({ world }: Stage, digest: Digest | null | undefined): void {
  const blob = digest === null || digest === undefined ? undefined : world.blobs.get(digest);
  if (blob === undefined) throw new Error('no such blob');
  blob.bytes[0] = 0;
}

/** A task that was handed to the execute lane, with a packet. */
async function handedOver(at: Stage): Promise<TaskId> {
  const leg = await at.staffetta.begin({ goal: 'The fence stands.' }, { as: ada });
  await leg.acknowledge();
  await leg.handoff({ to: 'lane:execute', claims: { done: ['posts'], next: 'Paint it.' } });
  return leg.task;
}

describe('a task whose packet or contract cannot be read', () => {
  test.each(['packet', 'contract'] as const)('is not taken: the %s is read first', async (what) => {
    const at = stage();
    const task = await handedOver(at);
    damageBlob(at, (await load(at.context, task)).state[what]);
    const before = worldText(at.world);
    const { context } = reopened(at);
    await expect(accept(context, task, {}, { by: bea })).rejects.toMatchObject({ code: 'corrupt' });
    await expect(accept(context, task, {}, { by: bea, dryRun: true })).rejects.toMatchObject({
      code: 'corrupt',
    });
    expect(worldText(at.world)).toBe(before);
  });

  test('is not taken if its packet is gone', async () => {
    const at = stage();
    const task = await handedOver(at);
    const { packet } = (await load(at.context, task)).state;
    if (packet !== null) at.world.blobs.delete(packet);
    const { staffetta } = reopened(at);
    await expect(staffetta.take({ task, as: bea })).rejects.toMatchObject({ code: 'blob-missing' });
    expect((await load(at.context, task)).state).toMatchObject({ status: 'offered', generation: 1 });
  });

  test('is refused for that only to those it is for', async () => {
    const at = stage();
    const task = await opened(at.context, { to: 'agent:cyd' }, eve);
    damageBlob(at, (await load(at.context, task)).state.contract);
    await expect(accept(at.context, task, {}, { by: bea })).rejects.toMatchObject({ code: 'not-addressed' });
  });

  test('is not taken by a receiver that is shown the journal, if a message in it is damaged', async () => {
    const at = stage();
    const task = await opened(at.context, {}, eve);
    await at.staffetta.tell(task, 'Mind the gate.', { as: eve });
    const kept = at.world.tasks.get(task);
    const last = kept?.entries.at(-1);
    if (last !== undefined) kept?.entries.splice(-1, 1, { ...last, body: last.body.replace('Mind', 'Mine') });
    const taking = accept(at.context, task, { shown: true }, { by: bea });
    await expect(taking).rejects.toMatchObject({ code: 'corrupt' });
    expect((await load(at.context, task)).state.status).toBe('offered');
  });
});

describe('taking the next offer where one task is damaged', () => {
  test.each(['journal', 'contract'] as const)('by its %s, the next sound one is taken', async (what) => {
    const at = stage();
    const bad = await opened(at.context, {}, eve);
    const { contract } = await at.staffetta.show(bad);
    const leg = await at.staffetta.begin({ goal: 'Another fence.' }, { as: ada });
    await leg.retry('Rain.');
    at.clock.set(later);
    if (what === 'journal') damageJournal(at, bad);
    else damageBlob(at, contract);
    const damaged: DamagedTask[] = [];
    const onDamaged = (found: DamagedTask): unknown => damaged.push(found);
    const fresh = reopened(at);
    expect((await takeNext(fresh.context, { onDamaged }, { by: bea }))?.state.task).toBe(leg.task);
    expect(await takeNext(fresh.context, { onDamaged }, { by: bea })).toBeUndefined();
    expect(new Set(damaged.map(({ task }) => task))).toEqual(new Set([bad]));
    expect(damaged[0]?.why).not.toBe('');
  });

  test('without any hint the sound one is found too, and each damaged one is named once', async () => {
    const at = stage();
    const bad = await opened(at.context, {}, eve);
    const good = await opened(at.context, {}, eve);
    damageJournal(at, bad);
    at.world.hints.clear();
    const damaged: string[] = [];
    const onDamaged = ({ task }: DamagedTask): unknown => damaged.push(task);
    const taken = await takeNext(reopened(at).context, { onDamaged }, { by: bea });
    expect(taken?.state.task).toBe(good);
    expect(damaged).toEqual([bad]);
  });

  test('a damaged one that somebody held for too long stands in nobody’s way', async () => {
    const at = stage();
    const bad = await at.staffetta.begin({ goal: 'x' }, { as: ada });
    const good = await opened(at.context, {}, eve);
    damageJournal(at, bad.task);
    at.clock.set(later);
    expect((await takeNext(reopened(at).context, {}, { by: bea }))?.state.task).toBe(good);
  });

  test('the hint of a damaged one is kept until it is mended', async () => {
    const at = stage();
    const bad = await opened(at.context, {}, eve);
    const kept = at.world.tasks.get(bad);
    const sound = structuredClone({ snapshot: kept?.snapshot ?? '', entries: kept?.entries ?? [] });
    damageJournal(at, bad);
    expect(await takeNext(reopened(at).context, {}, { by: bea })).toBeUndefined();
    expect(at.world.hints.size).toBe(1);
    Object.assign(kept ?? {}, sound);
    expect((await takeNext(reopened(at).context, {}, { by: bea }))?.state.task).toBe(bad);
  });
});

describe('recovering where one task is damaged', () => {
  test('the others are put right, and the damaged ones are named', async () => {
    const at = stage();
    const held = await at.staffetta.begin({ goal: 'x' }, { as: ada });
    const silent = await at.staffetta.begin({ goal: 'y' }, { as: ada });
    const offered = await opened(at.context, {}, eve);
    const expiring = await opened(at.context, { expiresMs: 1000 }, eve);
    const stale = await opened(at.context, { expiresMs: 1000 }, eve);
    for (const task of [held.task, offered, expiring]) damageJournal(at, task);
    at.clock.set(later);
    const fresh = reopened(at);
    for (const dryRun of [true, false]) {
      const done = await recover(fresh.context, { dryRun });
      expect(done).toMatchObject({ lapsed: [silent.task], expired: [stale], doubted: [] });
      const named = done.damaged.map(({ task }) => task);
      // An offer that was told of is not looked at here: the next one who asks for work finds it damaged.
      expect(named.toSorted()).toEqual([held.task, expiring].toSorted());
    }
  });

  test('a damaged task that waits keeps nobody from completing what it waits for', async () => {
    const at = stage();
    const need = await at.staffetta.begin({ goal: 'x' }, { as: ada });
    const waits = await at.staffetta.open({ goal: 'y', needs: [need.task] }, { as: eve });
    const also = await at.staffetta.open({ goal: 'z', needs: [need.task] }, { as: eve });
    damageJournal(at, waits.task);
    const fresh = reopened(at);
    await complete(fresh.context, { task: need.task, generation: 1 }, {}, { by: ada });
    expect((await load(fresh.context, also.task)).state.status).toBe('offered');
    expect((await recover(fresh.context)).damaged.map(({ task }) => task)).toEqual([waits.task]);
  });

  test('a lease too far ahead on a damaged task is named as damage alone', async () => {
    const at = stage();
    const held = await at.staffetta.begin({ goal: 'x' }, { as: ada });
    damageJournal(at, held.task);
    at.clock.set(dawn - limits.leaseMsMax);
    const done = await recover(reopened(at).context);
    expect(done).toMatchObject({ doubted: [], damaged: [{ task: held.task }] });
  });
});
