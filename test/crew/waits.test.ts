/** What a run waits for, as everybody sees it. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Crew } from '../../src/core/plan/crew.ts';
import type { PlanWait } from '../../src/core/plan/plan-wait.ts';
import { openRun } from '../../src/crew/open-run.ts';
import { plannedId, runId } from '../../src/crew/run-names.ts';
import { readRun } from '../../src/crew/run-record.ts';
import type { CrewSite } from '../../src/crew/site.ts';
import { askOnTask } from '../../src/crew/steering/permission.ts';
import { givePlanned, steerRun } from '../../src/crew/steering/steer-run.ts';
import { supervise } from '../../src/crew/supervise.ts';
import { wholeInbox } from '../../src/desk/crew/run-inbox.ts';
import { RunLooks } from '../../src/desk/crew/run-overview.ts';
import type { Context } from '../../src/handoff/record/context.ts';
import { load } from '../../src/handoff/record/load.ts';
import { answer } from '../../src/handoff/verbs/outside.ts';
import { exhaustedHere } from '../../src/home/exhausted-here.ts';
import { openStaffetta } from '../../src/library/staffetta.ts';
import { functionRunner } from '../../src/runners/function.ts';
import { newFolder } from '../cli/command.ts';
import { eve, fence, hands, siteOf, type Turn } from './functions.ts';

const route = async (): Promise<string> => await Promise.resolve('nobody');

/** As people are shown it, who do not supervise it. */
async function shownIn(context: Context, run: string) {
  const looks = new RunLooks(context);
  const { rows, capped, needing } = await looks.at(runId(run));
  const inbox = (await wholeInbox(context, looks.now)).items;
  return {
    capped: capped?.why,
    needing,
    rows: rows.flatMap(({ name, stands, wait }) => (stands === 'needs you' ? [`${name} ${wait}`] : [])),
    inbox: inbox.map(({ kind, command }) => `${kind}: ${command}`),
  };
}

describe('a run', () => {
  test('shows everybody what of it waits for a person, each with what answers it', async () => {
    const { context } = await openStaffetta({ store: 'memory:' });
    const { plan, crew } = fence();
    const tasks = { posts: { goal: 'Posts stand.' }, rails: { goal: 'Rails are on.' } };
    const router = { command: ['router'] };
    const routed = fence({ plan: { ...plan, tasks }, crew: { ...crew, strategy: 'router', router } });
    await openRun(context, routed, { by: eve, why: 'Spring.' });
    const lost: CrewSite = { ...siteOf(context, hands), route };
    expect((await supervise(lost, 'fence', { pollMs: 20, untilIdle: true })).how).toBe('idle');
    const before = await shownIn(context, 'fence');
    expect(before.rows).toEqual([
      expect.stringContaining('posts waits for a person to give it to an agent: The router was asked'),
      expect.stringContaining('rails waits for a person to give it to an agent'),
    ]);
    expect(before.inbox).toContain('give: staffetta steer fence --give posts=AGENT');
    // What its agent asks is a question on the task, and the run shows it too; a cap is a question on the run.
    await givePlanned(context, 'fence', { task: 'posts', agent: 'code', why: 'It digs.' }, { by: eve });
    await steerRun(
      context,
      (await load(context, runId('fence'))).state,
      { caps: { legs: 1 }, why: 'Dear.' },
      { by: eve },
    );
    const asked = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    const asking: Turn = async (post) => {
      if (post.for !== 'work') return;
      await post.leg.acknowledge();
      await post.leg.ask('May I dig?', { options: ['allow', 'deny'] });
      asked.resolve();
      await over.promise;
    };
    const stop = new AbortController();
    const run = supervise({ ...siteOf(context, asking), route }, 'fence', {
      pollMs: 20,
      signal: stop.signal,
    });
    await asked.promise;
    await givePlanned(context, 'fence', { task: 'rails', agent: 'code', why: 'It too.' }, { by: eve });
    let now = await shownIn(context, 'fence');
    while (now.capped === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      now = await shownIn(context, 'fence');
    }
    expect(now).toMatchObject({
      capped: 'The run has used 1 of 1 leg.',
      needing: 1,
      rows: ['posts waits for a person: May I dig?'],
    });
    expect(now.inbox).toEqual(
      [plannedId('fence', 'posts'), runId('fence')].map((task) =>
        expect.stringContaining(`question: staffetta decide ${task} "ANSWER" --answer`),
      ),
    );
    over.resolve();
    stop.abort();
    await run;
  });

  test('asks again where a question for a permission is answered with other words than its two', async () => {
    const { context } = await openStaffetta({ store: 'memory:' });
    const { plan } = fence();
    const tasks = { posts: { goal: 'Posts stand.' } };
    await openRun(context, fence({ plan: { ...plan, tasks } }), { by: eve, why: 'Spring.' });
    const answers = ['yes', 'allow'];
    const granted: string[] = [];
    const asking: Turn = async (post) => {
      await hands(post);
      granted.push(await askOnTask(post, 'dig'));
    };
    const asked = new Map<number, string>();
    await supervise(siteOf(context, asking), 'fence', {
      pollMs: 20,
      onChange: () => void answerAll(),
    });
    async function answerAll(): Promise<void> {
      const { state } = await load(context, plannedId('fence', 'posts'));
      for (const { decision, question } of state.raised) {
        if (asked.has(decision)) continue;
        asked.set(decision, question);
        await answer(context, state.task, { decision, answer: answers.shift() ?? 'deny' }, { by: eve });
      }
    }
    expect(granted).toEqual(['allow']);
    expect([...asked.values()]).toEqual([
      'code asks whether it may: dig',
      'code asks whether it may: dig ("yes" is neither allow nor deny)',
    ]);
  });

  test('that is supervised, and work of it that was put down for a limit, are nothing that was left', async () => {
    const { context } = await openStaffetta({ store: 'memory:' });
    const { plan } = fence();
    const tasks = { posts: { goal: 'Posts stand.' } };
    await openRun(context, fence({ plan: { ...plan, tasks } }), { by: eve, why: 'Spring.' });
    const site = siteOf(context, hands);
    const until = context.clock.now() + 3_600_000;
    const runner = functionRunner(async ({ meet }) => await Promise.resolve(meet({ kind: 'usage', until })));
    const limited: CrewSite = { ...site, employ: async (post) => ({ ...(await site.employ(post)), runner }) };
    const stop = new AbortController();
    const limit = Promise.withResolvers<void>();
    const run = supervise(limited, 'fence', {
      pollMs: 20,
      signal: stop.signal,
      onChange: ({ stuck }) => {
        if (stuck().some(({ on }) => on === 'account')) limit.resolve();
      },
    });
    await limit.promise;
    expect((await shownIn(context, 'fence')).inbox).toEqual([]);
    stop.abort();
    await run;
    // Nobody supervises it now: that is what was left, and not each of its tasks.
    expect((await shownIn(context, 'fence')).inbox).toEqual(['left: staffetta run --name fence']);
  });

  test('starts nobody in a program whose account another run of the store found exhausted', async () => {
    const { context } = await openStaffetta({ store: join(newFolder(), 'store.db') });
    const until = context.clock.now() + 3_600_000;
    const { plan } = fence();
    const tasks = { posts: { goal: 'Posts stand.' } };
    const crew: Crew = { agents: { code: { lane: 'execute', runtime: ['codex'] } } };
    const site: CrewSite = { ...siteOf(context, hands), exhausted: exhaustedHere(context.store) };
    const limited: CrewSite = {
      ...site,
      employ: async (post) => {
        const runner = functionRunner(
          async ({ meet }) => await Promise.resolve(meet({ kind: 'usage', until })),
        );
        return { ...(await site.employ(post)), runner };
      },
    };
    await openRun(context, fence({ plan: { ...plan, tasks }, crew }), { by: eve, why: 'Spring.' });
    const first = new AbortController();
    const over = supervise(limited, 'fence', {
      pollMs: 20,
      signal: first.signal,
      onChange: ({ stuck }) => stuck().some(({ on }) => on === 'account') && first.abort(),
    });
    expect((await over).how).toBe('stopped');
    const second = { ...fence({ plan: { ...plan, tasks }, crew }), name: 'hedge' };
    await openRun(context, second, { by: eve, why: 'Spring.' });
    const began: string[] = [];
    const stop = new AbortController();
    const watched: CrewSite = {
      ...site,
      employ: async (post) => {
        began.push(post.task);
        return await site.employ(post);
      },
    };
    let waits: readonly PlanWait[] = [];
    await supervise(watched, 'hedge', {
      pollMs: 20,
      signal: stop.signal,
      onChange: (sight) => {
        waits = sight.waits();
        if (began.length > 0 || waits.some(({ on }) => on === 'account')) stop.abort();
      },
    });
    expect(began).toEqual([]);
    expect(waits).toEqual([{ task: 'posts', on: 'account', who: ['codex'], until }]);
    expect((await new RunLooks(context).at(runId('hedge'))).rows[0]).toMatchObject({ until });
  });

  test('stops at once while a router is asked, who is asked again by the next', async () => {
    const { context } = await openStaffetta({ store: 'memory:' });
    const { crew } = fence();
    const routed: Crew = { ...crew, strategy: 'router', router: { command: ['router'] } };
    await openRun(context, fence({ crew: routed }), { by: eve, why: 'Spring.' });
    const stop = new AbortController();
    const silent: CrewSite = {
      ...siteOf(context, hands),
      route: async (_document, _request, told) => {
        stop.abort();
        return await new Promise((resolve) => told.addEventListener('abort', resolve));
      },
    };
    const end = await supervise(silent, 'fence', { pollMs: 20, signal: stop.signal });
    expect([end.how, (await readRun(context, runId('fence'))).routed.size]).toEqual(['stopped', 0]);
  });
});
