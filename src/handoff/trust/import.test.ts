import { describe, expect, test } from 'vitest';
import { exported, from } from '../../../test/support/exports.ts';
import { storyOf, told } from '../../../test/support/forks.ts';
import {
  ada,
  bea,
  cyd,
  eve,
  interrupted,
  seededEntropy,
  stage,
  worldText,
  type Stage,
} from '../../../test/support/world.ts';
import type { StaffettaError } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { readContract } from '../history/history.ts';
import type { Leg } from '../verbs/leg.ts';
import { importTask } from './import.ts';
import { sweep } from '../verbs/sweep.ts';

const day = 24 * 60 * 60 * 1000;

/** Another machine. */
function elsewhere(seed = 2): Stage {
  return stage({ seed });
}

async function finished(at: Stage): Promise<Leg> {
  const { leg } = await told(at, ['one', 'two']);
  await leg.effect('deploy', async () => 'x'.repeat(40_000));
  await at.staffetta.tell(leg.task, 'Use oak.', { as: eve, key: 'said' });
  await leg.complete({ transcript: seededEntropy(3).bytes(3_000_000), claims: { summary: 'Done.' } });
  return leg;
}

async function journalOf({ store }: Stage, task: TaskId): Promise<string[]> {
  return (await store.journal.read(task, 0, 1000)).map(({ body }) => body);
}

describe('importing what is over', () => {
  test('the task is there as it was: entries, history, keys and digests', async () => {
    const here = stage();
    const there = elsewhere();
    const { task } = await finished(here);
    const file = await exported(here, task);
    const imported = await importTask(there.context, from(file));
    expect(imported).toMatchObject({ task, unchanged: false, tasks: [{ task, status: 'done', entries: 7 }] });
    expect(await journalOf(there, task)).toEqual(await journalOf(here, task));
    expect(await storyOf(there, task)).toEqual(await storyOf(here, task));
    expect(await there.staffetta.show(task)).toEqual(await here.staffetta.show(task));
    expect((await there.store.journal.find(task, 'said'))?.seq).toBe(5);
    expect((await there.staffetta.verify()).faults).toEqual([]);
    expect((await there.staffetta.list({ statuses: ['done'] })).cards.map((card) => card.task)).toEqual([
      task,
    ]);
    expect((await exported(there, task)).equals(file)).toBe(true);
  });

  test('the same task gives the same bytes', async () => {
    const here = stage();
    const { task } = await finished(here);
    const file = await exported(here, task);
    await here.clock.advance(day);
    expect((await exported(here, task)).equals(file)).toBe(true);
  });

  test('importing it again changes nothing, and says so', async () => {
    const here = stage();
    const there = elsewhere();
    const { task } = await finished(here);
    const file = await exported(here, task);
    await importTask(there.context, from(file));
    const before = worldText(there.world);
    await there.clock.advance(day);
    expect(await importTask(there.context, from(file, 7_777))).toMatchObject({
      unchanged: true,
      tasks: [{ entries: 0 }],
    });
    expect(worldText(there.world)).toBe(before);
    expect((await importTask(here.context, from(file))).unchanged).toBe(true);
  });

  test('a dry run says what would come and changes nothing', async () => {
    const here = stage();
    const there = elsewhere();
    const { task } = await finished(here);
    const source = from(await exported(here, task));
    const would = await importTask(there.context, source, { dryRun: true });
    expect(there.world.blobs.size + there.world.tasks.size).toBe(0);
    expect(await importTask(there.context, source)).toEqual(would);
  });

  test('a task that waited for it is freed', async () => {
    const here = stage();
    const there = elsewhere();
    const { leg } = await told(here, ['one']);
    await importTask(there.context, from(await exported(here, leg.task)));
    const waits = await there.staffetta.open({ goal: 'waits', needs: [leg.task] }, { as: eve });
    expect(waits.status).toBe('blocked');
    await leg.complete();
    await importTask(there.context, from(await exported(here, leg.task)));
    expect((await there.staffetta.show(waits.task)).status).toBe('offered');
  });

  test('it is as new as its arrival: a sweep does not take it at once', async () => {
    const here = stage();
    const there = elsewhere();
    const { task } = await finished(here);
    const file = await exported(here, task);
    await there.clock.advance(100 * day);
    await importTask(there.context, from(file));
    expect((await sweep(there.context, { olderThanMs: 90 * day })).tasks).toEqual([]);
    await there.clock.advance(91 * day);
    expect((await sweep(there.context, { olderThanMs: 90 * day })).tasks).toEqual([task]);
    expect(there.world.blobs.size).toBe(0);
  });
});

describe('P1: importing what is not over', () => {
  test('a task that is held arrives as a copy that nobody can hold, offer, end or write to', async () => {
    const here = stage();
    const there = elsewhere();
    const { leg } = await told(here, ['one']);
    const { task } = leg;
    expect(await importTask(there.context, from(await exported(here, task)))).toMatchObject({
      tasks: [{ task, status: 'elsewhere', entries: 2 }],
    });
    expect(await there.staffetta.show(task)).toMatchObject({
      status: 'elsewhere',
      leg: null,
      leaseUntil: null,
    });
    await there.clock.advance(day);
    expect(await there.staffetta.recover()).toMatchObject({ lapsed: [], hinted: 0 });
    const before = worldText(there.world);
    const { staffetta } = there;
    const refusals = [
      async () => await staffetta.leg(task, { as: ada }),
      async () => await staffetta.take({ task, as: bea }),
      async () => await staffetta.offer(task, { to: 'anyone', lane: 'execute' }, { as: eve }),
      async () => await staffetta.note(task, 1, 'x', { as: ada }),
      async () => await staffetta.tell(task, 'x', { as: eve }),
      async () => await staffetta.cancel(task, 'x', { as: eve }),
      async () => await staffetta.redrive(task, {}, { as: eve }),
    ];
    for (const refused of refusals) await expect(refused()).rejects.toMatchObject({ code: 'wrong-state' });
    expect(await there.store.journal.renew(task, 1, Number.MAX_SAFE_INTEGER)).toBeNull();
    expect((await staffetta.list({ holder: 'ada' })).cards).toEqual([]);
    expect(worldText(there.world)).toBe(before);
    expect((await staffetta.verify()).faults).toEqual([]);
    expect((await leg.state()).status).toBe('held');
  });

  test('a task on offer wakes nobody and is offered to nobody', async () => {
    const here = stage();
    const there = elsewhere();
    const { task } = await here.staffetta.open({ goal: 'x' }, { as: eve });
    await importTask(there.context, from(await exported(here, task)));
    expect(there.world.hints.size).toBe(0);
    expect(await there.staffetta.take({ as: bea })).toBeUndefined();
    expect(await there.staffetta.recover()).toMatchObject({ hinted: 0 });
    expect((await here.staffetta.take({ as: bea }))?.task).toBe(task);
  });

  test('its work goes on in a fork, under an id of its own', async () => {
    const here = stage();
    const there = elsewhere();
    const { leg } = await told(here, ['one']);
    await importTask(there.context, from(await exported(here, leg.task)));
    const fork = await there.staffetta.fork(leg.task, { at: 'latest', why: 'moved', as: bea, take: true });
    expect(fork.task).not.toBe(leg.task);
    expect(fork).toMatchObject({ status: 'held', authors: ['ada', 'bea'] });
    expect(await readContract(there.context, fork.contract)).toMatchObject({ goal: 'The fence stands.' });
    expect((await storyOf(there, fork.task)).length).toBe(4);
    expect((await there.staffetta.verify()).faults).toEqual([]);
  });

  test('a longer version extends the copy, again and again, until it is over', async () => {
    const here = stage();
    const there = elsewhere();
    const { leg } = await told(here, ['one']);
    await importTask(there.context, from(await exported(here, leg.task)));
    const fork = await there.staffetta.fork(leg.task, { at: 'latest', why: 'x', as: bea });
    await leg.checkpoint({ transcript: 'two' });
    const longer = await importTask(there.context, from(await exported(here, leg.task)));
    expect(longer.tasks).toEqual([{ task: leg.task, status: 'elsewhere', entries: 1 }]);
    const older = await exported(here, leg.task);
    await leg.complete();
    await importTask(there.context, from(await exported(here, leg.task)));
    expect((await there.staffetta.show(leg.task)).status).toBe('done');
    expect((await importTask(there.context, from(older))).unchanged).toBe(true);
    expect(await journalOf(there, leg.task)).toEqual(await journalOf(here, leg.task));
    expect((await there.staffetta.verify(fork.task)).faults).toEqual([]);
  });

  test('repeating a request that the copy already answers returns the first outcome', async () => {
    const here = stage();
    const there = elsewhere();
    const first = await here.staffetta.open({ goal: 'x' }, { as: bea, key: 'k' });
    await importTask(there.context, from(await exported(here, first.task)));
    const again = await there.staffetta.open({ goal: 'x' }, { as: bea, key: 'k' });
    expect(again).toMatchObject({ task: first.task, status: 'elsewhere' });
    expect(there.world.tasks.size).toBe(1);
  });

  test('where the task lives an older version changes nothing, and it lives on', async () => {
    const here = stage();
    const { leg } = await told(here, ['one']);
    const file = await exported(here, leg.task);
    await leg.note('later');
    expect(await importTask(here.context, from(file))).toMatchObject({
      unchanged: true,
      tasks: [{ status: 'held' }],
    });
    await leg.note('and on');
  });

  test('a version that went on elsewhere does not take a task from its holder here', async () => {
    const here = stage();
    const { leg } = await told(here, ['one']);
    const there = elsewhere();
    // As a restored backup has it: the same journal, alive in both.
    there.world.tasks.set(leg.task, structuredClone(here.world.tasks.get(leg.task) as never));
    for (const [digest, blob] of here.world.blobs) there.world.blobs.set(digest, { ...blob });
    await leg.note('later');
    const source = from(await exported(here, leg.task));
    await expect(importTask(there.context, source)).rejects.toMatchObject({
      code: 'held',
      details: { holder: 'ada' },
    });
    await there.clock.advance(day);
    await there.staffetta.recover();
    await expect(importTask(there.context, source)).rejects.toMatchObject({
      code: 'task-exists',
      details: { seq: 2 },
    });
  });
});

describe('importing what is here already, but different', () => {
  test('two journals that part are a conflict that names the entry, and nothing changes', async () => {
    const here = stage();
    const there = elsewhere();
    const { task } = await here.staffetta.open({ goal: 'x' }, { as: bea, key: 'k' });
    await there.staffetta.open({ goal: 'x' }, { as: bea, key: 'k' });
    for (const words of ['1', '2', '3']) {
      await here.staffetta.tell(task, words, { as: eve });
      await there.staffetta.tell(task, words === '3' ? 'drei' : words, { as: eve });
    }
    const before = worldText(there.world);
    const error: unknown = await importTask(there.context, from(await exported(here, task))).catch(
      (e: unknown) => e,
    );
    expect(error).toMatchObject({ code: 'task-exists', details: { task, seq: 3 } });
    expect((error as Error).message).toContain('they part at entry 3');
    expect(worldText(there.world)).toBe(before);
  });

  test.each([1, 7, 40])(
    'of two journals that part at entry %i, however long, that entry is named',
    async (at) => {
      const here = stage();
      const there = elsewhere();
      const { task } = await here.staffetta.open({ goal: 'x' }, { as: bea, key: 'k' });
      await there.staffetta.open({ goal: 'x' }, { as: bea, key: 'k' });
      for (let n = 1; n <= 40; n += 1) {
        await here.staffetta.tell(task, `${n}`, { as: eve });
        if (n < 35 || at === 40) await there.staffetta.tell(task, n === at ? 'other' : `${n}`, { as: eve });
      }
      const refused = importTask(there.context, from(await exported(here, task)));
      await expect(refused).rejects.toMatchObject({ details: { seq: at } });
    },
  );
});

async function family(at: Stage): Promise<readonly [Leg, TaskId, TaskId]> {
  const { leg, packets } = await told(at, ['one', 'two']);
  const second = await at.staffetta.fork(leg.task, { at: packets[0] ?? '', why: 'x', as: ada, take: true });
  const carrying = await at.staffetta.leg(second.task, { as: ada });
  await carrying.checkpoint({ transcript: 'three' });
  const third = await at.staffetta.fork(second.task, { at: 'latest', why: 'y', as: cyd });
  return [leg, second.task, third.task];
}

describe('importing forks', () => {
  test('what it was forked from comes along, each as far as it is needed', async () => {
    const here = stage();
    const there = elsewhere();
    const [leg, second, third] = await family(here);
    const imported = await importTask(there.context, from(await exported(here, third)));
    expect(imported.tasks).toEqual([
      { task: leg.task, status: 'elsewhere', entries: 2 },
      { task: second, status: 'elsewhere', entries: 2 },
      { task: third, status: 'elsewhere', entries: 1 },
    ]);
    expect(await storyOf(there, third)).toEqual(await storyOf(here, third));
    expect((await there.staffetta.verify()).faults).toEqual([]);
    const whole = await importTask(there.context, from(await exported(here, leg.task)));
    expect(whole.tasks).toEqual([{ task: leg.task, status: 'elsewhere', entries: 1 }]);
    expect((await there.staffetta.verify(third)).faults).toEqual([]);
  });

  test('a sweep before any call of an import leaves what is imported whole', async () => {
    const here = stage();
    const [leg, , third] = await family(here);
    await leg.complete();
    const first = await exported(here, leg.task);
    const file = await exported(here, third);
    for (let nth = 1; ; nth += 1) {
      const there = elsewhere();
      await importTask(there.context, from(first));
      await there.clock.advance(day);
      const broken = interrupted(there, nth, async () => await sweep(there.context, { olderThanMs: 1000 }));
      const outcome: unknown = await importTask(broken.stage.context, from(file)).then(
        () => 'imported',
        (error: StaffettaError) => error.code,
      );
      expect(['imported', 'conflict', 'unknown-task']).toContain(outcome);
      if (outcome !== 'imported') await importTask(there.context, from(file));
      expect([nth, (await there.staffetta.verify()).faults]).toEqual([nth, []]);
      expect(await storyOf(there, third)).toEqual(await storyOf(here, third));
      if (!broken.happened()) break;
    }
  });

  test('two who import the same at once both end with the same, in either order', async () => {
    const here = stage();
    const [, , third] = await family(here);
    const file = await exported(here, third);
    const alone = elsewhere();
    await importTask(alone.context, from(file));
    for (let nth = 1; ; nth += 1) {
      const there = elsewhere();
      const broken = interrupted(there, nth, async () => await importTask(there.context, from(file)));
      await importTask(broken.stage.context, from(file));
      expect([nth, (await there.staffetta.verify()).faults]).toEqual([nth, []]);
      expect(await journalOf(there, third)).toEqual(await journalOf(alone, third));
      expect(there.world.tasks.size).toBe(3);
      if (!broken.happened()) break;
    }
  });
});

test('no reader ever sees a part of a journal that is being imported', async () => {
  const here = stage();
  const { task } = await finished(here);
  const file = await exported(here, task);
  const seen = new Set<number>();
  for (let nth = 1; ; nth += 1) {
    const there = elsewhere();
    const look = async (): Promise<unknown> =>
      seen.add((await there.store.journal.read(task, 0, 100)).length);
    const broken = interrupted(there, nth, look);
    await importTask(broken.stage.context, from(file));
    await look();
    if (!broken.happened()) break;
  }
  expect([...seen].toSorted((a, b) => a - b)).toEqual([0, 7]);
});
