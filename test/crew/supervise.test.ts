import { describe, expect, test } from 'vitest';
import { openRun } from '../../src/crew/open-run.ts';
import { plannedId, runId } from '../../src/crew/run-names.ts';
import { StaffettaError } from '../../src/core/base/error.ts';
import { chartOf } from '../../src/core/plan/chart.ts';
import { plannedTasks } from '../../src/core/plan/work-plan.ts';
import { RunWatch } from '../../src/crew/run-watch.ts';
import { openEntry } from '../../src/core/journal/sealed.ts';
import type { SuperviseOptions } from '../../src/crew/run-sight.ts';
import { supervise } from '../../src/crew/supervise.ts';
import type { CrewSite } from '../../src/crew/site.ts';
import { takeRun } from '../../src/crew/take-run.ts';
import { approvePhase, cancel } from '../../src/handoff/verbs/outside.ts';
import { waitingPhase } from '../../src/core/task/state.ts';
import { load } from '../../src/handoff/record/load.ts';
import { openStaffetta } from '../../src/library/staffetta.ts';
import { functionRunner } from '../../src/runners/function.ts';
import { HandClock } from '../support/world.ts';
import { eve, fence, hands, siteOf, type Turn } from './functions.ts';

const onChange = (): never => {
  throw new Error('the terminal is gone');
};

const failing: Turn = async (post) => {
  if (post.for === 'work' && post.task === 'posts') await post.leg.fail('The ground is rock.');
  else await hands(post);
};

describe('a run', () => {
  test('carries every task to its end, needs first', async () => {
    const relay = await openStaffetta({ store: 'memory:' });
    const began: string[] = [];
    const turn: Turn = async (post) => {
      began.push(post.task);
      await hands(post);
    };
    await openRun(relay.context, fence(), { by: eve, why: 'Spring.' });
    const end = await supervise(siteOf(relay.context, turn), 'fence', { pollMs: 20 });
    expect(end.how).toBe('done');
    expect(began[0]).toBe('posts');
    expect(began.at(-1)).toBe('paint');
    expect(began).toHaveLength(4);
    const { state } = await load(relay.context, plannedId('fence', 'paint'));
    expect(state.status).toBe('done');
  });

  test('has the order of its plan and of its crew, whatever their names are', async () => {
    const relay = await openStaffetta({ store: 'memory:' });
    const began: string[] = [];
    const turn: Turn = async (post) => {
      began.push(`${post.task} with ${post.agent.name}`);
      await hands(post);
    };
    const { plan } = fence();
    const tasks = { wall: { goal: 'A wall.' }, arch: { goal: 'An arch.' }, door: { goal: 'A door.' } };
    const agents = { zoe: { lane: 'execute' }, ada: { lane: 'execute' } } as const;
    const document = fence({ plan: { ...plan, tasks }, crew: { strategy: 'sequential', agents } });
    await openRun(relay.context, document, { by: eve, why: 'Spring.' });
    await supervise(siteOf(relay.context, turn), 'fence', { pollMs: 20 });
    expect(began).toEqual(['wall with zoe', 'arch with zoe', 'door with zoe']);
  });

  test('knows of every task also where the store was too busy to be asked for one of them', async () => {
    const { context } = await openStaffetta({ store: 'memory:' });
    const document = fence();
    await openRun(context, document, { by: eve, why: 'Spring.' });
    await supervise(siteOf(context, hands), 'fence', { pollMs: 20 });
    const posts = plannedId('fence', 'posts');
    let isBusy = true;
    const { store } = context;
    const head: typeof store.journal.head = async (task) => {
      if (task === posts && isBusy) throw new StaffettaError('store-busy', 'The store is busy.');
      return await store.journal.head(task);
    };
    const journal = new Proxy(store.journal, {
      get: (target, name): unknown => (name === 'head' ? head : Reflect.get(target, name)),
    });
    const watch = new RunWatch({ ...context, store: { ...store, journal } }, 'fence');
    await watch.begin();
    const tasks = plannedTasks(document.plan, document.crew);
    const names = tasks.map(({ name }) => name);
    await expect(watch.know(names, chartOf(tasks))).rejects.toThrow('busy');
    isBusy = false;
    await watch.know(names, chartOf(tasks));
    expect(watch.statuses.get('posts')).toBe('done');
    expect(watch.isOver).toBe(true);
  });

  test('that was cancelled when nobody supervised it has nothing left once somebody looks', async () => {
    const { context } = await openStaffetta({ store: 'memory:' });
    const { crew } = fence();
    await openRun(context, fence({ crew: { ...crew, strategy: 'manual' } }), { by: eve, why: 'Spring.' });
    const site = siteOf(context, hands);
    expect((await supervise(site, 'fence', { pollMs: 20, untilIdle: true })).how).toBe('idle');
    await cancel(context, runId('fence'), 'Enough.', { by: eve });
    const { how, statuses } = await supervise(site, 'fence', { pollMs: 20 });
    expect(how).toBe('cancelled');
    expect([...statuses.values()]).toEqual(Array(4).fill('cancelled'));
  });

  test('takes no time for silence that an agent was not yet, or not, at work', async () => {
    const { context: plain } = await openStaffetta({ store: 'memory:' });
    let ahead = 0;
    const clock = { now: () => plain.clock.now() + ahead, sleep: plain.clock.sleep.bind(plain.clock) };
    const context = { ...plain, clock };
    const { plan, crew } = fence();
    const posts = { goal: 'Posts stand.', retry: { times: 0 } };
    const document = fence({
      plan: { ...plan, tasks: { posts } },
      crew: { ...crew, limits: { legMs: 8000, stallMs: 4000 } },
    });
    await openRun(context, document, { by: eve, why: 'Spring.' });
    const site = siteOf(context, hands);
    const employ: typeof site.employ = async (post) => {
      ahead += 9000;
      return await site.employ(post);
    };
    const failed: string[] = [];
    const onChange: SuperviseOptions['onChange'] = (sight) =>
      failed.push(...sight.failed.map(({ why }) => why));
    const end = await supervise({ ...site, employ }, 'fence', { pollMs: 20, onChange, untilIdle: true });
    expect([end.how, failed]).toEqual(['done', []]);
  });

  test('starts what a dead predecessor held before it can say that nothing moves', async () => {
    const relay = await openStaffetta({ store: 'memory:' });
    await openRun(relay.context, fence(), { by: eve, why: 'Spring.' });
    const begun = Promise.withResolvers<void>();
    const stuck = async (): Promise<void> => {
      begun.resolve();
      await new Promise(() => {});
    };
    void supervise(siteOf(relay.context, stuck), 'fence', { pollMs: 20 }).catch(() => {});
    await begun.promise;
    const next = {
      ...siteOf(relay.context, hands),
      session: 'there',
      isGone: async () => await Promise.resolve(true),
    };
    expect((await supervise(next, 'fence', { pollMs: 20, untilIdle: true })).how).toBe('done');
  });

  test('has each task looked at by somebody else where the contract says so', async () => {
    const relay = await openStaffetta({ store: 'memory:' });
    const document = fence();
    const plan = {
      ...document.plan,
      defaults: { acceptance: ['It stands.'], review: { owner: 'lane:audit' as const } },
    };
    await openRun(relay.context, { ...document, plan }, { by: eve, why: 'Spring.' });
    const posts: string[] = [];
    const turn: Turn = async (post) => {
      posts.push(`${post.for} ${post.task}`);
      await hands(post);
    };
    const end = await supervise(siteOf(relay.context, turn), 'fence', { pollMs: 20 });
    expect(end.how).toBe('done');
    expect(posts.filter((post) => post.startsWith('review'))).toHaveLength(4);
  });

  test('has a long lease in a store that is far away, and nobody waits for it where its supervisor ended or is gone', async () => {
    const relay = await openStaffetta({ store: 'memory:' });
    const context = { ...relay.context, store: { ...relay.store, leaseMs: 300_000 } };
    const { state } = await openRun(context, fence(), { by: eve, why: 'Spring.' });
    const leases: number[] = [];
    const stop = new AbortController();
    const stopping: Turn = async (post) => {
      const { lease } = await load(context, state.task);
      leases.push((lease?.until ?? 0) - context.clock.now());
      stop.abort();
      await hands(post);
    };
    const first = siteOf(context, stopping);
    expect((await supervise(first, 'fence', { pollMs: 20, signal: stop.signal })).how).toBe('stopped');
    expect(leases[0]).toBeGreaterThan(290_000);
    // One that cannot go on says so on its way out.
    const broken: CrewSite = { ...siteOf(context, hands), session: 'broken' };
    await expect(supervise(broken, 'fence', { pollMs: 20, onChange })).rejects.toThrow(
      'the terminal is gone',
    );
    // One that was killed says nothing, and is seen to be gone by others on its machine.
    const dead = await takeRun({ ...siteOf(context, hands), session: 'dead' }, 'fence', { pollMs: 20 });
    if ('how' in dead) throw new Error('the run was over');
    await dead.lease.release();
    const last: CrewSite = { ...siteOf(context, hands), isGone: async (session) => session === 'dead' };
    expect((await supervise(last, 'fence', { pollMs: 20 })).how).toBe('done');
    await relay.close();
  });

  test.each([
    [3, 'starts a reviewer again whose program ends', 'done'],
    [4, 'asks a person where a reviewer cannot look again and again', 'escalated'],
  ])('%i times: %s', async (times, _what, status) => {
    const { context: plain } = await openStaffetta({ store: 'memory:' });
    let ahead = 0;
    const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
      ahead += ms;
      await plain.clock.sleep(1, signal);
    };
    const context = { ...plain, clock: { now: () => plain.clock.now() + ahead, sleep } };
    const { plan } = fence();
    const defaults = { acceptance: ['It stands.'], review: { owner: 'lane:audit' as const } };
    const posts = { goal: 'Posts stand.' };
    await openRun(context, fence({ plan: { ...plan, defaults, tasks: { posts } } }), {
      by: eve,
      why: 'Spring.',
    });
    let looks = 0;
    const turn: Turn = async (post) => {
      looks += post.for === 'review' ? 1 : 0;
      if (post.for === 'review' && looks <= times) throw new Error('no route to the model');
      await hands(post);
    };
    await supervise(siteOf(context, turn), 'fence', { pollMs: 20, untilIdle: true });
    const { state } = await load(context, plannedId('fence', 'posts'));
    expect(state.status).toBe(status);
    expect(looks).toBe(4);
    expect(state.escalation?.text.includes('no route to the model') ?? false).toBe(status === 'escalated');
  });

  test('is given up by a supervisor that nobody told that its lease is over, once another has it', async () => {
    const { context: plain } = await openStaffetta({ store: 'memory:' });
    let ahead = 0;
    const clock = { now: () => plain.clock.now() + ahead, sleep: plain.clock.sleep.bind(plain.clock) };
    const mute = { keep: () => ({ lost: new AbortController().signal, release: () => {} }) };
    const context = { ...plain, clock, store: { ...plain.store, renewer: mute } };
    const { crew } = fence();
    await openRun(context, fence({ crew: { ...crew, strategy: 'manual' } }), { by: eve, why: 'Spring.' });
    const [begun, quiet] = [0, 1].map(() => Promise.withResolvers<unknown>());
    const first = supervise(siteOf(context, hands), 'fence', {
      pollMs: 20,
      onChange: () => begun?.resolve(0),
      onQuiet: ({ waits }, ms) => quiet?.resolve([ms >= 60_000, waits().map(({ task, on }) => [task, on])]),
    });
    await begun?.promise;
    const other: CrewSite = { ...siteOf(context, hands), session: 'other' };
    // Another one says that it waits for the first, until it is told to stop.
    const early = new AbortController();
    const waiting = { pollMs: 20, signal: early.signal, onHeld: () => early.abort() };
    await expect(supervise(other, 'fence', waiting)).rejects.toMatchObject({ code: 'interrupted' });
    // And the first says that what it waits for is a person.
    ahead = 60_000;
    expect(await quiet?.promise).toEqual([
      true,
      expect.arrayContaining([
        ['posts', 'start'],
        ['gate', 'needs'],
      ]),
    ]);
    const stop = new AbortController();
    const second = supervise(other, 'fence', { pollMs: 20, signal: stop.signal });
    await expect(first).rejects.toMatchObject({ code: 'stale-generation' });
    stop.abort();
    expect((await second).how).toBe('stopped');
  });

  test('waits for a person between phases where the plan asks for one', async () => {
    const relay = await openStaffetta({ store: 'memory:' });
    const began: string[] = [];
    const turn: Turn = async (post) => {
      began.push(post.task);
      await hands(post);
    };
    const plan = {
      goal: 'A fence stands.',
      phases: [{ name: 'dig', human: true as const }, { name: 'build' }],
      defaults: { acceptance: ['It stands.'] },
      tasks: {
        holes: { goal: 'Holes are dug.', phase: 'dig' },
        posts: { goal: 'Posts stand.', phase: 'build' },
      },
    };
    const { state } = await openRun(relay.context, fence({ plan }), { by: eve, why: 'Spring.' });
    const run = supervise(siteOf(relay.context, turn), 'fence', { pollMs: 20 });
    while (waitingPhase((await load(relay.context, state.task)).state) === undefined)
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(began).toEqual(['holes']);
    await approvePhase(relay.context, state.task, { phase: 'dig' }, { by: eve });
    expect((await run).how).toBe('done');
    expect(began).toEqual(['holes', 'posts']);
  });

  test('agrees on other phases with the plan that has them, while it goes on', async () => {
    const relay = await openStaffetta({ store: 'memory:' });
    const began: string[] = [];
    const turn: Turn = async (post) => {
      began.push(post.task);
      await hands(post);
    };
    const defaults = { acceptance: ['It stands.'] };
    const dig = { name: 'dig', human: true as const };
    const holes = { goal: 'Holes are dug.', phase: 'dig' };
    const first = { goal: 'A fence stands.', phases: [dig], defaults, tasks: { holes } };
    const { state } = await openRun(relay.context, fence({ plan: first }), { by: eve, why: 'Spring.' });
    const run = supervise(siteOf(relay.context, turn), 'fence', { pollMs: 20 });
    while (waitingPhase((await load(relay.context, state.task)).state) === undefined)
      await new Promise((resolve) => setTimeout(resolve, 10));
    const posts = { goal: 'Posts stand.', phase: 'build' };
    const plan = { ...first, phases: [dig, { name: 'build' }], tasks: { holes, posts } };
    await openRun(relay.context, fence({ plan }), { by: eve, why: 'More.' });
    await approvePhase(relay.context, state.task, { phase: 'dig' }, { by: eve });
    expect((await run).how).toBe('done');
    expect(began).toEqual(['holes', 'posts']);
    const { phases } = (await load(relay.context, state.task)).state;
    expect(phases.map(({ name, status }) => `${name} ${status}`)).toEqual(['dig verified', 'build verified']);
  });

  test('goes on with a task whose plan no longer asks for what was lost', async () => {
    const { context } = await openStaffetta({ store: 'memory:' });
    const { plan } = fence();
    const posts = { goal: 'Posts stand.', retry: { times: 0 } };
    const rails = { goal: 'Rails are on.' };
    const gate = { goal: 'A gate hangs.', needs: ['posts', 'rails'] };
    await openRun(context, fence({ plan: { ...plan, tasks: { posts, rails, gate } } }), {
      by: eve,
      why: 'Spring.',
    });
    const site = siteOf(context, failing);
    expect((await supervise(site, 'fence', { pollMs: 20, untilIdle: true })).how).toBe('idle');
    expect((await load(context, plannedId('fence', 'gate'))).state.status).toBe('escalated');
    const tasks = { rails, gate: { ...gate, needs: ['rails'] } };
    await openRun(context, fence({ plan: { ...plan, tasks } }), { by: eve, why: 'Without posts.' });
    expect((await supervise(site, 'fence', { pollMs: 20, untilIdle: true })).how).toBe('done');
  });

  test('ends a leg when the time of its task is used up, counted over all legs, and asks a person', async () => {
    const { context: plain } = await openStaffetta({ store: 'memory:' });
    const clock = new HandClock(plain.clock.now());
    const context = { ...plain, clock };
    const { plan, crew } = fence();
    const posts = { goal: 'Posts stand.', budget: { ms: 20_000 } };
    const limited = { ...crew, limits: { legMs: 15_000 } };
    await openRun(context, fence({ plan: { ...plan, tasks: { posts } }, crew: limited }), {
      by: eve,
      why: 'Spring.',
    });
    const began: number[] = [];
    const site = siteOf(context, hands);
    const employ: typeof site.employ = async (post) => {
      const runner = functionRunner(async ({ signal }) => {
        began.push(clock.now());
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      });
      return { ...(await site.employ(post)), runner };
    };
    const over = new AbortController();
    const run = supervise({ ...site, employ }, 'fence', { pollMs: 20, untilIdle: true }).finally(() =>
      over.abort(),
    );
    while (!over.signal.aborted) await clock.advance(100);
    await run;
    const { state } = await load(context, plannedId('fence', 'posts'));
    expect([began.length, state.status, state.escalation?.reason]).toEqual([2, 'escalated', 'budget']);
    expect(clock.now() - (began[1] ?? 0)).toBeLessThan(10_000);
  });

  test('starts who waited in one entry with what was met, and frees the others when it has time', async () => {
    const { context } = await openStaffetta({ store: 'memory:' });
    const { crew } = fence();
    const one = { ...crew, limits: { parallel: 1 } };
    const held = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    const turn: Turn = async (post) => {
      await hands(post);
      if (post.task !== 'gate') return;
      entered.resolve();
      await held.promise;
    };
    await openRun(context, fence({ crew: one }), { by: eve, why: 'Spring.' });
    const run = supervise(siteOf(context, turn), 'fence', { pollMs: 20 });
    await entered.promise;
    const page = await context.store.journal.read(plannedId('fence', 'gate'), 0, 9);
    const types = page.map((stored) =>
      openEntry(stored)
        .events.map(({ type }) => type)
        .join(' '),
    );
    expect(types[1]).toBe('need-met leg-started');
    while ((await load(context, plannedId('fence', 'rails'))).state.status !== 'offered')
      await new Promise((resolve) => setTimeout(resolve, 10));
    held.resolve();
    expect((await run).how).toBe('done');
  });
});
