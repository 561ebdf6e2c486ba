/** The control room under load: listeners, changes, and a board of a thousand tasks in a browser. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openStaffetta } from '../../src/library/staffetta.ts';
import { browserPath, openBrowser } from '../../test/browser/chromium.ts';
import { loadServer } from '../material/live-load.ts';
import { notMeasured, verdict, type Line, type Section } from '../section.ts';
import { soakServer } from '../soak-server.ts';
import { median, millis, quantile, quartiles } from '../statistics.ts';

const launcher = join(import.meta.dirname, '../..', 'bin', 'staffetta.cjs');
const tasks = 1000;
const listeners = 200;
const perSecond = 50;
const seconds = Number(process.env['STAFFETTA_BENCH_SECONDS'] ?? '60');
const boards = 5;

export async function measureControlRoom(scratch: string): Promise<Section> {
  const folder = join(scratch, 'control-room');
  const store = join(folder, 'store.db');
  mkdirSync(folder, { recursive: true });
  const names = await openTasks(store);
  const room = await openRoom(store, folder);
  try {
    const painted = await measureBoard(room.link);
    const loaded = await measureLoad(room, names);
    return {
      title: 'The control room',
      lines: [...loaded, ...painted],
      notes: [
        `\`staffetta up\` on an SQLite store with ${tasks} tasks. ${listeners} connections listen to all events while ${perSecond} changes a second (messages to tasks in turn) are made over HTTP for ${seconds} s, on the same machine. A change is timed from the request to its answer; an event from the request that caused it to its arrival, at every listener. Lost: an event that a listener did not get, or got twice. Memory is of a second server of 100 tasks under the same load, with one listener a second cut off; STAFFETTA_BENCH_SECONDS=600 makes it ten minutes.`,
        `First paint: the browser's own first contentful paint; drawn: when the last of the ${tasks} rows is in the page. ${boards} loads in a new context each.`,
      ],
    };
  } finally {
    await room.close();
  }
}

async function openTasks(store: string): Promise<readonly string[]> {
  const staffetta = await openStaffetta({ store, as: { name: 'ada', kind: 'human' } });
  const lanes = ['plan', 'execute', 'audit', 'supervise'] as const;
  const names: string[] = [];
  for (let n = 0; n < tasks; n += 1) {
    const lane = lanes[n % lanes.length] ?? 'execute';
    const { task } = await staffetta.open(
      { goal: `Task ${n} of a full board, with a title of usual length` },
      { to: `lane:${lane}` },
    );
    names.push(task);
  }
  await staffetta.close();
  return names;
}

interface Room {
  readonly url: string;
  readonly link: string;
  readonly token: string;
  readonly close: () => Promise<void>;
}

async function openRoom(store: string, folder: string): Promise<Room> {
  const args = ['--store', store, '--json'];
  const options = { cwd: folder, env: { ...process.env, HOME: folder } };
  const made = spawnSync(process.execPath, [launcher, 'token', 'create', ...args], {
    ...options,
    encoding: 'utf8',
  });
  const { token } = JSON.parse(made.stdout) as { token: string };
  const up = spawn(process.execPath, [launcher, 'up', '--no-open', '--port', '0', ...args], {
    ...options,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: up.stdout }), 'line')) as [string];
  const { url, link } = JSON.parse(line) as { url: string; link: string };
  return {
    url,
    link,
    token,
    async close() {
      up.kill('SIGINT');
      if (up.exitCode === null) await once(up, 'exit');
    },
  };
}

async function measureLoad(room: Room, names: readonly string[]): Promise<Line[]> {
  const { changes, lost, repeated, ratePerSecond, answeredMs, deliveredMs } = await loadServer({
    url: room.url,
    token: room.token,
    tasks: names,
    listeners,
    changesPerSecond: perSecond,
    seconds,
    timed: true,
    sample: () => {},
  });
  const soaked = await soakServer({ seconds, listeners, changesPerSecond: perSecond, seed: 1 });
  return [
    {
      measure: `events lost or repeated, of ${changes} to each of ${listeners} listeners`,
      target: '0',
      result: String(lost + repeated),
      spread: '',
      verdict: verdict(lost + repeated === 0),
    },
    timing(`a change, of ${ratePerSecond.toFixed(0)} a second`, answeredMs),
    timing('an event, from its request to each listener', deliveredMs),
    {
      measure: `heap of the server after a collection, after ${soaked.events} events over before`,
      target: 'flat',
      result: `${soaked.heapEndMb} MB over ${soaked.heapStartMb} MB`,
      spread: `resident, in quarters of the run: ${quarters(soaked.rssSamples).join(', ')}`,
      verdict: verdict(soaked.heapEndMb - soaked.heapStartMb < 10),
    },
  ];
}

function quarters(samples: readonly number[]): readonly string[] {
  return [0.25, 0.5, 0.75, 1].map((part) => `${samples[Math.ceil(samples.length * part) - 1] ?? 0} MB`);
}

function timing(measure: string, values: readonly number[]): Line {
  const p99 = quantile(values, 0.99);
  return {
    measure,
    target: 'p99 < 250 ms',
    result: millis(p99),
    spread: `p50 ${millis(median(values))}`,
    verdict: verdict(p99 < 250),
  };
}

async function measureBoard(link: string): Promise<Line[]> {
  const measure = `first paint of a board of ${tasks} tasks`;
  const path = browserPath();
  if (path === undefined) return [notMeasured(measure, '< 1000 ms', 'there is no browser here')];
  const browser = await openBrowser(path);
  const paints: number[] = [];
  const drawn: number[] = [];
  try {
    const entered = await browser.newContext();
    const first = await entered.newPage();
    await first.goto(link);
    await first.waitForSelector('main h1');
    const state = await entered.storageState();
    for (let n = 0; n < boards; n += 1) {
      const context = await browser.newContext({ storageState: state });
      const page = await context.newPage();
      await page.goto(new URL('/board', link).href);
      await page.waitForSelector('.card');
      drawn.push(await page.evaluate<number>('performance.now()'));
      paints.push(
        await page.evaluate<number>("performance.getEntriesByName('first-contentful-paint')[0].startTime"),
      );
      await context.close();
    }
  } finally {
    await browser.close();
  }
  return [
    {
      measure,
      target: '< 1000 ms',
      result: millis(median(paints)),
      spread: quartiles(paints, millis),
      verdict: verdict(median(paints) < 1000),
    },
    {
      measure: 'its first cards drawn',
      target: '< 1000 ms',
      result: millis(median(drawn)),
      spread: quartiles(drawn, millis),
      verdict: verdict(median(drawn) < 1000),
    },
  ];
}
