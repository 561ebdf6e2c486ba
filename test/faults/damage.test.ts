/**
 * A damaged database is refused, found out by `verify`, or serves exactly what was acknowledged (of a damaged log: exactly a prefix of
 * it). Never anything else. Contents (states, histories, timelines) are moreover checked as they are read, so that not even
 * somebody who never runs `verify` is told a wrong story. STAFFETTA_DAMAGE_SEED tries other places.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openStaffetta, type Staffetta, type StaffettaOptions } from '../../src/compose/staffetta.ts';
import { isStaffettaError } from '../../src/core/error.ts';
import { randomFrom, seedFrom } from '../crash/random.ts';
import { fixedEntropy, standingClock } from '../crash/stage.ts';
import { flipBit, scribble, stalePage, swapPages, truncate, zeroPage, type Damage } from './damage.ts';
import { carryRound, fillShelves, readingsOf, type Reading } from './library.ts';

// Many processes: on a machine that is busy with other things they take their time.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 });

const folder = mkdtempSync(join(tmpdir(), 'staffetta-damage-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
/** The same harm every time, unless asked for more: what is tried by chance must not fail by chance. */
const seed = seedFrom('STAFFETTA_DAMAGE_SEED', 20_260);

/** The files of a store whose writer died: everything since the first task is only in the log. */
let base: Buffer;
let log: Buffer;
/** The same store, closed: a single file. */
let whole: Buffer;
/** As it was when half of it was written. */
let earlier: Buffer;
let readings: readonly Reading[];
let truth: readonly string[];
/** What was read then. A page from the past may bring it back, as long as `verify` finds it out. */
const before = new Map<string, string>();
/** Every entry, in the order of the commits. */
let feed: readonly string[];

beforeAll(async () => {
  const store = join(folder, 'whole.db');
  const first = await openStaffetta({ gate: 'record', store, ...unchanging() });
  await carryRound(first, 0, 5);
  await first.close();
  earlier = readFileSync(store);
  const staffetta = await openStaffetta({ gate: 'record', store, ...unchanging() });
  const { cards: few } = await staffetta.list();
  for (const { name, read } of readingsOf(few.map(({ task }) => task)))
    before.set(name, await read(staffetta));
  await carryRound(staffetta, 5, 9);
  await fillShelves(staffetta);
  base = readFileSync(store);
  log = readFileSync(`${store}-wal`);
  const { cards } = await staffetta.list({ limit: 1000 });
  readings = readingsOf(cards.map(({ task }) => task));
  truth = await Promise.all(readings.map(async ({ read }) => await read(staffetta)));
  feed = await feedOf(staffetta);
  await staffetta.close();
  whole = readFileSync(store);
});

/** Every millisecond is used once, so that the order of the tasks is no accident, and so that the bytes are the same in every run. */
function unchanging(): Omit<StaffettaOptions, 'store'> {
  let now = 1_800_000_000_000;
  const clock = { ...standingClock(now), now: () => (now += 1) };
  return { as: 'ada', clock, entropy: fixedEntropy };
}

async function feedOf({ store }: Staffetta): Promise<string[]> {
  return (await store.catalog.feed(0, 10_000)).map(({ position, digest }) => `${position} ${digest}`);
}

type Verdict = 'refused' | 'found by verify' | 'as it was' | 'a prefix';

interface Judged {
  readonly verdict: Verdict;
  readonly wrong: readonly string[];
}

/** Our own words are an answer; anything else that is thrown is not. */
function rawError(error: unknown, during: string): string[] {
  if (isStaffettaError(error)) return [];
  return [`${during} threw ${error instanceof Error ? error.stack : String(error)}`];
}

async function judge(store: string, judgeOpened: (staffetta: Staffetta) => Promise<Judged>): Promise<Judged> {
  let staffetta: Staffetta;
  try {
    staffetta = await openStaffetta({ gate: 'record', store, ...unchanging() });
  } catch (error) {
    return { verdict: 'refused', wrong: rawError(error, 'opening') };
  }
  try {
    const { faults } = await staffetta.verify();
    const judged = await judgeOpened(staffetta);
    return faults.length === 0
      ? judged
      : { verdict: 'found by verify', wrong: judged.wrong.filter((fault) => alwaysWrong.test(fault)) };
  } catch (error) {
    return { verdict: 'found by verify', wrong: rawError(error, 'verify') };
  } finally {
    await staffetta.close();
  }
}

/** With or without a warning by `verify`. */
const alwaysWrong = / threw |^(show|history|timeline) .* otherwise/;

async function compareReadings(staffetta: Staffetta): Promise<Judged> {
  const wrong: string[] = [];
  for (const [i, { name, read }] of readings.entries()) {
    try {
      const answer = await read(staffetta);
      if (answer === truth[i]) continue;
      wrong.push(
        `${name} is served ${answer === before.get(name) ? 'as it was before' : 'otherwise than it was written'}`,
      );
    } catch (error) {
      wrong.push(...rawError(error, name), `${name} is refused`);
    }
  }
  return { verdict: 'as it was', wrong };
}

async function comparePrefix(staffetta: Staffetta): Promise<Judged> {
  const found = await feedOf(staffetta);
  const wrong = found.flatMap((entry, i) =>
    entry === feed[i] ? [] : [`entry ${i} is ${entry}, not ${feed[i]}`],
  );
  return { verdict: found.length === feed.length ? 'as it was' : 'a prefix', wrong };
}

function clear(store: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${store}${end}`, { force: true });
}

async function harm(
  what: string,
  damage: Damage,
  times: number,
  tryOne: (random: ReturnType<typeof randomFrom>) => Promise<Judged & { readonly where: string }>,
): Promise<string[]> {
  const random = randomFrom(seed);
  const tally: Partial<Record<Verdict, number>> = {};
  const wrong: string[] = [];
  for (let i = 0; i < times; i += 1) {
    const judged = await tryOne(random);
    tally[judged.verdict] = (tally[judged.verdict] ?? 0) + 1;
    wrong.push(...judged.wrong.map((fault) => `${judged.where}: ${judged.verdict}: ${fault}`));
  }
  console.log(`damage: ${damage.name} in ${what}, ${times} times, seed ${seed}: ${JSON.stringify(tally)}`);
  return wrong;
}

const past: Damage = { ...stalePage, apply: (bytes, random) => stalePage.apply(bytes, random, earlier) };

test.each([
  [flipBit.name, flipBit, 150],
  [scribble.name, scribble, 60],
  [zeroPage.name, zeroPage, 40],
  [swapPages.name, swapPages, 40],
  [past.name, past, 40],
  [truncate.name, truncate, 40],
])('%s in the database is never served as if nothing had happened', async (_name, damage, times) => {
  const store = join(folder, 'damaged.db');
  const wrong = await harm('the database', damage, times, async (random) => {
    const { bytes, where } = damage.apply(whole, random);
    writeFileSync(store, bytes);
    const judged = await judge(store, compareReadings);
    clear(store);
    return { ...judged, where };
  });
  expect(wrong, `seed ${seed}`).toEqual([]);
});

test.each([
  [flipBit.name, flipBit, 40],
  [scribble.name, scribble, 20],
  [zeroPage.name, zeroPage, 20],
  [truncate.name, truncate, 40],
])('%s in the log leaves a prefix of what was acknowledged', async (_name, damage, times) => {
  const store = join(folder, 'logged.db');
  const wrong = await harm('the log', damage, times, async (random) => {
    const { bytes, where } = damage.apply(log, random);
    writeFileSync(store, base);
    writeFileSync(`${store}-wal`, bytes);
    const judged = await judge(store, comparePrefix);
    clear(store);
    return { ...judged, where };
  });
  expect(wrong, `seed ${seed}`).toEqual([]);
});

test('the log of a writer that died, undamaged, brings everything back', async () => {
  const store = join(folder, 'logged.db');
  writeFileSync(store, base);
  writeFileSync(`${store}-wal`, log);
  expect(await judge(store, compareReadings)).toEqual({ verdict: 'as it was', wrong: [] });
  clear(store);
});
