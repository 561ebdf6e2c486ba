import { describe, expect, test, vi } from 'vitest';
import { openEntry } from '../../src/core/journal/sealed.ts';
import { load } from '../../src/handoff/record/load.ts';
import { plannedId, runId } from '../../src/crew/run-names.ts';
import { openStaffetta, type Staffetta } from '../../src/index.ts';
import type { CrewRun } from '../../src/library/crew.ts';

const acceptance = ['It stands.'];

describe('a crew in code', () => {
  test('functions work along edges, review each other, and what changes can be listened to', async () => {
    const relay = await openStaffetta({ store: 'memory:', as: { name: 'eve', kind: 'human' } });
    const crew = relay.crew({ parallel: 2 });
    const told: string[] = [];
    const code = crew.agent('code', { lane: 'execute', receives: 'full' }, async (leg, { story }) => {
      told.push(`code on ${leg.contract.title} after ${story?.sessions.length ?? 'no'} sessions`);
      await leg.acknowledge();
      await leg.note('Done.');
    });
    const research = crew.agent('research', { lane: 'execute' }, async (leg, { prompt }) => {
      told.push(prompt.includes('Posts are bought') ? 'research was briefed' : 'research knows nothing');
      await leg.acknowledge();
      await leg.handoff({ to: 'agent:code', claims: { next: 'Set them.' } });
    });
    const qa = crew.reviewer('qa', {}, async (review) => await review.approve('It stands.'));
    research.to(code, qa);
    code.to(qa);
    const run = await crew.run({
      name: 'fence',
      tasks: {
        posts: {
          goal: 'Posts are bought and set.',
          agent: research,
          acceptance,
          review: { owner: 'lane:audit' },
        },
        rails: { goal: 'Rails are on.', agent: code, needs: ['posts'], acceptance },
      },
    });
    const changes: string[] = [];
    for await (const { task, status } of run) changes.push(`${task} ${status}`);
    expect((await run.done).how).toBe('done');
    expect(told[0]).toBe('research was briefed');
    expect(changes).toContain('posts submitted');
    expect(changes.indexOf('posts done')).toBeLessThan(changes.indexOf('rails done'));
  });

  test('a task whose agent says nothing of its own is three entries, and is read once for its briefing', async () => {
    const relay = await openStaffetta({ store: 'memory:', as: { name: 'eve', kind: 'human' } });
    const read = vi.spyOn(relay.store.journal, 'read');
    const crew = relay.crew();
    const code = crew.agent('code', { lane: 'execute' }, async () => await Promise.resolve());
    const run = await crew.run({
      name: 'quiet',
      tasks: {
        one: { goal: 'One is there.', agent: code, acceptance },
        two: { goal: 'Two is there.', agent: code, acceptance, needs: ['one'] },
      },
    });
    expect((await run.done).how).toBe('done');
    const [one, two] = [plannedId('quiet', 'one'), plannedId('quiet', 'two')];
    // One is read again as what two needed.
    const tasks = read.mock.calls.map(([task]) => task);
    expect([one, two].map((id) => tasks.filter((task) => task === id).length)).toEqual([2, 1]);
    const entries = await relay.store.journal.read(two, 0, 9);
    expect(
      entries.map((stored) =>
        openEntry(stored)
          .events.map(({ type }) => type)
          .join(' '),
      ),
    ).toEqual([
      'task-opened offer-made',
      'need-met leg-started',
      'leg-acknowledged checkpoint-sealed leg-ended task-done',
    ]);
  });

  test('an author whose work is sent back is told for what', async () => {
    const relay = await openStaffetta({ store: 'memory:', as: { name: 'eve', kind: 'human' } });
    const crew = relay.crew();
    const told: string[] = [];
    const code = crew.agent('code', { lane: 'execute' }, async (leg, { prompt }) => {
      told.push(prompt);
      await leg.acknowledge();
      await leg.note('Done.');
    });
    crew.reviewer('qa', {}, async (review) =>
      told.length === 1
        ? await review.sendBack([{ text: 'the header is missing', path: 'a.txt', line: 1 }])
        : await review.approve('It stands.'),
    );
    const run = await crew.run({
      name: 'back',
      tasks: { one: { goal: 'One is there.', agent: code, acceptance, review: { owner: 'lane:audit' } } },
    });
    expect((await run.done).how).toBe('done');
    const found = 'From qa: a.txt:1: the header is missing';
    expect(told.map((prompt) => prompt.includes(found))).toEqual([false, true]);
  });

  test('an edge that is not there is refused, and the run says who is waited for', async () => {
    const relay = await openStaffetta({ store: 'memory:', as: { name: 'eve', kind: 'human' } });
    const crew = relay.crew();
    const refusals: string[] = [];
    const stray = crew.agent('stray', { lane: 'execute' }, async (leg) => {
      await leg.acknowledge();
      await leg
        .handoff({ to: 'agent:other', claims: { next: 'Yours.' } })
        .catch((error: { code: string }) => {
          refusals.push(error.code);
        });
      await leg.escalate('Nobody to hand it to.');
    });
    const other = crew.agent('other', { lane: 'execute' }, async () => {});
    other.to(stray);
    const run = await crew.run({
      name: 'lost',
      tasks: { one: { goal: 'One is there.', agent: stray, acceptance } },
    });
    while ((await relay.list({ statuses: ['escalated'] })).cards.length === 0)
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(refusals).toEqual(['edge-denied']);
    expect((await run.stop()).how).toBe('stopped');
  });

  test('is held to its caps over its life, asks once, and goes on when that is answered', async () => {
    const relay = await openStaffetta({ store: 'memory:', as: { name: 'eve', kind: 'human' } });
    const begin = async (): Promise<CrewRun> => {
      const crew = relay.crew({ parallel: 3 });
      crew.agent('code', { lane: 'execute', count: 3 }, async (leg) => {
        await leg.acknowledge();
        await leg.countUsage({ source: 'code', tokens: 100 });
      });
      const goal = { goal: 'It is there.', acceptance };
      const tasks = { a: goal, b: goal, c: { ...goal, needs: ['a', 'b'] }, d: { ...goal, needs: ['c'] } };
      return await crew.run({ name: 'capped', budget: { tokens: 200, legs: 40 }, tasks });
    };
    const [asked] = await questionsOf(relay, await begin());
    expect(asked?.question).toBe('The run has used 200 of 200 tokens. Go on with as much again?');
    // Another supervisor counts the same, and asks nothing anew.
    const again = await begin();
    const task = runId('capped');
    expect(await questionsOf(relay, again)).toHaveLength(1);
    const third = await begin();
    await relay.answer(task, { decision: asked?.decision ?? 0, answer: 'more' });
    expect((await third.done).how).toBe('done');
    const { state } = await load(relay.context, task);
    expect(state.steering?.caps).toEqual({ tokens: 400, legs: 40 });
    expect(state.raised).toEqual([]);
  });

  test('tasks are taken out and given to others while somebody works on them', async () => {
    const relay = await openStaffetta({ store: 'memory:', as: { name: 'eve', kind: 'human' } });
    const crew = relay.crew({ parallel: 4 });
    const begun = new Map<string, PromiseWithResolvers<void>>();
    for (const task of ['slow', 'wrong']) begun.set(task, Promise.withResolvers<void>());
    const ended: string[] = [];
    crew.agent('ada', { lane: 'execute', count: 2 }, async (leg, { signal }) => {
      await leg.acknowledge();
      begun.get(leg.contract.title)?.resolve();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      ended.push(leg.contract.title);
    });
    const ben = crew.agent('ben', { lane: 'execute' }, async (leg) => {
      await leg.acknowledge();
      await leg.note(`Ended before: ${ended.join()}`);
    });
    const run = await crew.run({
      name: 'moved',
      tasks: {
        slow: { goal: 'slow', agent: 'ada', acceptance },
        wrong: { goal: 'wrong', agent: 'ada', acceptance },
      },
    });
    await Promise.all([...begun.values()].map(async ({ promise }) => await promise));
    await expect(run.give('slow', 'zoe', 'No.')).rejects.toThrow('has no agent zoe');
    await expect(run.cancel('quick', 'No.')).rejects.toThrow('has no task quick');
    await run.cancel('wrong', 'Nobody wants it.');
    await run.give('slow', ben, 'Ada is slow.');
    const { how, statuses } = await run.done;
    expect([how, ...statuses]).toEqual(['done', ['slow', 'done'], ['wrong', 'cancelled']]);
    expect(ended.toSorted()).toEqual(['slow', 'wrong']);
    await expect(run.pause('Lunch.')).rejects.toThrow('is done');
  });

  test.each(['by who has it', 'as a task'])(
    'a run is cancelled with all that is left of it, %s',
    async (how) => {
      const relay = await openStaffetta({ store: 'memory:', as: { name: 'eve', kind: 'human' } });
      const crew = relay.crew({ parallel: 4 });
      const begun = Promise.withResolvers<void>();
      let isStopped = false;
      crew.agent('ada', { lane: 'execute', count: 2 }, async (leg, { signal }) => {
        await leg.acknowledge();
        if (leg.contract.title === 'quick') return;
        begun.resolve();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        isStopped = true;
      });
      const goal = { goal: 'It is there.', acceptance };
      const tasks = {
        quick: { ...goal, title: 'quick' },
        slow: { ...goal, needs: ['quick'] },
        late: { ...goal, needs: ['slow'] },
      };
      const run = await crew.run({ name: 'dropped', tasks });
      await begun.promise;
      if (how === 'as a task') await relay.cancel(runId('dropped'), 'Enough.');
      else await run.cancel(null, 'Enough.');
      const { how: end, statuses } = await run.done;
      expect(end).toBe('cancelled');
      expect(isStopped).toBe(true);
      expect([...statuses]).toEqual([
        ['quick', 'done'],
        ['slow', 'cancelled'],
        ['late', 'cancelled'],
      ]);
      expect(
        (await relay.list({})).cards.filter(({ status }) => !['done', 'cancelled'].includes(status)),
      ).toEqual([]);
    },
  );
});

/** Once nothing moves without a person; the run is left then. */
async function questionsOf(
  relay: Staffetta,
  run: CrewRun,
): Promise<readonly { readonly decision: number; readonly question: string }[]> {
  for (;;) {
    const { state } = await load(relay.context, runId('capped'));
    const done = (await relay.list({ statuses: ['done'] })).cards.length;
    if (done === 2 && state.raised.length > 0) {
      await run.stop();
      return state.raised;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
