import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TaskId } from '../../src/core/journal/id.ts';
import { openStaffetta, type Staffetta } from '../../src/index.ts';
import { verdict, type Section } from '../section.ts';
import { millis, times } from '../statistics.ts';

const few = 1000;
const many = 10_000;
/** Working all of the large one off would take a minute. */
const legs = 1000;
const idleMs = 8000;
const recoverMs = 30_000;
const growthMax = 1.2;
const overheadMax = 1.3;
const idleMax = 0.01;

/** What it costs that tasks wait for each other, in time of the processor: how long the disk takes says nothing about it. */
export async function measureNeeds(scratch: string): Promise<Section> {
  const storeAt = async (name: string): Promise<Staffetta> =>
    await openStaffetta({ gate: 'record', store: join(scratch, 'needs', `${name}.db`) });
  const cost = async (name: string, tasks: number, waits: boolean): Promise<Cost> => {
    const relay = await storeAt(name);
    const opened = await processorMs(async () => await openGraph(relay, tasks, waits));
    const idle = waits && tasks === many ? await idleShare(relay) : 0;
    const worked = await processorMs(async () => await workOff(relay, Math.min(legs, tasks)));
    await relay.close();
    return { ms: opened / tasks + worked / Math.min(legs, tasks), idle };
  };
  await cost('warm', 600, true);
  const small = await cost('small', few, true);
  const free = await cost('free', few, false);
  const large = await cost('large', many, true);
  const growth = large.ms / small.ms;
  const overhead = large.ms / free.ms;
  return {
    title: 'Tasks that wait for others',
    lines: [
      {
        measure: `a task of a graph of ${many}, over one of ${few}`,
        target: `≤ ${growthMax}×`,
        result: times(growth),
        spread: '',
        verdict: verdict(growth <= growthMax),
      },
      {
        measure: `a task of a graph of ${many}, over one without needs`,
        target: `≤ ${overheadMax}×`,
        result: times(overhead),
        spread: '',
        verdict: verdict(overhead <= overheadMax),
      },
      {
        measure: `an idle worker beside ${many} tasks that wait`,
        target: `≤ ${idleMax * 100} % of a core`,
        result: `${(large.idle * 100).toFixed(2)} %`,
        spread: '',
        verdict: verdict(large.idle <= idleMax),
      },
    ],
    notes: [
      `Time of the processor for one task, opened, taken, acknowledged and completed: ${millis(small.ms)} in the small graph, ${millis(large.ms)} in the large one, ${millis(free.ms)} without needs. Each task waits for one of those before it, ten for the same; of the large graph, ${legs} tasks are worked off. Without needs there are ${few}: where 10,000 offers stand open at once, finding the next costs more than waiting does. The worker looks every half second, and recovers every ${recoverMs / 1000} s.`,
    ],
  };
}

interface Cost {
  readonly ms: number;
  readonly idle: number;
}

async function processorMs(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function openGraph(relay: Staffetta, tasks: number, waits: boolean): Promise<void> {
  const opened: TaskId[] = [];
  for (let n = 0; n < tasks; n += 1) {
    const need = opened[n - 1 - (n % 10)];
    const needs = waits && need !== undefined ? { needs: [need] } : {};
    opened.push((await relay.open({ goal: `Task ${n}`, ...needs }, { as: 'ada' })).task);
  }
}

async function workOff(relay: Staffetta, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const leg = await relay.take({ as: 'ben' });
    if (leg === undefined) throw new Error(`nothing to take after ${n} of ${count} tasks`);
    await leg.acknowledge();
    await leg.complete();
  }
}

/** A worker of a lane that nothing is offered to. */
async function idleShare(relay: Staffetta): Promise<number> {
  const done = new AbortController();
  const worker = relay.worker({ name: 'zoe', kind: 'agent', lane: 'audit' }, async () => {}, { recoverMs });
  const running = worker.run(done.signal);
  // It recovers first, and what opening so many tasks left is collected.
  await sleep(2000);
  const looking = await processorMs(async () => {
    await sleep(idleMs);
  });
  done.abort();
  await running;
  const recovering = await processorMs(async () => await relay.recover());
  return looking / idleMs + recovering / recoverMs;
}
