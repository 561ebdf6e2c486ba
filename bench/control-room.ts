/** The control room under load: listeners, changes, and a board of a thousand tasks in a browser. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStaffetta } from '../src/compose/staffetta.ts';
import { browserPath, openBrowser } from '../test/browser/chromium.ts';
import { notMeasured, verdict, type Line, type Section } from './section.ts';
import { median, megabytes, millis, quantile, quartiles } from './statistics.ts';

const launcher = join(import.meta.dirname, '..', 'bin', 'staffetta.cjs');
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
        `\`staffetta up\` on an SQLite store with ${tasks} tasks. ${listeners} connections listen to all events while ${perSecond} changes a second (messages to tasks in turn) are made over HTTP for ${seconds} s, on the same machine. A change is timed from the request to its answer; an event from the request that caused it to its arrival, at every listener. Lost: an event that a listener did not get, or got twice.`,
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
  readonly process: ChildProcess;
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
    process: up,
    async close() {
      up.kill('SIGINT');
      if (up.exitCode === null) await once(up, 'exit');
    },
  };
}

/** What one listener got, by task and entry. */
interface Heard {
  readonly at: Map<string, number>;
  twice: number;
}

async function measureLoad(room: Room, names: readonly string[]): Promise<Line[]> {
  const headers = { Authorization: `Bearer ${room.token}` };
  const over = new AbortController();
  const heard: Heard[] = [];
  const reading: Promise<void>[] = [];
  for (let n = 0; n < listeners; n += 1) {
    const answer = await fetch(`${room.url}/api/events`, { headers, signal: over.signal });
    if (answer.body === null || !answer.ok) throw new Error(`A listener was refused: ${answer.status}`);
    const one: Heard = { at: new Map(), twice: 0 };
    heard.push(one);
    reading.push(listen(answer.body, one));
  }
  const memory = [residentBytes(room.process)];
  const asked = new Map<string, number>();
  const answered: number[] = [];
  const pending: Promise<void>[] = [];
  const change = async (n: number): Promise<void> => {
    const task = names[n % names.length] ?? '';
    const from = performance.now();
    const answer = await fetch(`${room.url}/api/tasks/${task}/tell`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ text: `message ${n}` }),
    });
    const { seq } = (await answer.json()) as { seq: number };
    if (!answer.ok) throw new Error(`A change was refused: ${answer.status}`);
    answered.push(performance.now() - from);
    asked.set(`${task}/${seq}`, from);
  };
  const started = performance.now();
  for (let n = 0; n < seconds * perSecond; n += 1) {
    await sleep(Math.max(0, started + (n * 1000) / perSecond - performance.now()));
    pending.push(change(n));
    if (n % (perSecond * 10) === 0) memory.push(residentBytes(room.process));
  }
  await Promise.all(pending);
  const rate = answered.length / ((performance.now() - started) / 1000);
  await sleep(2000);
  memory.push(residentBytes(room.process));
  over.abort();
  await Promise.allSettled(reading);

  const delivered: number[] = [];
  let lost = 0;
  for (const { at, twice } of heard) {
    lost += twice;
    for (const [key, from] of asked) {
      const arrived = at.get(key);
      if (arrived === undefined) lost += 1;
      else delivered.push(arrived - from);
    }
  }
  // Every task is visited once in the first seconds, which fills caches; what grows after that does not stop.
  const settled = memory[Math.floor(memory.length / 2)] ?? 0;
  const grown = (memory.at(-1) ?? 0) - settled;
  return [
    {
      measure: `events lost or repeated, of ${asked.size} to each of ${listeners} listeners`,
      target: '0',
      result: String(lost),
      spread: '',
      verdict: verdict(lost === 0),
    },
    timing(`a change, of ${rate.toFixed(0)} a second`, answered),
    timing('an event, from its request to each listener', delivered),
    {
      measure: 'memory of the server, growth over the second half of the run',
      target: 'flat',
      result: megabytes(grown),
      spread: memory.map((bytes) => (bytes / 1e6).toFixed(0)).join(', '),
      verdict: verdict(grown < 25e6),
    },
  ];
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

async function listen(body: ReadableStream<Uint8Array>, heard: Heard): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const at = performance.now();
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data: ')) continue;
      const { task, seq } = JSON.parse(line.slice(6)) as { task: string; seq: number };
      const key = `${task}/${seq}`;
      if (heard.at.has(key)) heard.twice += 1;
      heard.at.set(key, at);
    }
  }
}

function residentBytes({ pid }: ChildProcess): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(text)?.[1] ?? '0') * 1024;
  } catch {
    return 0;
  }
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
    await first.waitForSelector('.row');
    const state = await entered.storageState();
    for (let n = 0; n < boards; n += 1) {
      const context = await browser.newContext({ storageState: state });
      const page = await context.newPage();
      await page.goto(new URL('/', link).href);
      await page
        .locator('.row')
        .nth(tasks - 1)
        .waitFor({ state: 'attached' });
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
      measure: `all ${tasks} rows drawn`,
      target: '< 1000 ms',
      result: millis(median(drawn)),
      spread: quartiles(drawn, millis),
      verdict: verdict(median(drawn) < 1000),
    },
  ];
}
