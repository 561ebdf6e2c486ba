/**
 * Where the scenarios are played: a store with a clock that stands still and chance that is fixed. Two undisturbed runs of one
 * scenario therefore write the same journals, and whatever a crash and a second try lead to can be compared with them, entry by entry.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { storeFolder } from '../../src/home/locate.ts';
import { openStaffetta, type Staffetta } from '../../src/library/staffetta.ts';
import { parseEntry, type Entry } from '../../src/core/journal/entry.ts';
import { nobodysGeneration } from '../../src/core/task/standing.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Entropy } from '../../src/ports/entropy.ts';
import { unobserved, type Reached } from '../../src/ports/step.ts';
import { openSqliteStore } from '../../src/stores/sqlite/open.ts';
import type { JournalMode } from '../../src/stores/sqlite/secure.ts';
import type { Scenario } from './scenario.ts';

const preparedAt = 1_800_000_000_000;
const laterMsDefault = 1_000;

export function standingClock(now: number): Clock {
  return {
    now: () => now,
    // Time does not pass here: who sleeps is woken by its signal, or not at all.
    sleep: async (_ms, signal) =>
      await new Promise((_resolve, reject) => {
        const wake = (): void => reject(signal?.reason as Error);
        if (signal?.aborted === true) wake();
        else signal?.addEventListener('abort', wake, { once: true });
      }),
  };
}

export const fixedEntropy: Entropy = {
  bytes: (count) => new Uint8Array(count).fill(7),
  fraction: () => 0.5,
};

export interface Stage {
  readonly staffetta: Staffetta;
  /** The world outside. The store is in a folder of its own beneath, as it is in a repository. */
  readonly folder: string;
  /** Says that the caller was told. From here on the change must survive anything. */
  readonly acknowledge: (what: string) => void;
}

/** Where a scenario's store is, and whatever else the store itself writes. */
export function inStore(folder: string, name = 'store.db'): string {
  return join(folder, storeFolder, name);
}

/** Where the work of a scenario is done, if it has any. */
export function inWork(folder: string): string {
  return join(folder, 'work');
}

/** A stage whose store is no file has its address in one. */
export const addressFile = 'store.address';

function storeOf(folder: string): string {
  const address = join(folder, addressFile);
  return existsSync(address) ? readFileSync(address, 'utf8') : inStore(folder);
}

async function openAt(folder: string, now: number, reached: Reached): Promise<Staffetta> {
  return await openStaffetta({
    gate: 'record',
    store: storeOf(folder),
    as: 'ada',
    clock: standingClock(now),
    entropy: fixedEntropy,
    reached,
    ...(existsSync(inWork(folder)) ? { workspace: inWork(folder) } : {}),
  });
}

/** A new folder with the store as the scenario's verb finds it: a single file, its log written back. */
export async function makeTemplate(
  scenario: Scenario,
  folder: string,
  journal: JournalMode = 'log',
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  // A store stays as it was made.
  if (journal === 'rollback')
    await (await openSqliteStore(inStore(folder), { create: true, journal })).close();
  scenario.workspace?.(inWork(folder));
  if (scenario.prepare === undefined) return;
  const staffetta = await openAt(folder, preparedAt, unobserved);
  try {
    await scenario.prepare(staffetta);
  } finally {
    await staffetta.close();
  }
}

export function copyTemplate(template: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  if (existsSync(inStore(template)))
    cpSync(join(template, storeFolder), join(folder, storeFolder), { recursive: true });
  if (existsSync(inWork(template))) cpSync(inWork(template), inWork(folder), { recursive: true });
}

export async function openStage(
  scenario: Scenario,
  folder: string,
  reached: Reached = unobserved,
): Promise<Staffetta> {
  return await openAt(folder, preparedAt + (scenario.laterMs ?? laterMsDefault), reached);
}

/** Plays the verb once on the store in the folder, from opening to closing. */
export async function play(
  scenario: Scenario,
  folder: string,
  options: { readonly reached?: Reached; readonly acknowledge?: (what: string) => void } = {},
): Promise<void> {
  const staffetta = await openStage(scenario, folder, options.reached);
  try {
    await scenario.act({ staffetta, folder, acknowledge: options.acknowledge ?? (() => {}) });
  } finally {
    await staffetta.close();
  }
}

export interface Aftermath {
  /** Entries whose writer was told that they are there, as "task seq". */
  readonly told: readonly string[];
  /** The whole verb returned before the store was closed. */
  readonly returned: boolean;
  /** The journals of a run that nobody disturbed. */
  readonly undisturbed: readonly string[];
}

/**
 * After a crash or a fault: reopen, verify, recover, verify, try again with the same key, verify. The journals must then be those of an
 * undisturbed run. Returns what is wrong.
 */
export async function aftermathFaults(
  scenario: Scenario,
  folder: string,
  { told, returned, undisturbed }: Aftermath,
): Promise<string[]> {
  const faults: string[] = [];
  const compare = scenario.compare ?? ((journals) => journals);
  const differs = (journals: readonly string[]): boolean =>
    scenario.mends !== true && JSON.stringify(compare(journals)) !== JSON.stringify(compare(undisturbed));
  const staffetta = await openStage(scenario, folder);
  const stage: Stage = { staffetta, folder, acknowledge: () => {} };
  try {
    faults.push(...(await soundnessFaults(staffetta, 'reopened')));
    const journals = await journalsOf(staffetta);
    const there = new Set(journals.map((line) => line.split(' ').slice(0, 2).join(' ')));
    faults.push(
      ...told.filter((entry) => !there.has(entry)).map((entry) => `acknowledged and lost: ${entry}`),
    );
    if (returned && differs(journals)) faults.push('acknowledged and lost');
    await staffetta.recover();
    faults.push(...(await soundnessFaults(staffetta, 'recovered')));
    await scenario.act(stage);
    faults.push(...(await soundnessFaults(staffetta, 'tried again')));
    const last = await journalsOf(staffetta);
    if (differs(last)) faults.push(`the second try leads elsewhere:\n${compare(last).join('\n')}`);
    faults.push(...((await scenario.outside?.(stage)) ?? []));
  } finally {
    await staffetta.close();
  }
  return faults;
}

async function soundnessFaults(staffetta: Staffetta, when: string): Promise<string[]> {
  const { faults } = await staffetta.verify();
  return [...faults.map((fault) => fault.text), ...(await holderFaults(staffetta))].map(
    (fault) => `${when}: ${fault}`,
  );
}

/** Every entry of every task, in the order of the tasks. */
async function entriesOf(staffetta: Staffetta): Promise<{ task: string; entry: Entry }[]> {
  const { cards } = await staffetta.list({ limit: 1000, oldestFirst: true });
  const found: { task: string; entry: Entry }[] = [];
  for (const { task } of cards.toSorted((a, b) => (a.task < b.task ? -1 : 1)))
    for (const { body } of await staffetta.store.journal.read(task, 0, 1000))
      found.push({ task, entry: parseEntry(body) });
  return found;
}

/** One line a journal entry: who did what. Digests and times follow from it. */
export async function journalsOf(staffetta: Staffetta): Promise<string[]> {
  return (await entriesOf(staffetta)).map(({ task, entry: { seq, by, key, events } }) => {
    // Each store has a key of its own; where it cannot be kept, work goes on unsigned, and `verify` says so. What a fork names by its
    // digest was signed with that key.
    const told = events
      .filter(({ type }) => type !== 'signed')
      .map((event) =>
        event.type === 'task-forked' ? { ...event, from: { ...event.from, digest: 'of the entry' } } : event,
      );
    return `${task} ${seq} ${by.name} ${key ?? '-'} ${JSON.stringify(told)}`;
  });
}

export async function typesIn(staffetta: Staffetta): Promise<string[]> {
  return (await entriesOf(staffetta)).flatMap(({ entry }) => entry.events.map(({ type }) => type));
}

/**
 * The promise of one holder, counted from the bare entries and not with `fold`: every generation is started once, in order, and never
 * while another one is on. Returns what is wrong.
 */
export async function holderFaults(staffetta: Staffetta): Promise<string[]> {
  const faults: string[] = [];
  const { cards } = await staffetta.list({ limit: 1000 });
  for (const { task } of cards) {
    let holding: number | null = null;
    let last = 0;
    for (let from = 0, page = 1; page > 0; from += page) {
      const entries = await staffetta.store.journal.read(task, from, 500);
      page = entries.length;
      for (const event of entries.flatMap((stored) => parseEntry(stored.body).events)) {
        if (event.type === 'leg-ended' || event.type === 'leg-lapsed') {
          if (holding !== event.generation) faults.push(`${task}: ${event.generation} ended without holding`);
          holding = null;
        } else if (event.type === 'leg-started') {
          if (holding !== null) faults.push(`${task}: ${holding} and ${event.generation} hold it at once`);
          if (event.generation !== last + 1) faults.push(`${task}: ${event.generation} follows ${last}`);
          holding = event.generation;
          last = event.generation;
        }
      }
    }
    const lease = (await staffetta.store.journal.head(task))?.lease?.generation ?? null;
    // Nobody's: a copy of what is held elsewhere, or a task that somebody outside relies on.
    if (lease === nobodysGeneration) continue;
    if (lease !== holding) faults.push(`${task}: held at ${holding}, but the lease is for ${lease}`);
  }
  return faults;
}

/** A line on standard output that is there even if the next instruction is the last. */
export function sayNow(line: string): void {
  writeSync(1, `${line}\n`);
}
