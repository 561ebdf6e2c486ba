import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openEntry } from '../../src/core/journal/sealed.ts';
import { plannedId } from '../../src/crew/run-names.ts';
import { openStaffetta, type Staffetta } from '../../src/index.ts';
import type { AgentWork, CrewPlan, CrewRun } from '../../src/library/crew.ts';
import { verdict, type Section } from '../section.ts';
import { median, megabytes, millis, quartiles, times } from '../statistics.ts';

const few = 1000;
const many = 10_000;
const chained = 100;
const idleMs = 8000;
const growthMax = 1.2;
const startMsMax = 50;
const rssMax = 20 * 1024 * 1024;
const idleMax = 0.01;

/** A run of a crew whose agents do nothing: what is left is the supervisor, the schedule and the store. */
export async function measureCrew(scratch: string): Promise<Section> {
  const at = async (name: string): Promise<Staffetta> =>
    await openStaffetta({ gate: 'record', store: join(scratch, 'crew', `${name}.db`) });
  await carried(await at('warm'), 300);
  const small = await carried(await at('small'), few);
  const large = await carried(await at('large'), many);
  const starts = await startDelays(await at('chain'));
  const idle = await idleShare(await at('idle'));
  const growth = large.ms / small.ms;
  return {
    title: 'A crew and its supervisor',
    lines: [
      {
        measure: `a task of a run of ${many}, over one of ${few}`,
        target: `≤ ${growthMax}×`,
        result: times(growth),
        spread: '',
        verdict: verdict(growth <= growthMax),
      },
      {
        measure: 'a need is met, and the task that waits starts',
        target: `≤ ${startMsMax} ms`,
        result: millis(median(starts)),
        spread: quartiles(starts, millis),
        verdict: verdict(median(starts) <= startMsMax),
      },
      {
        measure: `memory, over the second half of ${many} tasks`,
        target: `≤ ${megabytes(rssMax)}`,
        result: megabytes(large.rss),
        spread: '',
        verdict: verdict(large.rss <= rssMax),
      },
      {
        measure: `a supervisor of ${many} tasks of which none can start`,
        target: `≤ ${idleMax * 100} % of a core`,
        result: `${(idle * 100).toFixed(2)} %`,
        spread: '',
        verdict: verdict(idle <= idleMax),
      },
    ],
    notes: [
      `Time of the processor for one task, from the plan to done, with its briefing: ${millis(small.ms)} in the small run, ${millis(large.ms)} in the large one. Each task waits for one of those before it, ten for the same; eight agents at once, which are functions that return. From a need to a start is between two entries of the journals, in a chain of ${chained}. Memory is what the process has after its garbage was collected.`,
    ],
  };
}

const agreed = { acceptance: ['It is there.'] };

function planOf(name: string, tasks: number, need: (n: number) => number): CrewPlan {
  return {
    name,
    defaults: agreed,
    tasks: Object.fromEntries(
      Array.from({ length: tasks }, (_, n) => {
        const before = need(n);
        return [`t${n}`, { goal: `Task ${n}`, ...(before < 0 ? {} : { needs: [`t${before}`] }) }];
      }),
    ),
  };
}

async function begin(relay: Staffetta, plan: CrewPlan, work: AgentWork): Promise<CrewRun> {
  const crew = relay.crew({ parallel: 8 }, { name: 'eve', kind: 'human' });
  crew.agent('code', { lane: 'execute', count: 8 }, work);
  return await crew.run(plan);
}

async function carried(
  relay: Staffetta,
  tasks: number,
): Promise<{ readonly ms: number; readonly rss: number }> {
  let begun = 0;
  let half = 0;
  const before = process.cpuUsage();
  const run = await begin(
    relay,
    planOf('even', tasks, (n) => n - 1 - (n % 10)),
    async () => {
      begun += 1;
      if (begun === tasks / 2) half = collected();
      await Promise.resolve();
    },
  );
  const { how } = await run.done;
  if (how !== 'done') throw new Error(`the run of ${tasks} is ${how}`);
  const { user, system } = process.cpuUsage(before);
  const rss = collected() - half;
  await relay.close();
  return { ms: (user + system) / 1000 / tasks, rss };
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function collected(): number {
  collect();
  return process.memoryUsage().rss;
}

/** From the entry that ends a need to the one that starts what waits for it. */
async function startDelays(relay: Staffetta): Promise<readonly number[]> {
  const run = await begin(
    relay,
    planOf('chain', chained, (n) => n - 1),
    async () => await Promise.resolve(),
  );
  await run.done;
  const timesOf = async (n: number): Promise<{ readonly began: number; readonly done: number }> => {
    const entries = await relay.context.store.journal.read(plannedId('chain', `t${n}`), 0, 100);
    const found = { began: 0, done: 0 };
    for (const { events, at } of entries.map((stored) => openEntry(stored))) {
      if (events.some(({ type }) => type === 'leg-started')) found.began = at;
      if (events.some(({ type }) => type === 'task-done')) found.done = at;
    }
    return found;
  };
  const delays: number[] = [];
  for (let n = 1; n < chained; n += 1) delays.push((await timesOf(n)).began - (await timesOf(n - 1)).done);
  await relay.close();
  return delays;
}

/** All of them wait for one that somebody is at, and does not end. */
async function idleShare(relay: Staffetta): Promise<number> {
  const over = new AbortController();
  const run = await begin(
    relay,
    planOf('idle', many, (n) => (n === 0 ? -1 : 0)),
    async (_leg, { signal }) => {
      await new Promise((resolve) =>
        AbortSignal.any([over.signal, signal]).addEventListener('abort', resolve),
      );
    },
  );
  while ((await relay.list({ statuses: ['blocked'], limit: 1 })).cards.length === 0) await sleep(100);
  // Until all are open, and what that left is collected.
  let seen = 0;
  for await (const _change of run) {
    seen += 1;
    if (seen >= many) break;
  }
  await sleep(2000);
  const before = process.cpuUsage();
  await sleep(idleMs);
  const { user, system } = process.cpuUsage(before);
  over.abort();
  await run.stop();
  await relay.close();
  return (user + system) / 1000 / idleMs;
}
