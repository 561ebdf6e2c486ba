import { beforeEach, expect, test } from 'vitest';
import { ada, bea, dawn, eve, pia, stage, worldText, type Stage } from '../../../test/support/world.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { Afterwards } from '../record/afterwards.ts';
import { complete } from '../verbs/finish.ts';
import { waitingFor } from './greet.ts';
import { awaitedOffers, offersFor, restingOffers } from './offers.ts';

let at: Stage;
beforeEach(() => (at = stage()));

async function offered(goal: string, given: Parameters<Stage['staffetta']['open']>[1] = {}): Promise<TaskId> {
  await at.clock.advance(1);
  return (await at.staffetta.open({ goal }, { as: eve, ...given })).task;
}

/** Older or newer than what is on offer, as a plan would leave them. */
async function blocked(count: number): Promise<void> {
  const draft = (await at.staffetta.open({ goal: 'root' }, { as: eve, draft: true })).task;
  for (let n = 0; n < count; n += 1) {
    await at.clock.advance(1);
    await at.staffetta.open({ goal: `blocked ${n}`, needs: [draft] }, { as: eve });
  }
}

async function listed(most = 20): Promise<TaskId[]> {
  return (await offersFor(at.context, bea, { most })).map(({ task }) => task);
}

async function awaited(): Promise<TaskId[]> {
  return (await awaitedOffers(at.context, bea, 10)).map(({ task }) => task);
}

/** A task that 70 others needed is done, and the process that said so ended before it freed more than 64 of them. */
async function partlyFreed(needs: 1 | 2 = 1): Promise<TaskId[]> {
  const root = await at.staffetta.begin({ goal: 'root' }, { as: ada });
  const other = await at.staffetta.open({ goal: 'other' }, { as: eve, draft: true });
  const waiting: TaskId[] = [];
  for (let n = 0; n < 70; n += 1) {
    const all = [root.task, other.task].slice(0, needs);
    waiting.push((await at.staffetta.open({ goal: `d${n}`, needs: all }, { as: eve })).task);
  }
  await root.complete();
  const left: TaskId[] = [];
  for (const task of waiting)
    if ((await at.staffetta.show(task)).status === 'blocked') left.push(task);
    else await at.staffetta.take({ task, as: ada });
  return left;
}

test('an offer is found behind and before any number of blocked tasks, in lists, by who waits and in the greeting', async () => {
  await blocked(260);
  const task = await offered('real');
  await blocked(60);
  expect(await listed()).toEqual([task]);
  expect(await awaited()).toEqual([task]);
  expect((await waitingFor(at.context, bea)).map((one) => one.task)).toEqual([task]);
});

test('what take would refuse is not on offer: other lanes and names, what rests, and what expired, to the millisecond', async () => {
  await offered('for another', { to: 'agent:cyd' });
  await offered('to plan', { lane: 'plan' });
  const own = await offered('for bea', { to: 'agent:bea' });
  const brief = await offered('brief', { expiresMs: 1000 });
  const until = at.clock.now() + 1000;
  expect(await listed()).toEqual([own, brief]);
  at.clock.set(until);
  expect(await listed()).toEqual([own, brief]);
  at.clock.set(until + 1);
  expect(await listed()).toEqual([own]);
  expect((await offersFor(at.context, pia, { most: 20 })).map(({ title }) => title)).toEqual(['to plan']);
  expect(await offersFor(at.context, undefined, { most: 20 })).toHaveLength(3);
  expect(await offersFor(at.context, undefined, { most: 2, newestFirst: true })).toMatchObject([
    { title: 'for bea' },
    { title: 'to plan' },
  ]);
});

test('what rests is on offer in the very millisecond in which take gives it', async () => {
  const leg = await at.staffetta.begin({ goal: 'x' }, { as: ada });
  await leg.retry('later');
  const [rests] = await restingOffers(at.context);
  const until = rests?.notBefore ?? dawn;
  at.clock.set(until - 1);
  expect(await listed()).toEqual([]);
  await expect(at.staffetta.take({ task: leg.task, as: bea })).rejects.toMatchObject({ code: 'too-early' });
  at.clock.set(until);
  expect([await listed(), await restingOffers(at.context)]).toEqual([[leg.task], []]);
  expect((await at.staffetta.take({ task: leg.task, as: bea }))?.generation).toBe(2);
});

test('those that a completion left waiting are listed, and nothing is changed by that', async () => {
  const left = await partlyFreed();
  expect(left).toHaveLength(6);
  const before = worldText(at.world);
  expect((await listed()).toSorted()).toEqual(left.toSorted());
  expect(await offersFor(at.context, bea, { most: 1 })).toMatchObject([{ status: 'offered' }]);
  expect(worldText(at.world)).toBe(before);
  expect((await at.staffetta.take({ task: left[0] ?? '', as: bea }))?.generation).toBe(1);
});

test('where a process ends right after it has answered that a task is done, all that needed it are found', async () => {
  const root = await at.staffetta.begin({ goal: 'root' }, { as: ada });
  const { task } = await at.staffetta.open({ goal: 'next', needs: [root.task] }, { as: eve });
  // What was left to be done after the answer is lost with the process.
  class Killed extends Afterwards {
    override add(): void {}
  }
  await complete({ ...at.context, afterwards: new Killed() }, root, {}, { by: ada });
  expect((await at.staffetta.show(task)).status).toBe('blocked');
  expect(await listed()).toEqual([task]);
  expect((await at.staffetta.show(task)).status).toBe('blocked');
  expect(await awaited()).toEqual([task]);
  expect((await at.staffetta.show(task)).status).toBe('offered');
});

test('a completion answers before it frees, and what closes the store waits for that', async () => {
  const afterwards = new Afterwards();
  const root = await at.staffetta.begin({ goal: 'root' }, { as: ada });
  const { task } = await at.staffetta.open({ goal: 'next', needs: [root.task] }, { as: eve });
  await complete({ ...at.context, afterwards }, root, {}, { by: ada });
  expect((await at.staffetta.show(task)).status).toBe('blocked');
  await afterwards.settled();
  expect((await at.staffetta.show(task)).status).toBe('offered');
});

test('those that still need another are not listed', async () => {
  await partlyFreed(2);
  expect([await listed(), await awaited()]).toEqual([[], []]);
});

test('who waits frees them, and ends the leg of a holder that fell silent', async () => {
  const left = await partlyFreed();
  expect((await awaited()).toSorted()).toEqual(left.toSorted());
  for (const task of left) await at.staffetta.take({ task, as: ada, leaseMs: 3_600_000 });
  expect(await awaited()).toEqual([]);
  await at.clock.advance(600_000);
  expect((await awaited()).length).toBe(10);
});
