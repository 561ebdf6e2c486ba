// `npm run simulate`: a piece of the peak hour of a day with a million tasks, on this machine, and what came of it. Ends with 1 if anything did not hold.
//   --minutes N     how long tasks come, 2 unless told
//   --scale N       of the peak's rate, 0.05 unless told: 58 tasks a second are 1
//   --store URL     an empty store; a SQLite file of its own unless told
//   --processes N   client processes, 4 unless told
//   --seed N
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { parseEntry } from '../src/core/journal/entry.ts';
import { allCards } from '../src/handoff/record/all-tasks.ts';
import { openStaffetta, type Staffetta } from '../src/library/staffetta.ts';
import { machine } from './machine.ts';
import type { ClientLine, ClientOrder } from './children/simulate-client.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    scale: { type: 'string', default: '0.05' },
    processes: { type: 'string', default: '4' },
    store: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});
const [minutes, scale, processes] = [above0('minutes'), above0('scale'), Math.ceil(above0('processes'))];

/** A million tasks a day, five times as many in the busiest hour; four legs of ten minutes each, and six entries a leg. */
const peak = { tasksPerSecond: (1e6 / 86_400) * 5, legs: 4, legMs: 600_000 };
const runMs = minutes * 60_000;
/** As an hour is to the time that is played, so is a leg: holders at once are those of the peak, times the scale, times this. */
const legMs = peak.legMs * (minutes / 60);
const leaseMs = Math.max(4000, legMs / 2);
const kills = Math.min(5, Math.ceil(minutes * 2));
const folder = mkdtempSync(join(tmpdir(), 'staffetta-simulate-'));
const store = values.store ?? join(folder, 'store.db');

function above0(name: 'minutes' | 'scale' | 'processes' | 'seed'): number {
  const value = Number(values[name]);
  if (Number.isFinite(value) && value > 0) return value;
  throw new Error(`--${name} takes a number above 0, not ${values[name]}`);
}

const lines: ClientLine[] = [];
const living = new Set<ChildProcess>();
let started = 0;

function start(openMs: number): void {
  started += 1;
  const order: ClientOrder = {
    store,
    name: `m${started}`,
    tasksPerSecond: (peak.tasksPerSecond * scale) / processes,
    openMs,
    legMs,
    leaseMs,
    dying: 0.01,
    sleeping: 0.001,
    seed: above0('seed') * 1000 + started,
  };
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'children/simulate-client.ts'), JSON.stringify(order)],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  living.add(child);
  child.once('exit', () => living.delete(child));
  child.stdin.on('error', () => {});
  createInterface({ input: child.stdout }).on('line', (line) => {
    // A process that was killed may have said half a line.
    if (line.endsWith(']')) lines.push(JSON.parse(line) as ClientLine);
  });
}

const count = (kind: ClientLine[0]): number => lines.filter(([what]) => what === kind).length;

function quantile(values: readonly number[], share: number): number {
  const inOrder = values.toSorted((a, b) => a - b);
  return inOrder[Math.min(inOrder.length - 1, Math.floor(inOrder.length * share))] ?? 0;
}

function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}

async function play(): Promise<number> {
  for (let n = 0; n < processes; n += 1) start(runMs);
  while (count('ready') < processes && living.size === processes) await sleep(20);
  const began = performance.now();
  for (let n = 1; n <= kills; n += 1) {
    await sleep(runMs / (kills + 1));
    const [victim] = living;
    victim?.kill('SIGKILL');
    start(Math.max(0, runMs - (performance.now() - began)));
  }
  await sleep(Math.max(0, runMs - (performance.now() - began)));
  return performance.now() - began;
}

/** Until every task has ended, or nothing has moved for as long as a lease and a leg may take. */
async function drain(relay: Staffetta): Promise<void> {
  for (let [seen, since] = [0, performance.now()]; performance.now() - since < 3 * (leaseMs + legMs);) {
    await sleep(1000);
    const { cards } = await relay.store.catalog.list({
      statuses: ['offered', 'held', 'lapsed', 'rework'],
      limit: 1,
    });
    if (cards.length === 0) return;
    if (lines.length !== seen) [seen, since] = [lines.length, performance.now()];
  }
}

interface Journals {
  readonly pickups: readonly number[];
  readonly appends: number;
  readonly faults: readonly string[];
}

/** What must hold, asked of the store alone: the feed has every entry once, what was acknowledged is in it, every generation has one holder, and every task has ended. */
async function audit(relay: Staffetta): Promise<Journals> {
  const faults: string[] = [];
  const seqs = new Map<string, number>();
  const holders = new Map<string, string>();
  const offered = new Map<string, number>();
  const pickups: number[] = [];
  let appends = 0;
  for (let after = 0; ;) {
    const page = await relay.store.catalog.feed(after, 500);
    if (page.length === 0) break;
    for (const { task, seq, body, position } of page) {
      after = position;
      appends += 1;
      if (seq !== (seqs.get(task) ?? -1) + 1)
        faults.push(`${task}: the feed has ${seq} after ${seqs.get(task)}`);
      seqs.set(task, seq);
      const { at, by, events } = parseEntry(body);
      for (const event of events) {
        if (event.type === 'offer-made') offered.set(task, Math.max(at, event.notBefore ?? 0));
        if (event.type !== 'leg-started') continue;
        const key = `${task}/${event.generation}`;
        if (holders.has(key)) faults.push(`${key} was held by ${holders.get(key)} and by ${by.name}`);
        holders.set(key, by.name);
        pickups.push(at - (offered.get(task) ?? at));
      }
    }
  }
  for (const line of lines) {
    if (line[0] === 'stored' && line[2] > (seqs.get(line[1]) ?? -1))
      faults.push(`${line[1]} lost entry ${line[2]}`);
    if (line[0] === 'opened' && !seqs.has(line[1])) faults.push(`${line[1]} was opened and is not there`);
    if (line[0] === 'failed') faults.push(line[1]);
  }
  for await (const { task, status } of allCards(relay.context, () => {}))
    if (status !== 'done') faults.push(`${task} is ${status}`);
  const { faults: broken } = await relay.verify();
  faults.push(...broken.map(({ text }) => text));
  return { pickups, appends, faults };
}

function bytesOf(place: string): number {
  return readdirSync(place).reduce((sum, name) => sum + statSync(join(place, name)).size, 0);
}

function say(rows: readonly (readonly [string, string])[]): void {
  for (const [what, text] of rows) process.stdout.write(`  ${what.padEnd(34)} ${text}\n`);
}

const rate = peak.tasksPerSecond * scale;
process.stdout.write(`A piece of the peak hour: ${minutes} minutes at ${scale} of its rate\n`);
say([
  ['tasks a second', `${rate.toFixed(2)} of ${peak.tasksPerSecond.toFixed(1)}`],
  ['a leg lasts', `${(legMs / 1000).toFixed(1)} s on average, instead of ten minutes`],
  ['a lease', `${(leaseMs / 1000).toFixed(1)} s, renewed three times in it`],
  ['client processes', `${processes}, of which ${kills} are killed, one after the other`],
  ...machine(folder),
]);
const relay = await openStaffetta({ store, as: 'watcher', gate: 'record' });
try {
  const playedMs = await play();
  const during = lines.length;
  await drain(relay);
  for (const child of living) child.stdin?.end('over\n');
  while (living.size > 0) await sleep(50);
  const { pickups, appends, faults } = await audit(relay);
  const tasks = count('opened');
  const times = lines.flatMap((line) => (line[0] === 'stored' ? [line[3]] : []));
  const seconds = playedMs / 1000;
  process.stdout.write('What came of it\n');
  say([
    ['tasks opened, and done', `${tasks}, ${count('done')}`],
    [
      'entries',
      `${appends}, ${(appends / seconds).toFixed(0)} a second; ${(appends / Math.max(1, tasks)).toFixed(1)} a task`,
    ],
    ['lines of acknowledgement', `${during} while tasks came`],
    ['a change, p50 and p99', `${ms(quantile(times, 0.5))}, ${ms(quantile(times, 0.99))}`],
    ['from offer to holder, p50 and p99', `${ms(quantile(pickups, 0.5))}, ${ms(quantile(pickups, 0.99))}`],
    [
      'holders that died, and slept',
      `${count('died')}, ${count('slept')}; ${count('fenced')} of them tried to write later and were refused`,
    ],
    ['legs that lapsed under a worker', `${count('lapsed')}`],
    ...(values.store === undefined
      ? ([['bytes a task', `${Math.round(bytesOf(folder) / Math.max(1, tasks))}`]] as const)
      : []),
  ]);
  process.stdout.write(
    'Not run: the rest of the hour and of the rate; more than one machine, so no network between them; a store that holds a million tasks before; agents, their programs and their transcripts, of which a leg has 2 KB here; the server of a database killed; a bell that loses and repeats (npm test does).\n',
  );
  for (const fault of faults.slice(0, 20)) process.stdout.write(`FAULT ${fault}\n`);
  process.stdout.write(
    faults.length === 0
      ? 'Nothing was lost, every generation had one holder, the feed has every entry once, every task is done.\n'
      : `${faults.length} faults\n`,
  );
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await relay.store.close();
  for (const child of living) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
