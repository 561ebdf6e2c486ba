import { describe, expect, test } from 'vitest';
import { ada, bea, eve, stage, worldText, type Stage } from '../../../test/support/world.ts';
import { limits } from '../../core/base/limits.ts';
import type { TaskId } from '../../core/journal/id.ts';

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
