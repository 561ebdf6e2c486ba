/** Many processes on one PostgreSQL: for the same offers, and writing while somebody follows. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { openStore } from '../../src/compose/open-store.ts';
import { numbers, sampleAppend, sampleTask } from '../../src/conformance/sample.ts';
import type { TaskId } from '../../src/core/journal/id.ts';
import { storeAddress } from '../../src/home/locate.ts';
import { openStaffetta } from '../../src/library/staffetta.ts';
import type { Result } from '../contention/racer.ts';
import { bundled, childEnvironment } from '../crash/run-child.ts';
import type { Store } from '../../src/ports/store.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { journalFaults, type JournalLine } from './checker.ts';
import { Tally, type Trial } from './trial.ts';

const crowds = [8, 32] as const;
const tasksEach = 10_000;
const writers = 16;
const entriesFollowed = 100_000;

export const manyMachines: Trial = {
  name: 'Many machines on one PostgreSQL',
  promise:
    'Each generation has one holder, whoever asks; a follower of the feed misses nothing and sees nothing twice',
  how: `${crowds.join(' and ')} processes take ${tasksEach.toLocaleString('en')} tasks from each other, hand them over and complete them; then ${writers} connections write ${entriesFollowed.toLocaleString('en')} entries while one follows. The journals are held against what the processes say`,
  share: 0,
  async run() {
    const server = await startPostgres();
    const tally = new Tally();
    const faults: string[] = [];
    try {
      for (const crowd of crowds)
        faults.push(...(await race(spaceOf(server.url, `crowd_${crowd}`), crowd, tally)));
      faults.push(...(await follow(spaceOf(server.url, 'followed'), tally)));
    } finally {
      await server.stop();
    }
    return { total: tally.total('legs and entries'), counts: tally.counts, faults };
  },
};

/** With few connections each: the server takes a hundred. */
function spaceOf(url: string, space: string): string {
  return `${url}?space=${space}&connections=2`;
}

async function race(store: string, crowd: number, tally: Tally): Promise<string[]> {
  const staffetta = await openStaffetta({ gate: 'record', store, as: 'starter' });
  const entry = await bundled(join(import.meta.dirname, '../contention/racer.ts'));
  const children = numbers(crowd).map((n) =>
    fork(entry, [store, `racer-${n}`], { env: childEnvironment(), execArgv: [], stdio: 'inherit' }),
  );
  try {
    await Promise.all(children.map(async (child) => await once(child, 'message')));
    const tasks: TaskId[] = [];
    while (tasks.length < tasksEach)
      tasks.push(
        ...(await Promise.all(
          numbers(50).map(async (n) => (await staffetta.open({ goal: `Prize ${tasks.length + n}` })).task),
        )),
      );
    const results = await Promise.all(children.map(carried));
    const fences = results.flatMap(({ won }) => won);
    tally.add(`legs of ${crowd} processes`, fences.length);
    tally.add(`→ processes of ${crowd} that got some`, results.filter(({ won }) => won.length > 0).length);
    const lines = await journals(staffetta.store);
    tally.add(`→ entries of ${crowd} that were held against what they say`, lines.length);
    return [
      ...journalFaults(lines),
      ...heldFaults(lines, results, tasks),
      ...results.flatMap(({ name, refused }) =>
        Object.entries(refused).map(([code, times]) => `${name} was refused ${times} times: ${code}`),
      ),
      ...(await staffetta.store.upkeep.check()).map(({ text }) => text),
    ];
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await staffetta.close();
  }
}

async function carried(child: ChildProcess): Promise<Result> {
  const result = once(child, 'message');
  child.send({ race: 'relay' });
  const [message] = (await result) as [Result];
  return message;
}

async function journals({ catalog }: Store): Promise<readonly JournalLine[]> {
  const lines: JournalLine[] = [];
  for (;;) {
    const page = await catalog.feed(lines.at(-1)?.position ?? 0, 1000);
    lines.push(...page);
    if (page.length === 0) return lines;
  }
}

/** Each generation is held by the one process that was told so, each task has two, and is done. */
function heldFaults(
  lines: readonly JournalLine[],
  results: readonly Result[],
  tasks: readonly TaskId[],
): string[] {
  const told = results.flatMap(({ name, won }) => won.map((fence) => `${fence} ${name}`));
  const events = lines.flatMap(({ task, body }) => {
    const entry = JSON.parse(body) as Body;
    return entry.events.map((event) => ({ task, by: entry.by.name, ...event }));
  });
  const stored = events
    .filter(({ type }) => type === 'leg-started')
    .map(({ task, generation, by }) => `${task}/${generation} ${by}`);
  const faults = [
    ...without(told, stored).map((leg) => `${leg} was told and is not stored`),
    ...without(stored, told).map((leg) => `${leg} is stored and was told to nobody`),
  ];
  const done = events.filter(({ outcome }) => outcome === 'completed').length;
  if (told.length !== 2 * tasks.length || stored.length !== told.length || done !== tasks.length)
    faults.push(`${tasks.length} tasks: ${told.length} legs told, ${stored.length} stored, ${done} done`);
  return faults;
}

function without(some: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return some.filter((one) => !known.has(one));
}

interface Body {
  readonly by: { readonly name: string };
  readonly events: readonly {
    readonly type: string;
    readonly generation?: number;
    readonly outcome?: string;
  }[];
}

async function follow(store: string, tally: Tally): Promise<string[]> {
  const address = storeAddress(store);
  const first = await openStore(address, { create: true });
  const others = await Promise.all(numbers(writers - 1).map(async () => await openStore(address)));
  const follower = await openStore(address);
  const each = entriesFollowed / writers;
  const writing = Promise.all(
    [first, ...others].map(async ({ journal }, n) => {
      for (const seq of numbers(each)) await journal.append(sampleAppend(sampleTask(n + 1), seq));
    }),
  );
  const seen = new Map<string, number>();
  const state = { position: 0, twice: 0, count: 0, isWriting: true };
  void writing.finally(() => (state.isWriting = false));
  for (;;) {
    const wasWriting = state.isWriting;
    const page = await follower.catalog.feed(state.position, 1000);
    for (const { task, seq, position } of page) {
      // Of one task entries come in order: a gap would show, and so would one that comes again.
      if (seq !== (seen.get(task) ?? -1) + 1 || position <= state.position) state.twice += 1;
      seen.set(task, seq);
      state.position = position;
      state.count += 1;
    }
    if (page.length === 0 && !wasWriting) break;
  }
  await writing;
  for (const each of [first, follower, ...others]) await each.close();
  tally.add('entries followed while they were written', state.count);
  tally.add('→ missed', entriesFollowed - state.count);
  tally.add('→ out of order, or twice', state.twice);
  return state.count === entriesFollowed && state.twice === 0
    ? []
    : [`of ${entriesFollowed} entries ${state.count} were followed, ${state.twice} out of order`];
}
