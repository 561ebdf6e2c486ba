/** Each strategy in a run of the same plan, in which it differs from the others; and routers that answer, or do not. */
import { expect, test } from 'vitest';
import { runnersHere } from '../../src/compose/runners.ts';
import type { Crew, CrewAgent, Strategy } from '../../src/core/plan/crew.ts';
import { plannedTasks } from '../../src/core/plan/work-plan.ts';
import { runId } from '../../src/crew/run-names.ts';
import { readRun, type RunRecord } from '../../src/crew/run-record.ts';
import type { CrewSite } from '../../src/crew/site.ts';
import { askRouter } from '../../src/crew/steering/front-door.ts';
import { crewSite } from '../../src/desk/crew/site.ts';
import { openStaffetta, type Staffetta } from '../../src/index.ts';
import type { CrewOptions, CrewRun } from '../../src/library/crew.ts';

const acceptance = ['It stands.'];
const goal = { goal: 'It is there.', acceptance };

interface Ran {
  /** Who worked on what, as each began. */
  readonly legs: readonly string[];
  /** How many at once, at most. */
  readonly most: number;
}

/** Four tasks without needs; `ada` may hand on to `ben` alone. Each leg waits until no other begins. */
async function ranWith(
  options: CrewOptions,
  steered?: (run: CrewRun, relay: Staffetta) => Promise<void>,
): Promise<Ran> {
  const relay = await openStaffetta({ store: 'memory:', as: { name: 'eve', kind: 'human' } });
  const crew = relay.crew({ parallel: 2, ...options });
  const legs: string[] = [];
  let [now, most] = [0, 0];
  const work = async (name: string): Promise<void> => {
    now += 1;
    most = Math.max(most, now);
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    legs.push(name);
    now -= 1;
  };
  const ada = crew.agent('ada', { lane: 'execute', count: 2 }, async (leg) => {
    await work(`${leg.contract.title} ada`);
    await leg.acknowledge();
    if (options.strategy === 'handoff') await leg.handoff({ to: 'agent:ben', claims: { next: 'Go on.' } });
  });
  const ben = crew.agent('ben', { lane: 'execute', count: 2 }, async (leg) => {
    await work(`${leg.contract.title} ben`);
  });
  ada.to(ben);
  const tasks = Object.fromEntries(
    ['a', 'b', 'c', 'd'].map((title) => [title, { ...goal, title, kind: title < 'c' ? 'early' : 'late' }]),
  );
  const run = await crew.run({ name: 'same', tasks });
  await steered?.(run, relay);
  expect((await run.done).how).toBe('done');
  return { legs: legs.toSorted(), most };
}

const both = (names: string): string[] =>
  ['a', 'b', 'c', 'd'].map((title, n) => `${title} ${names.split(' ')[n]}`);

const cases: readonly [
  Strategy,
  { readonly legs: readonly string[]; readonly most: number; readonly options?: CrewOptions },
][] = [
  // The first of the lane has room for as many as there may be.
  ['parallel', { legs: both('ada ada ada ada'), most: 2 }],
  ['sequential', { legs: both('ada ada ada ada'), most: 1 }],
  ['round-robin', { legs: both('ada ben ada ben'), most: 2 }],
  [
    'router',
    {
      legs: both('ben ben ada ada'),
      most: 2,
      options: { routes: [{ agent: 'ben', label: ['early'] }, { agent: 'ada' }] },
    },
  ],
  ['handoff', { legs: [...both('ada ada ada ada'), ...both('ben ben ben ben')].toSorted(), most: 2 }],
];

test.each(cases)('%s', async (strategy, { options, ...ran }) => {
  expect(await ranWith({ strategy, ...options })).toEqual(ran);
});

test('manual: nothing starts before a person says so, and with whom', async () => {
  const ran = await ranWith({ strategy: 'manual' }, async (run, relay) => {
    while ((await relay.list({ lane: 'execute' })).cards.length < 4)
      await new Promise((resolve) => setTimeout(resolve, 5));
    await run.give('c', 'ben', 'First.');
    while ((await relay.list({ statuses: ['done'] })).cards.length === 0)
      await new Promise((resolve) => setTimeout(resolve, 5));
    for (const task of ['a', 'b', 'd']) await run.give(task, null, 'Now.');
  });
  expect(ran.legs).toEqual(both('ada ada ben ada'));
});

test('a router is asked once for each task; what it answers badly waits for a person, and the rest goes on', async () => {
  const asked: string[] = [];
  const answers: Record<string, unknown> = {
    a: { agent: 'ben', why: 'Ben likes it.' },
    b: '{"agent":"ada"}',
    c: { agent: 'zoe' },
  };
  const router = async ({ task }: { readonly task: string }): Promise<string> => {
    asked.push(task);
    if (task === 'd') throw new Error('no model');
    return await Promise.resolve(answers[task] as string);
  };
  let routed: RunRecord['routed'] = new Map();
  const ran = await ranWith({ strategy: 'router', router }, async (run, relay) => {
    while (routed.size < 4) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      ({ routed } = await readRun(relay.context, runId('same')));
    }
    await run.give('c', 'ben', 'Zoe is away.');
    await run.give('d', 'ada', 'No model.');
  });
  expect(asked.toSorted()).toEqual(['a', 'b', 'c', 'd']);
  expect(ran.legs).toEqual(both('ben ada ben ada'));
  const found = [...routed.values()];
  expect(found.map(({ agent }) => agent ?? 'nobody').toSorted()).toEqual(['ada', 'ben', 'nobody', 'nobody']);
  const whys = found.map(({ why }) => why).join('\n');
  expect(whys).toContain('it names zoe, who is not in the lane execute of the crew.');
  expect(whys).toContain('no model');
  expect(whys).toContain('In the lane execute: ada, ben.');
});

/** Says what it was asked, and answers with the agent that is in its environment, in a block as models write them. */
const speaking = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { type, access, prompt } = JSON.parse(line);
  if (type === 'open') globalThis.access = access;
  if (type !== 'turn') return;
  const { task } = JSON.parse(/^{.*}$/m.exec(prompt)[0]);
  const answer = JSON.stringify({ agent: task === 'a' ? 'ben' : 'zoe', why: globalThis.access });
  console.log(JSON.stringify({ type: 'said', text: 'So:\\n\`\`\`json\\n' + answer + '\\n\`\`\`' }));
  console.log(JSON.stringify({ type: 'over' }));
});`;

async function siteWith({ context }: Staffetta, crew: Crew): Promise<CrewSite> {
  return await crewSite({
    context,
    folder: null,
    home: undefined,
    env: process.env,
    crew: () => crew,
    runners: await runnersHere({ PATH: '' }),
    runtimes: [],
    commands: '',
  });
}

test.each(['command', 'agent'])('a router that is a %s is asked in words, and looks only', async (kind) => {
  const relay = await openStaffetta({ store: 'memory:' });
  const command = [process.execPath, '-e', speaking];
  const ben: CrewAgent = { lane: 'execute', command: ['ben'] };
  const crew: Crew = {
    strategy: 'router',
    agents: kind === 'agent' ? { ben, boss: { lane: 'plan', command } } : { ben },
    router: kind === 'agent' ? { agent: 'boss' } : { command },
  };
  const site = await siteWith(relay, crew);
  const plan = { goal: 'Two', tasks: { a: goal, b: goal } };
  const [first, second] = plannedTasks(plan, crew).map(
    async (task) =>
      await askRouter(site, { v: 1, name: 'same', plan, crew }, task, new AbortController().signal),
  );
  expect(await first).toEqual({ agent: 'ben', why: expect.stringContaining('look') as string });
  expect(await second).toMatchObject({ agent: null, why: expect.stringContaining('zoe') as string });
});

test('a router that does not speak the protocol is told so', async () => {
  const relay = await openStaffetta({ store: 'memory:' });
  const router = { command: [process.execPath, '-e', "console.log('ben')"] };
  const crew: Crew = { strategy: 'router', agents: { ben: { lane: 'execute', command: ['ben'] } }, router };
  const plan = { goal: 'One', tasks: { a: goal } };
  const [task] = plannedTasks(plan, crew);
  if (task === undefined) throw new Error('no task');
  const site = await siteWith(relay, crew);
  const { why } = await askRouter(
    site,
    { v: 1, name: 'same', plan, crew },
    task,
    new AbortController().signal,
  );
  expect(why).toContain(
    'it said nothing that is understood: 1 line in another form than docs/crew-lines.md has.',
  );
});
