import { describe, expect, test } from 'vitest';
import { ada, bea, eve, interrupted, stage, type Stage } from '../../../test/support/world.ts';
import { exported, from } from '../../../test/support/exports.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { moveTasks, openEnd, type Moved } from './move.ts';

const transcript = 'I thought about the fence for a long time.\n'.repeat(50);

interface Two {
  readonly here: Stage;
  readonly there: Stage;
}

function two(): Two {
  const here = stage();
  return { here, there: stage({ seed: 2, clock: here.clock }) };
}

async function move({ here, there }: Two, ...tasks: readonly TaskId[]): Promise<Moved[]> {
  return await moveTasks(tasks, {
    from: openEnd(here.context, 'here', eve),
    to: openEnd(there.context, 'there', eve),
  });
}

async function held({ staffetta }: Stage): Promise<TaskId> {
  const leg = await staffetta.begin({ goal: 'The fence stands.' }, { as: ada, leaseMs: 60_000 });
  await leg.checkpoint({ claims: { summary: 'Half of it.' }, transcript });
  return leg.task;
}

async function journalOf({ store }: Stage, task: TaskId): Promise<string[]> {
  return (await store.journal.read(task, 0, 1000)).map(({ body }) => body);
}

/** Whether the holder can write to it. */
async function goesOn({ staffetta }: Stage, task: TaskId): Promise<boolean> {
  try {
    await (await staffetta.leg(task, { as: ada })).note('On.');
    return true;
  } catch {
    return false;
  }
}

describe('a task that is held', () => {
  test('goes on where it was moved to, with its holder, generation, lease and history, and is a copy where it was', async () => {
    const both = two();
    const { here, there } = both;
    const task = await held(here);
    const before = await here.staffetta.show(task);
    expect(await move(both, task)).toEqual([{ task, status: 'held', entries: 4, unchanged: false }]);
    const { status, leg, leaseUntil } = before;
    expect(await there.staffetta.show(task)).toMatchObject({ status, leg, leaseUntil });
    expect(await here.staffetta.show(task)).toMatchObject({ status: 'elsewhere', leg: null, away: 'there' });
    expect(await goesOn(here, task)).toBe(false);
    expect(await goesOn(there, task)).toBe(true);
    expect((await journalOf(there, task)).slice(0, 3)).toEqual(await journalOf(here, task));
    expect([await here.staffetta.verify(), await there.staffetta.verify()]).toMatchObject([
      { faults: [] },
      { faults: [] },
    ]);
    expect(await move(both, task)).toMatchObject([{ status: 'held', unchanged: true }]);
  });

  test('lapses there, and is taken over there alone', async () => {
    const both = two();
    const { here, there } = both;
    const task = await held(here);
    await move(both, task);
    here.clock.set(here.clock.now() + 120_000);
    expect(await here.staffetta.recover()).toMatchObject({ lapsed: [] });
    expect(await here.staffetta.take({ as: bea })).toBeUndefined();
    await there.staffetta.recover();
    expect(await there.staffetta.take({ as: bea })).toMatchObject({ task, generation: 2 });
  });

  test('comes back', async () => {
    const { here, there } = two();
    const task = await held(here);
    await move({ here, there }, task);
    expect(await goesOn(there, task)).toBe(true);
    await moveTasks([task], {
      from: openEnd(there.context, 'there', eve),
      to: openEnd(here.context, 'here', eve),
    });
    expect([await goesOn(there, task), await goesOn(here, task)]).toEqual([false, true]);
    expect((await here.staffetta.verify()).faults).toEqual([]);
  });

  test('is in one store or in the other, wherever the move stops, and moving again finishes', async () => {
    for (const side of ['here', 'there'] as const) {
      for (let nth = 1; ; nth += 1) {
        const both = two();
        const task = await held(both.here);
        const cut = interrupted(both[side], nth, async () => {
          throw new Error('cut');
        });
        const outcome = await move({ ...both, [side]: cut.stage }, task).catch((error: unknown) => error);
        if (!cut.happened()) break;
        expect(outcome).toMatchObject({ message: 'cut' });
        const on = [await goesOn(both.here, task), await goesOn(both.there, task)];
        expect([side, nth, ...on]).not.toEqual([side, nth, true, true]);
        await move(both, task);
        expect([await goesOn(both.here, task), await goesOn(both.there, task)]).toEqual([false, true]);
        expect((await both.there.staffetta.verify()).faults).toEqual([]);
      }
    }
  });

  test('goes on while it is copied, and two who move it at once move it once', async () => {
    for (let nth = 1; ; nth += 1) {
      const both = two();
      const task = await held(both.here);
      const busy = interrupted(both.here, nth, async () => {
        if (nth % 2 === 0) await goesOn(both.here, task);
        else await move(both, task);
      });
      await move({ ...both, here: busy.stage }, task);
      if (!busy.happened()) break;
      expect([await goesOn(both.here, task), await goesOn(both.there, task)]).toEqual([false, true]);
      const arrivals = (await journalOf(both.there, task)).filter((body) => body.includes('"task-arrived"'));
      expect(arrivals).toHaveLength(1);
    }
  });
});

test('what is offered can be taken where it was moved to', async () => {
  const both = two();
  const { task } = await both.here.staffetta.open({ goal: 'A fence.' }, { as: eve });
  await move(both, task);
  expect(await both.here.staffetta.take({ as: bea })).toBeUndefined();
  expect(await both.there.staffetta.take({ as: bea })).toMatchObject({ task });
});

test('what waits for another goes with it, and is freed there', async () => {
  const both = two();
  const { staffetta } = both.here;
  const post = await staffetta.begin({ goal: 'A post.' }, { as: ada });
  const { task } = await staffetta.open({ goal: 'A board.', needs: [post.task] }, { as: eve });
  await expect(move(both, task)).rejects.toMatchObject({
    code: 'wrong-state',
    details: { with: [post.task] },
  });
  await expect(move(both, post.task)).rejects.toMatchObject({ details: { with: [task] } });
  await move(both, task, post.task);
  await (
    await both.there.staffetta.leg(post.task, { as: ada })
  ).complete({ claims: { summary: 'It stands.' } });
  expect(await both.there.staffetta.take({ as: bea })).toMatchObject({ task });
});

test('what is over is copied, and a copy is not moved', async () => {
  const both = two();
  const leg = await both.here.staffetta.begin({ goal: 'A post.' }, { as: ada });
  await leg.complete({ claims: { summary: 'It stands.' } });
  expect(await move(both, leg.task)).toMatchObject([{ status: 'done', unchanged: false }]);
  expect(await move(both, leg.task)).toMatchObject([{ status: 'done', unchanged: true }]);
  const task = await held(both.here);
  await move(both, task);
  const file = await exported(both.there, task);
  const third = stage({ seed: 3 });
  await third.staffetta.import(from(file));
  await expect(move({ here: third, there: both.there }, task)).rejects.toMatchObject({ code: 'wrong-state' });
});
