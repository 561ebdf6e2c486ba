/**
 * A damaged database is refused, found out by `verify`, or serves exactly what was acknowledged (of a damaged log: exactly a prefix of
 * it). Never anything else. Contents (states, histories, timelines) are moreover checked as they are read, so that not even
 * somebody who never runs `verify` is told a wrong story.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStaffetta, type Staffetta, type StaffettaOptions } from '../../src/library/staffetta.ts';
import { isStaffettaError } from '../../src/core/base/error.ts';
import { randomFrom, type Random } from '../crash/random.ts';
import { fixedEntropy, standingClock } from '../crash/stage.ts';
import {
  flipBit,
  scribble,
  stalePage,
  swapPages,
  truncate,
  zeroPage,
  type Damage,
} from '../faults/damage.ts';
import { carryRound, fillShelves, readingsOf, type Reading } from '../faults/library.ts';
import { isOver, Tally, type Trial } from './trial.ts';

/** A store with something of everything in it, as bytes, and everything that was read from it before it came to harm. */
export interface Whole {
  /** The files of a store whose writer died: everything since the first task is only in the log. */
  readonly base: Buffer;
  readonly log: Buffer;
  /** The same store, closed: a single file. */
  readonly closed: Buffer;
  /** As it was when half of it was written. */
  readonly earlier: Buffer;
  readonly readings: readonly Reading[];
  readonly truth: readonly string[];
  /** What was read then. A page from the past may bring it back, as long as `verify` finds it out. */
  readonly before: ReadonlyMap<string, string>;
  /** Every entry, in the order of the commits. */
  readonly feed: readonly string[];
}

export async function makeWhole(folder: string): Promise<Whole> {
  const store = join(folder, 'whole.db');
  const first = await openStaffetta({ gate: 'record', store, ...unchanging() });
  await carryRound(first, 0, 5);
  await first.close();
  const earlier = readFileSync(store);
  const staffetta = await openStaffetta({ gate: 'record', store, ...unchanging() });
  const { cards: few } = await staffetta.list();
  const before = new Map<string, string>();
  for (const { name, read } of readingsOf(few.map(({ task }) => task)))
    before.set(name, await read(staffetta));
  await carryRound(staffetta, 5, 9);
  await fillShelves(staffetta);
  const base = readFileSync(store);
  const log = readFileSync(`${store}-wal`);
  const { cards } = await staffetta.list({ limit: 1000 });
  const readings = readingsOf(cards.map(({ task }) => task));
  const truth = await Promise.all(readings.map(async ({ read }) => await read(staffetta)));
  const feed = await feedOf(staffetta);
  await staffetta.close();
  return { base, log, closed: readFileSync(store), earlier, readings, truth, before, feed };
}

/** Every millisecond is used once, so that the order of the tasks is no accident, and so that the bytes are the same in every run. */
function unchanging(): Omit<StaffettaOptions, 'store'> {
  let now = 1_800_000_000_000;
  const clock = { ...standingClock(now), now: () => (now += 1) };
  return { as: 'ada', clock, entropy: fixedEntropy };
}

async function feedOf({ store }: Staffetta): Promise<string[]> {
  return (await store.catalog.feed(0, 10_000)).map(({ position, digest }) => `${position} ${digest}`);
}

export type Verdict = 'refused' | 'found by verify' | 'as it was' | 'a prefix';

export interface Judged {
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

async function compareReadings(staffetta: Staffetta, { readings, truth, before }: Whole): Promise<Judged> {
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

async function comparePrefix(staffetta: Staffetta, { feed }: Whole): Promise<Judged> {
  const found = await feedOf(staffetta);
  const wrong = found.flatMap((entry, i) =>
    entry === feed[i] ? [] : [`entry ${i} is ${entry}, not ${feed[i]}`],
  );
  return { verdict: found.length === feed.length ? 'as it was' : 'a prefix', wrong };
}

export type Part = 'database' | 'log';

/** Which harm is done to which file, and how often in a short run. */
export const harms: readonly (readonly [part: Part, name: string, times: number])[] = [
  ['database', flipBit.name, 40],
  ['database', scribble.name, 15],
  ['database', zeroPage.name, 10],
  ['database', swapPages.name, 10],
  ['database', stalePage.name, 10],
  ['database', truncate.name, 10],
  ['log', flipBit.name, 10],
  ['log', scribble.name, 10],
  ['log', zeroPage.name, 10],
  ['log', truncate.name, 10],
];

function damageNamed(name: string, { earlier }: Whole): Damage {
  const past: Damage = { ...stalePage, apply: (bytes, random) => stalePage.apply(bytes, random, earlier) };
  const found = [flipBit, scribble, zeroPage, swapPages, past, truncate].find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}

/** Harms one file of a store in one place, and judges what is made of it. */
export async function harmOnce(
  whole: Whole,
  at: { readonly folder: string; readonly part: Part; readonly name: string },
  random: Random,
): Promise<Judged> {
  const store = join(at.folder, `${at.part}.db`);
  const damage = damageNamed(at.name, whole);
  const { bytes, where } = damage.apply(at.part === 'log' ? whole.log : whole.closed, random);
  const judged = await judgeFiles(whole, store, at.part === 'log' ? { log: bytes } : { database: bytes });
  return { ...judged, wrong: judged.wrong.map((fault) => `${where}: ${judged.verdict}: ${fault}`) };
}

export async function judgeFiles(
  whole: Whole,
  store: string,
  files: { readonly database?: Buffer; readonly log?: Buffer },
): Promise<Judged> {
  writeFileSync(store, files.database ?? whole.base);
  if (files.log !== undefined) writeFileSync(`${store}-wal`, files.log);
  const compare = files.database === undefined && files.log !== whole.log ? comparePrefix : compareReadings;
  const judged = await judge(store, async (staffetta) => await compare(staffetta, whole));
  for (const end of ['', '-wal', '-shm']) rmSync(`${store}${end}`, { force: true });
  return judged;
}

export const damagedFiles: Trial = {
  name: 'Damaged databases',
  promise: 'P8: what was altered is found and named, or refused; it is never told as if nothing had happened',
  how: 'One place of the database, or of the write-ahead log of a writer that died, is harmed: a bit, a few bytes, a page of zeros, two pages swapped, a page from the past, a shorter file. Everything that can be read is then compared with what was read before',
  share: 3,
  async run(budget) {
    const tally = new Tally();
    const faults: string[] = [];
    const whole = await makeWhole(budget.scratch);
    const random = randomFrom(budget.seed);
    for (let round = 0; round === 0 || !isOver(budget); round += 1) {
      for (const [part, name] of harms) {
        const { verdict, wrong } = await harmOnce(whole, { folder: budget.scratch, part, name }, random);
        tally.add(`${name} in the ${part}`);
        tally.add(`→ ${verdict}`);
        faults.push(...wrong.map((fault) => `seed ${budget.seed}: ${name} in the ${part}: ${fault}`));
      }
    }
    return { total: tally.total('damaged files'), counts: tally.counts, faults };
  },
};
