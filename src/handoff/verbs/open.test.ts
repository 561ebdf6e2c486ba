import { describe, expect, test } from 'vitest';
import { opened } from '../../../test/support/verbs.ts';
import { ada, bea, eve, pia, stage, worldText } from '../../../test/support/world.ts';
import { isTaskId, type TaskId } from '../../core/journal/id.ts';
import { limits } from '../../core/base/limits.ts';
import { readContract } from '../history/history.ts';
import { resolveTask } from '../record/load.ts';
import { open } from './open.ts';

describe('opening a task', () => {
  test('the contract is stored, the task offered to anyone in the execute lane, and somebody is woken', async () => {
    const { context, store } = stage();
    const { state } = await open(context, { goal: 'The fence stands.\nSoon.' }, {}, { by: eve });
    expect(isTaskId(state.task)).toBe(true);
    expect(state).toMatchObject({ status: 'offered', offer: { to: 'anyone', lane: 'execute' } });
    expect(await readContract(context, state.contract)).toEqual({
      v: 1,
      title: 'The fence stands.',
      goal: 'The fence stands.\nSoon.',
    });
    const hints = await store.mailbox.receive(['lane:execute'], {
      now: context.clock.now(),
      hideMs: 1,
      limit: 9,
    });
    expect(hints).toMatchObject([{ task: state.task, offer: 1 }]);
  });

  test('a task addressed to a lane is offered in that lane', async () => {
    const { context } = stage();
    const { state } = await open(context, { goal: 'x' }, { to: 'lane:audit' }, { by: eve });
    expect(state.offer).toMatchObject({ to: 'lane:audit', lane: 'audit' });
  });

  test('a task taken at once is taken in the lane of its opener', async () => {
    const { context } = stage();
    const { state, leaseUntil } = await open(
      context,
      { goal: 'x' },
      { take: true, leaseMs: 1000 },
      { by: pia },
    );
    expect(state.leg).toMatchObject({ lane: 'plan', leaseMs: 1000 });
    expect(leaseUntil).toBe(context.clock.now() + 1000);
  });

  test('a draft wakes nobody', async () => {
    const { context, world } = stage();
    await open(context, { goal: 'x' }, { draft: true }, { by: eve });
    expect(world.hints.size).toBe(0);
  });

  test('a task with an unmet need is blocked and wakes nobody, one with a need that is done is not', async () => {
    const { context, world, staffetta } = stage();
    const first = await staffetta.begin({ goal: 'first' }, { as: ada });
    const blocked = await open(context, { goal: 'second', needs: [first.task] }, {}, { by: eve });
    expect(blocked.state.status).toBe('blocked');
    expect(world.hints.size).toBe(0);
    await first.complete();
    const free = await open(context, { goal: 'third', needs: [first.task] }, {}, { by: eve });
    expect(free.state).toMatchObject({ status: 'offered', unmet: [] });
  });

  test('a hundred needs that are all done are no trouble', async () => {
    const { context, staffetta } = stage();
    const needs: TaskId[] = [];
    for (let n = 0; n < 100; n += 1) {
      const leg = await staffetta.begin({ goal: `need ${n}` }, { as: ada });
      await leg.complete();
      needs.push(leg.task);
    }
    const { state } = await open(context, { goal: 'last', needs }, {}, { by: eve });
    expect(state.status).toBe('offered');
    expect((await staffetta.verify(state.task)).faults).toEqual([]);
  });

  test('a need that does not exist could never be met and is refused', async () => {
    const { context, world } = stage();
    const opening = open(context, { goal: 'x', needs: ['t0000000000a1'] }, {}, { by: eve });
    await expect(opening).rejects.toMatchObject({ code: 'unknown-task' });
    expect(world.tasks.size).toBe(0);
  });

  test.each([
    ['no goal', { goal: ' ' }, 'invalid-input'],
    ['an unknown field', { goal: 'x', gaol: 'y' }, 'invalid-input'],
    [
      'a contract that is too large',
      { goal: 'x', acceptance: Array.from({ length: 5 }, () => 'x'.repeat(limits.textBytesMax)) },
      'too-large',
    ],
    ['half a character in its title', { goal: 'x', title: 'a\ud83d' }, 'invalid-input'],
  ])('%s is refused and nothing is written', async (_what, contract, code) => {
    const { context, world } = stage();
    const before = worldText(world);
    await expect(open(context, contract, {}, { by: eve })).rejects.toMatchObject({ code });
    expect(worldText(world)).toBe(before);
  });

  test('a goal full of control characters and long words still gets a title', async () => {
    const { context } = stage();
    const goal = `\u0007bell \u001b[31mred\u001b[0m ${'🧰'.repeat(200)}`;
    const { state } = await open(context, { goal }, {}, { by: eve });
    expect(state.terms.title.startsWith('bell')).toBe(true);
  });

  test('the same key by another opener opens another task', async () => {
    const { context } = stage();
    const mine = await open(context, { goal: 'x' }, {}, { by: ada, key: 'k' });
    const yours = await open(context, { goal: 'x' }, {}, { by: bea, key: 'k' });
    expect(yours.repeated).toBe(false);
    expect(yours.state.task).not.toBe(mine.state.task);
  });
});

describe('naming a task', () => {
  test('by its id, or by a beginning that fits only one', async () => {
    const { context } = stage();
    const task = await opened(context);
    expect(await resolveTask(context, task)).toBe(task);
    expect(await resolveTask(context, task.slice(0, 6))).toBe(task);
    expect(await resolveTask(context, task.slice(0, 6).toUpperCase())).toBe(task);
  });

  test('a beginning that fits several is refused with the candidates', async () => {
    const { context, world } = stage();
    const task = await opened(context);
    const found = world.tasks.get(task);
    const twin: typeof task = `${task.slice(0, 6)}0000000` as typeof task;
    if (found !== undefined) world.tasks.set(twin, found);
    await expect(resolveTask(context, task.slice(0, 6))).rejects.toMatchObject({
      code: 'ambiguous-task',
      details: { candidates: [task, twin].toSorted() },
    });
  });

  test.each(['', 't', 't12', 'fence', 'tzzzz', '../x', "t'; DROP TABLE task"])(
    '%j names no task',
    async (given) => {
      const { context } = stage();
      await opened(context);
      await expect(resolveTask(context, given)).rejects.toMatchObject({ code: 'unknown-task' });
    },
  );
});
