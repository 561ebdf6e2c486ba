/**
 * Three processes carry tasks at random while one after the other is killed at a random moment, in the middle of whatever it does. After every
 * kill the store is verified while the others go on. At the end every acknowledged write must be in the journals. The seed printed
 * replays the choices (STAFFETTA_KILL_SEED), not the timing.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test, vi } from 'vitest';
import { openStaffetta, type Staffetta } from '../../src/compose/staffetta.ts';
import { parseEntry } from '../../src/core/entry.ts';
import { randomFrom, seedFrom, type Random } from './random.ts';
import { childEnvironment } from './run-child.ts';
import { holderFaults } from './stage.ts';

// Many processes: on a machine that is busy with other things they take their time.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 });

const program = join(import.meta.dirname, 'relay-child.ts');
const killsPerStore = 10;
const children = 3;
const delayMsMax = 150;

const root = mkdtempSync(join(tmpdir(), 'staffetta-kills-'));
const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

interface Runner {
  readonly child: ChildProcess;
  readonly ready: Promise<unknown>;
  readonly words: string[];
}

function start(folder: string, name: string, seed: number): Runner {
  const child = spawn(process.execPath, [program, folder, name, `${seed}`], {
    env: childEnvironment(),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  running.add(child);
  const words: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => words.push(text));
  // Ended instead of ready is seen at once below.
  const ready = Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  return { child, ready, words };
}

async function kill({ child, words }: Runner): Promise<void> {
  const closed = once(child, 'close');
  if (child.exitCode === null) child.kill('SIGKILL');
  else throw new Error(`a child ended by itself: ${words.join('')}`);
  await closed;
  running.delete(child);
  if (child.signalCode !== 'SIGKILL') throw new Error(`a child ended by itself: ${words.join('')}`);
}

async function acknowledgedAndLost(
  staffetta: Staffetta,
  folder: string,
): Promise<{ told: number; lost: string[] }> {
  const lost: string[] = [];
  let told = 0;
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.acks'))) {
    // A line cut off by the kill was not told to anybody.
    for (const line of readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1)) {
      const [task = '', seq = '', digest] = line.split(' ');
      const [stored] = await staffetta.store.journal.read(await staffetta.resolve(task), Number(seq), 1);
      told += 1;
      if (stored?.digest !== digest) lost.push(line);
    }
  }
  return { told, lost };
}

/** The bell was rung once for every effect that says so, and never without an intent. */
async function bellFaults(staffetta: Staffetta, folder: string): Promise<string[]> {
  const rung = readFileSync(join(folder, 'bell'), 'utf8').split('\n').slice(0, -1);
  const tokens = new Map<string, string>();
  const done: string[] = [];
  for (const stored of await staffetta.store.catalog.feed(0, 100_000)) {
    for (const event of parseEntry(stored.body).events) {
      if (event.type === 'effect-intended') tokens.set(`${stored.task} ${event.effect}`, event.token);
      else if (event.type === 'effect-settled' && event.outcome === 'done')
        done.push(`${stored.task} ${event.effect}`);
    }
  }
  const known = new Set(tokens.values());
  return [
    ...rung.filter((token, i) => rung.indexOf(token) !== i).map((token) => `${token} was rung twice`),
    ...rung.filter((token) => !known.has(token)).map((token) => `${token} was rung without an intent`),
    ...done.filter((effect, i) => done.indexOf(effect) !== i).map((effect) => `${effect} was settled twice`),
    ...done
      .filter((effect) => !rung.includes(tokens.get(effect) ?? ''))
      .map((effect) => `${effect} never rang`),
  ];
}

/** Three processes on one new store, which they also race to create; as many kills as asked. */
async function killing(folder: string, kills: number, random: Random): Promise<Outcome> {
  let started = 0;
  const next = (): Runner => start(folder, `runner-${(started += 1)}`, random.below(2 ** 31));
  const runners = Array.from({ length: children }, next);
  await Promise.all(runners.map(async (runner) => await runner.ready));
  const staffetta = await openStaffetta({ gate: 'record', store: join(folder, 'store.db'), as: 'judge' });
  try {
    for (let killed = 1; killed <= kills; killed += 1) {
      const index = random.below(runners.length);
      const runner = runners[index];
      if (runner === undefined) continue;
      await runner.ready;
      await sleep(random.below(delayMsMax));
      await kill(runner);
      runners[index] = next();
      expect((await staffetta.verify()).faults, `after kill ${killed}`).toEqual([]);
    }
    for (const runner of runners) await runner.ready.then(async () => await kill(runner));
    await staffetta.recover();
    const { tasks, entries, blobs, faults } = await staffetta.verify();
    expect(faults).toEqual([]);
    expect(await holderFaults(staffetta)).toEqual([]);
    const { told, lost } = await acknowledgedAndLost(staffetta, folder);
    expect(lost).toEqual([]);
    expect(await bellFaults(staffetta, folder)).toEqual([]);
    return { kills: kills + children, told, tasks, entries, blobs };
  } finally {
    await staffetta.close();
  }
}

interface Outcome {
  readonly kills: number;
  readonly told: number;
  readonly tasks: number;
  readonly entries: number;
  readonly blobs: number;
}

test.each([1, 2, 3, 4])(
  'kills at random moments lose nothing that was acknowledged (store %i)',
  async (store) => {
    const seed = seedFrom('STAFFETTA_KILL_SEED');
    const folder = join(root, `${store}`);
    mkdirSync(folder);
    const { kills, told, tasks, entries, blobs } = await killing(folder, killsPerStore, randomFrom(seed));
    expect(told).toBeGreaterThan(kills);
    console.log(
      `random kills: seed ${seed}: ${kills} processes killed; ${told} acknowledged writes, none lost; ` +
        `${tasks} tasks, ${entries} entries, ${blobs} blobs verified`,
    );
  },
);
