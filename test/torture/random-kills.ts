/**
 * Three processes carry tasks at random while one after the other is killed at a random moment, in the middle of whatever it does, and another
 * takes up its name. After every kill the store is verified while the others go on. At the end the histories of all clients are
 * held against the journals (see checker.ts), and the bell against the effects.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStaffetta, type Staffetta } from '../../src/library/staffetta.ts';
import { randomFrom, type Random } from '../crash/random.ts';
import { bundled, childEnvironment } from '../crash/run-child.ts';
import { holderFaults } from '../crash/stage.ts';
import { historyFaults, type JournalLine } from './checker.ts';
import { readOperations, type Operation } from './history.ts';
import { isOver, Tally, type Trial } from './trial.ts';

const program = join(import.meta.dirname, 'relay-child.ts');
const processes = 3;
const delayMsMax = 150;
const killsPerStore = 25;

interface Runner {
  readonly child: ChildProcess;
  readonly ready: Promise<unknown>;
  readonly words: string[];
}

function start(args: readonly string[]): Runner {
  const child = spawn(process.execPath, args, {
    env: childEnvironment(),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const words: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => words.push(text));
  // Ended instead of ready is seen at once below.
  const ready = Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  return { child, ready, words };
}

async function kill({ child, ready, words }: Runner): Promise<void> {
  await ready;
  const closed = child.exitCode === null ? once(child, 'close') : undefined;
  child.kill('SIGKILL');
  await closed;
  if (child.signalCode !== 'SIGKILL') throw new Error(`a process ended by itself: ${words.join('')}`);
}

export interface Killed {
  readonly kills: number;
  readonly operations: readonly Operation[];
  readonly entries: number;
  readonly faults: readonly string[];
}

/** As many kills as asked on one new store, which the processes also race to create. */
export async function killAtRandom(folder: string, kills: number, random: Random): Promise<Killed> {
  mkdirSync(folder, { recursive: true });
  const entry = await bundled(program);
  const next = (slot: number): Runner => start([entry, folder, `runner-${slot}`, `${random.below(2 ** 31)}`]);
  const runners = Array.from({ length: processes }, (_, slot) => next(slot));
  const faults: string[] = [];
  try {
    await Promise.all(runners.map(async ({ ready }) => await ready));
    const staffetta = await openStaffetta({ gate: 'record', store: join(folder, 'store.db'), as: 'judge' });
    try {
      for (let killed = 1; killed <= kills; killed += 1) {
        const slot = random.below(processes);
        await sleep(random.below(delayMsMax));
        await kill(runners[slot] ?? next(slot));
        runners[slot] = next(slot);
        const { faults: found } = await staffetta.verify();
        faults.push(...found.map(({ text }) => `verify, after kill ${killed}: ${text}`));
      }
      for (const runner of runners) await kill(runner);
      const operations = readOperations(folder);
      const { entries, faults: last } = await lastFaults(staffetta, folder, operations);
      return { kills: kills + processes, operations, entries, faults: [...faults, ...last] };
    } finally {
      await staffetta.close();
    }
  } finally {
    for (const { child } of runners) child.kill('SIGKILL');
  }
}

async function lastFaults(
  staffetta: Staffetta,
  folder: string,
  operations: readonly Operation[],
): Promise<Pick<Killed, 'entries' | 'faults'>> {
  await staffetta.recover();
  const { faults } = await staffetta.verify();
  const lines = await journalLines(staffetta);
  return {
    entries: lines.length,
    faults: [
      ...faults.map(({ text }) => `verify, at the end: ${text}`),
      ...(await holderFaults(staffetta)),
      ...historyFaults(lines, operations),
      ...bellFaults(lines, join(folder, 'bell')),
    ],
  };
}

async function journalLines({ store }: Staffetta): Promise<JournalLine[]> {
  const lines: JournalLine[] = [];
  for (let after = 0; ;) {
    const page = await store.catalog.feed(after, 1000);
    lines.push(...page);
    const last = page.at(-1);
    if (last === undefined) return lines;
    after = last.position;
  }
}

interface Effect {
  readonly type: string;
  readonly effect: string;
  readonly token: string;
  readonly outcome: string;
}

/** The bell was rung once for every effect that says so, and never without an intent. */
function bellFaults(lines: readonly JournalLine[], bell: string): string[] {
  const rung = existsSync(bell) ? readFileSync(bell, 'utf8').split('\n').slice(0, -1) : [];
  const tokens = new Map<string, string>();
  const done: string[] = [];
  for (const { task, body } of lines) {
    for (const event of (JSON.parse(body) as { events: readonly Effect[] }).events) {
      if (event.type === 'effect-intended') tokens.set(`${task} ${event.effect}`, event.token);
      else if (event.type === 'effect-settled' && event.outcome === 'done')
        done.push(`${task} ${event.effect}`);
    }
  }
  const known = new Set(tokens.values());
  const heard = new Set(rung);
  return [
    ...twiceIn(rung).map((token) => `${token} was rung twice`),
    ...rung.filter((token) => !known.has(token)).map((token) => `${token} was rung without an intent`),
    ...twiceIn(done).map((effect) => `${effect} was settled twice`),
    ...done.filter((effect) => !heard.has(tokens.get(effect) ?? '')).map((effect) => `${effect} never rang`),
  ];
}

function twiceIn(items: readonly string[]): string[] {
  const seen = new Set<string>();
  return items.filter((item) => seen.size === seen.add(item).size);
}

export function answeredIn(all: readonly Operation[]): { told: number; refused: number; cut: number } {
  const operations = all.filter(({ kind }) => kind !== 'effect');
  const told = operations.filter(({ outcomes }) => outcomes.some(({ task }) => task !== undefined)).length;
  const refused = operations.filter(
    ({ outcomes }) => outcomes.length > 0 && outcomes.every((one) => one.refused !== undefined),
  ).length;
  const cut = operations.filter(({ outcomes }) => outcomes.length === 0).length;
  return { told, refused, cut };
}

export const randomKills: Trial = {
  name: 'Histories with kills',
  promise:
    'P1 to P3, P8: one holder at a time, nothing acknowledged is lost, nothing refused is there, a key acts once, a former holder cannot write',
  how: 'Three processes open, take, carry, hand over and finish tasks at random on one store, with leases of 0.4 s. One after the other is killed with SIGKILL at a random moment; another takes up its name and makes the call again that was cut off. Each writes down what it asked and what it was told; a checker that shares no code with Staffetta holds these histories against the journals',
  share: 10,
  async run(budget) {
    const tally = new Tally();
    const faults: string[] = [];
    for (let round = 0; round === 0 || !isOver(budget); round += 1) {
      const folder = join(budget.scratch, `${round}`);
      const random = randomFrom(budget.seed + round);
      const { kills, operations, entries, faults: found } = await killAtRandom(folder, killsPerStore, random);
      rmSync(folder, { recursive: true, force: true });
      const { told, refused, cut } = answeredIn(operations);
      tally.add('stores');
      tally.add('processes killed', kills);
      tally.add('calls checked', operations.length);
      tally.add('acknowledged', told);
      tally.add('refused', refused);
      tally.add('cut off, outcome unknown to the caller', cut);
      tally.add('journal entries followed', entries);
      faults.push(...found.map((fault) => `seed ${budget.seed + round}: ${fault}`));
    }
    return {
      total: `${tally.of('calls checked')}, ${tally.of('processes killed')}`,
      counts: tally.counts,
      faults,
    };
  },
};
