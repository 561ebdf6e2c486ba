import { describe, expect, test } from 'vitest';
import { ada, bea, eve, stage, worldText, type Stage } from '../../../test/support/world.ts';
import { limits } from '../../core/base/limits.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { takeNext } from './take.ts';

interface Waiting extends Stage {
  readonly need: TaskId;
  readonly task: TaskId;
}

/** A task whose need is lost: a person was asked about it. */
async function waiting(end: 'failed' | 'cancelled' = 'failed'): Promise<Waiting> {
  const at = stage();
  const need = await at.staffetta.begin({ goal: 'first' }, { as: ada });
  const { task } = await at.staffetta.open({ goal: 'second', needs: [need.task] }, { as: eve });
  if (end === 'failed') await need.fail('No wood.');
  else await at.staffetta.cancel(need.task, 'Flood.', { as: eve });
  expect((await at.staffetta.show(task)).status).toBe('escalated');
  return { ...at, need: need.task, task };
}

describe('work whose need is lost', () => {
  test.each(['failed', 'cancelled'] as const)(
    'it cannot go out again while the need that %s stands in its contract, and the refusal says what to do',
    async (end) => {
      const at = await waiting(end);
      const before = worldText(at.world);
      const refusal = {
        code: 'needs-unmet',
        message: `Task ${at.task} waits for ${at.need}, which is ${end}: that will never be done.`,
        details: { unmet: [at.need], lost: [{ need: at.need, status: end }] },
        hint: expect.stringContaining(`staffetta amend ${at.task} --drop-need ${at.need}`) as string,
      };
      await expect(at.staffetta.redrive(at.task, {}, { as: eve })).rejects.toMatchObject(refusal);
      const terms = { to: 'anyone', lane: 'execute' } as const;
      await expect(at.staffetta.offer(at.task, terms, { as: eve })).rejects.toMatchObject(refusal);
      expect(worldText(at.world)).toBe(before);
    },
  );

  test('who may not direct it learns that first', async () => {
    const at = await waiting();
    await expect(at.staffetta.redrive(at.task, {}, { as: bea })).rejects.toMatchObject({ code: 'denied' });
  });

  test('without the need it goes out again and can be taken', async () => {
    const at = await waiting();
    await at.staffetta.amend(at.task, { change: { needs: [] }, why: 'wood is here' }, { as: eve });
    expect((await at.staffetta.redrive(at.task, {}, { as: eve })).status).toBe('offered');
    expect((await at.staffetta.take({ as: bea }))?.task).toBe(at.task);
  });

  test('with another need in its place it waits for that one', async () => {
    const at = await waiting();
    const other = await at.staffetta.begin({ goal: 'instead' }, { as: ada });
    await at.staffetta.amend(at.task, { change: { needs: [other.task] }, why: 'try pine' }, { as: eve });
    expect((await at.staffetta.redrive(at.task, {}, { as: eve })).status).toBe('blocked');
    await other.complete();
    expect((await at.staffetta.show(at.task)).status).toBe('offered');
  });
});

describe('a need that is lost already', () => {
  test('no task is opened to wait for it', async () => {
    const at = await waiting();
    const opening = at.staffetta.open({ goal: 'third', needs: [at.need] }, { as: eve });
    await expect(opening).rejects.toMatchObject({
      code: 'needs-unmet',
      message: `No task can wait for ${at.need}: it is failed.`,
    });
  });

  test('no task is amended to wait for it', async () => {
    const at = await waiting();
    const { task } = await at.staffetta.open({ goal: 'third' }, { as: eve });
    const amending = at.staffetta.amend(task, { change: { needs: [at.need] }, why: 'x' }, { as: eve });
    await expect(amending).rejects.toMatchObject({ code: 'needs-unmet' });
  });

  test('a repeated request to open is answered as the first time, whatever became of the need since', async () => {
    const at = stage();
    const need = await at.staffetta.begin({ goal: 'first' }, { as: ada });
    const ask = async (): Promise<TaskId> =>
      (await at.staffetta.open({ goal: 'second', needs: [need.task] }, { as: eve, key: 'k' })).task;
    const task = await ask();
    await need.fail('No wood.');
    expect(await ask()).toBe(task);
  });
});

test('a contract can be amended after a need of it was done and swept', async () => {
  const at = stage();
  const need = await at.staffetta.begin({ goal: 'first' }, { as: ada });
  const { task } = await at.staffetta.open({ goal: 'second', needs: [need.task] }, { as: eve });
  await need.complete();
  at.clock.set(at.clock.now() + limits.graceMsMin + 1);
  await at.staffetta.sweep({ olderThanMs: 0 });
  const amended = await at.staffetta.amend(task, { change: { goal: 'third' }, why: 'x' }, { as: eve });
  expect(amended.seq).toBe(2);
});

async function fan(count: number): Promise<Stage & { tasks: readonly TaskId[]; need: TaskId }> {
  const at = stage();
  const need = await at.staffetta.begin({ goal: 'first' }, { as: ada });
  const tasks: TaskId[] = [];
  for (let n = 0; n < count; n += 1)
    tasks.push((await at.staffetta.open({ goal: `${n}`, needs: [need.task] }, { as: eve })).task);
  await need.complete();
  return { ...at, tasks, need: need.task };
}

async function blocked({ staffetta }: Stage): Promise<number> {
  return (await staffetta.list({ statuses: ['blocked'], limit: 1000 })).cards.length;
}

describe('more that wait than one call frees', () => {
  test('are freed by those who look for work and find none', async () => {
    const at = await fan(150);
    expect(await blocked(at)).toBe(150 - 64);
    const taken = new Set<TaskId | undefined>();
    for (let n = 0; n < 150; n += 1) taken.add((await at.staffetta.take({ as: bea }))?.task);
    expect(taken).toEqual(new Set(at.tasks));
    expect(await at.staffetta.take({ as: bea })).toBeUndefined();
  });

  test('are freed by recovery, all of them', async () => {
    const at = await fan(150);
    expect((await at.staffetta.recover()).freed).toHaveLength(150 - 64);
    expect(await blocked(at)).toBe(0);
  });
});

test('looking whether there is work sees what could be freed, and frees nothing', async () => {
  const at = stage();
  const need = await at.staffetta.begin({ goal: 'first' }, { as: ada });
  const { task } = await at.staffetta.open({ goal: 'second', needs: [need.task] }, { as: eve });
  const dying = stage({
    world: at.world,
    reached: (step) => {
      if (step === 'done:needs-listed') throw new Error('killed');
    },
  });
  await expect((await dying.staffetta.leg(need.task, { as: ada })).complete()).rejects.toThrow('killed');
  const before = worldText(at.world);
  const seen = await takeNext(at.context, {}, { by: bea, dryRun: true });
  expect(seen?.state.task).toBe(task);
  expect(worldText(at.world)).toBe(before);
  expect((await at.staffetta.take({ as: bea }))?.task).toBe(task);
});

test('a task that the index has lost is found by recovery, and by a caller that names it', async () => {
  const at = stage();
  const need = await at.staffetta.begin({ goal: 'first' }, { as: ada });
  const open = async (goal: string): Promise<TaskId> =>
    (await at.staffetta.open({ goal, needs: [need.task] }, { as: eve })).task;
  const [named, other] = [await open('named'), await open('other')];
  for (const task of [named, other]) Object.assign(at.world.tasks.get(task) ?? {}, { waits: [] });
  await need.complete();
  expect((await at.staffetta.show(other)).status).toBe('blocked');
  expect((await at.staffetta.take({ task: named, as: bea }))?.task).toBe(named);
  expect((await at.staffetta.recover()).freed).toEqual([other]);
});

async function join(count: number): Promise<Stage & { needs: readonly TaskId[] }> {
  const at = stage();
  const needs: TaskId[] = [];
  for (let n = 0; n < count; n += 1)
    needs.push((await at.staffetta.begin({ goal: `${n}` }, { as: ada })).task);
  return { ...at, needs };
}

async function complete({ staffetta }: Stage, task: TaskId): Promise<void> {
  await (await staffetta.leg(task, { as: ada })).complete();
}

describe('a task with more needs than an entry has room for', () => {
  const count = limits.eventsMax + 100;

  test('is told in few entries, and can be taken when the last of them is done', async () => {
    const at = await join(count);
    const { task } = await at.staffetta.open({ goal: 'join', needs: [...at.needs] }, { as: eve });
    const [last, ...others] = at.needs;
    for (const need of others) await complete(at, need);
    const { unmet, seq } = await at.staffetta.show(task);
    expect(unmet).toContain(last);
    expect(seq).toBeLessThan(40);
    await complete(at, last ?? task);
    expect(await at.staffetta.show(task)).toMatchObject({ status: 'offered', unmet: [] });
    expect((await at.staffetta.verify()).faults).toEqual([]);
  });

  test('is asked about as soon as any of them is lost', async () => {
    const at = await join(20);
    const { task } = await at.staffetta.open({ goal: 'join', needs: [...at.needs] }, { as: eve });
    for (const need of at.needs.slice(0, 3)) await at.staffetta.cancel(need, 'Flood.', { as: eve });
    expect((await at.staffetta.show(task)).status).toBe('escalated');
  });

  test('is told of all when it is opened after they were done', async () => {
    const at = await join(count);
    for (const need of at.needs) await complete(at, need);
    const { task } = await at.staffetta.open({ goal: 'join', needs: [...at.needs] }, { as: eve });
    expect(await at.staffetta.show(task)).toMatchObject({ status: 'offered', unmet: [], seq: 1 });
  });

  test('can be taken by name before anybody told it', async () => {
    const at = await join(count);
    const { task } = await at.staffetta.open({ goal: 'join', needs: [...at.needs] }, { as: eve });
    Object.assign(at.world.tasks.get(task) ?? {}, { waits: [] });
    for (const need of at.needs) await complete(at, need);
    expect((await at.staffetta.show(task)).unmet).toHaveLength(count);
    expect((await at.staffetta.take({ task, as: bea }))?.task).toBe(task);
  });
});
