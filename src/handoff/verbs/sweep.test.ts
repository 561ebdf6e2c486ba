import { describe, expect, test } from 'vitest';
import { ada, bea, eve, stage, worldText, type Stage } from '../../../test/support/world.ts';
import { limits } from '../../core/base/limits.ts';
import { recover } from './recover.ts';
import { sweep } from './sweep.ts';

const day = 24 * 60 * 60 * 1000;
const month = 30 * day;

async function finished({ staffetta }: Stage, transcript: string): Promise<`t${string}`> {
  const leg = await staffetta.begin({ goal: `goal of ${transcript}` }, { as: ada });
  await leg.complete({ transcript });
  return leg.task;
}

function bytes(at: Stage): string[] {
  return [...at.world.blobs.values()].map((blob) => Buffer.from(blob.bytes).toString());
}

describe('sweeping', () => {
  test('finished tasks that are old enough go, with their blobs, and what was freed is counted', async () => {
    const at = stage();
    const old = await finished(at, 'old');
    await at.clock.advance(month);
    const young = await finished(at, 'young');
    const before = at.world.blobs.size;
    const swept = await sweep(at.context, { olderThanMs: month });
    expect(swept.tasks).toEqual([old]);
    expect(swept.blobs).toBe(3);
    expect(swept.bytes).toBeGreaterThan('old'.length);
    expect([...at.world.tasks.keys()]).toEqual([young]);
    expect(at.world.blobs.size).toBe(before - 3);
    expect(bytes(at)).not.toContain('old');
    expect(bytes(at)).toContain('young');
    expect((await at.staffetta.verify()).faults).toEqual([]);
  });

  test('a task that was finished by a clock that is behind has just been finished', async () => {
    const at = stage();
    const leg = await at.staffetta.begin({ goal: 'x' }, { as: ada });
    const now = at.clock.now();
    at.clock.set(now - month);
    await leg.complete();
    at.clock.set(now);
    expect((await sweep(at.context, { olderThanMs: day })).tasks).toEqual([]);
  });

  test('unfinished tasks stay however old they are', async () => {
    const at = stage();
    const held = await at.staffetta.begin({ goal: 'held' }, { as: ada });
    await at.staffetta.open({ goal: 'offered' }, { as: eve });
    const stuck = await at.staffetta.begin({ goal: 'stuck' }, { as: bea });
    await stuck.escalate('Stuck.');
    await at.clock.advance(10 * month);
    expect(await sweep(at.context, { olderThanMs: 0, graceMs: limits.graceMsMin })).toEqual({
      tasks: [],
      blobs: 0,
      bytes: 0,
    });
    expect((await held.state()).status).toBe('held');
    expect((await at.staffetta.verify()).faults).toEqual([]);
  });

  test.each(['failed', 'cancelled', 'done'] as const)('%s tasks are finished tasks', async (status) => {
    const at = stage();
    const leg = await at.staffetta.begin({ goal: 'x' }, { as: ada });
    if (status === 'failed') await leg.fail('No wood.');
    else if (status === 'done') await leg.complete();
    else await at.staffetta.cancel(leg.task, 'Flood.', { as: eve });
    await at.clock.advance(1);
    expect((await sweep(at.context, { olderThanMs: 0 })).tasks).toEqual([leg.task]);
  });

  test('a blob that another task names stays', async () => {
    const at = stage();
    await finished(at, 'shared');
    const other = await at.staffetta.begin({ goal: 'other' }, { as: bea });
    await other.checkpoint({ transcript: 'shared' });
    await at.clock.advance(month);
    await sweep(at.context, { olderThanMs: 0 });
    expect(bytes(at)).toContain('shared');
    expect((await at.staffetta.verify()).faults).toEqual([]);
  });

  test.each([0, -1, limits.graceMsMin - 1, Number.NaN])(
    'a grace of %s ms is refused: it would not protect what is being written',
    async (graceMs) => {
      const at = stage();
      await at.store.blobs.put(Buffer.from('being written'), at.clock.now() - 1);
      await expect(sweep(at.context, { olderThanMs: 0, graceMs })).rejects.toMatchObject({
        code: 'invalid-input',
        hint: 'Choose at least 60000 ms (1m).',
      });
      expect(bytes(at)).toEqual(['being written']);
    },
  );

  test.each([Number.NaN, -1])('an age of %s ms is refused', async (olderThanMs) => {
    const at = stage();
    await finished(at, 'kept');
    await expect(sweep(at.context, { olderThanMs })).rejects.toMatchObject({ code: 'invalid-input' });
    expect(bytes(at)).toContain('kept');
  });

  test('the least grace keeps a blob for a minute', async () => {
    const at = stage();
    await at.store.blobs.put(Buffer.from('loose'), at.clock.now());
    await at.clock.advance(limits.graceMsMin);
    const options = { olderThanMs: month, graceMs: limits.graceMsMin };
    expect((await sweep(at.context, options)).blobs).toBe(0);
    await at.clock.advance(1);
    expect((await sweep(at.context, options)).blobs).toBe(1);
  });

  test('a blob that nobody names is kept for an hour: a writer may be about to name it', async () => {
    const at = stage();
    await at.store.blobs.put(Buffer.from('loose'), at.clock.now());
    await at.clock.advance(60 * 60 * 1000);
    expect((await sweep(at.context, { olderThanMs: month })).blobs).toBe(0);
    await at.clock.advance(1);
    expect(await sweep(at.context, { olderThanMs: month })).toEqual({ tasks: [], blobs: 1, bytes: 5 });
    expect((await sweep(at.context, { olderThanMs: month })).blobs).toBe(0);
  });

  test('putting a blob again makes it young again', async () => {
    const at = stage();
    await at.store.blobs.put(Buffer.from('loose'), at.clock.now());
    await at.clock.advance(day);
    await at.store.blobs.put(Buffer.from('loose'), at.clock.now());
    expect((await sweep(at.context, { olderThanMs: month })).blobs).toBe(0);
  });

  test('a finished task that others wait for stays until they do not', async () => {
    const at = stage();
    const need = await at.staffetta.begin({ goal: 'need' }, { as: ada });
    const { task } = await at.staffetta.open({ goal: 'waits', needs: [need.task] }, { as: eve });
    await need.fail('No wood.');
    await at.clock.advance(month);
    expect((await sweep(at.context, { olderThanMs: 0 })).tasks).toEqual([]);
    await at.staffetta.cancel(task, 'Flood.', { as: eve });
    await at.clock.advance(1);
    expect((await sweep(at.context, { olderThanMs: 0 })).tasks.toSorted()).toEqual(
      [need.task, task].toSorted(),
    );
  });

  test('a need of work that was declined, or waits for a person, stays too, and recovery goes on', async () => {
    const at = stage();
    const need = await at.staffetta.begin({ goal: 'need' }, { as: ada });
    const { task } = await at.staffetta.open(
      { goal: 'waits', needs: [need.task] },
      { as: eve, to: 'agent:bea' },
    );
    await at.staffetta.decline(task, ['No time.'], { as: bea });
    await need.complete();
    await at.clock.advance(month);
    expect((await sweep(at.context, { olderThanMs: 0 })).tasks).toEqual([]);
    await at.staffetta.redrive(task, {}, { as: eve });
    await recover(at.context);
    expect((await at.staffetta.take({ as: bea }))?.task).toBe(task);
  });

  test('a dry run counts the same and removes nothing', async () => {
    const at = stage();
    await finished(at, 'one');
    await finished(at, 'two');
    await at.clock.advance(month);
    await at.store.blobs.put(Buffer.from('young'), at.clock.now());
    const before = worldText(at.world);
    const would = await sweep(at.context, { olderThanMs: 0, dryRun: true });
    expect(worldText(at.world)).toBe(before);
    expect(await sweep(at.context, { olderThanMs: 0 })).toEqual(would);
    expect(would.tasks).toHaveLength(2);
  });

  test('tasks go before their blobs: at every step what is left is whole', async () => {
    const steps: string[] = [];
    const faults: number[] = [];
    const calm = stage();
    await finished(calm, 'one');
    await finished(calm, 'two');
    await calm.clock.advance(month);
    const watched = stage({
      world: calm.world,
      clock: calm.clock,
      reached: (step) => steps.push(step),
    });
    const blobs = watched.store.blobs;
    const store = {
      ...watched.store,
      blobs: {
        ...blobs,
        remove: async (...args: Parameters<typeof blobs.remove>) => {
          faults.push((await calm.staffetta.verify()).faults.length);
          return await blobs.remove(...args);
        },
      },
    };
    await sweep({ ...watched.context, store }, { olderThanMs: 0 });
    expect(steps.lastIndexOf('sweep:task-removed')).toBeLessThan(steps.indexOf('sweep:blob-removed'));
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.every((count) => count === 0)).toBe(true);
  });

  test('a task that changed since it was listed stays', async () => {
    const at = stage();
    const task = await finished(at, 'one');
    expect(await at.store.journal.remove(task, 0, 0)).toBe(false);
    expect(await at.store.journal.remove(task, 1, 0)).toBe(true);
  });

  test('a store whose packet cannot be read is not swept at all', async () => {
    const at = stage();
    const leg = await at.staffetta.begin({ goal: 'x' }, { as: ada });
    const { state } = await leg.checkpoint({ transcript: 'precious' });
    at.world.blobs.delete(state.packet ?? 'sha256:');
    await at.clock.advance(month);
    await expect(sweep(at.context, { olderThanMs: 0 })).rejects.toMatchObject({ code: 'blob-missing' });
    expect(bytes(at)).toContain('precious');
  });
});
