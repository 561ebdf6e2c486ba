/** Many processes on one PostgreSQL: for the same offers, and writing while somebody follows. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { openStore } from '../../src/compose/open-store.ts';
import { numbers, sampleAppend, sampleTask } from '../../src/conformance/sample.ts';
import type { TaskId } from '../../src/core/journal/id.ts';
import { storeAddress } from '../../src/home/locate.ts';
import { allCards } from '../../src/handoff/record/all-tasks.ts';
import { openStaffetta } from '../../src/library/staffetta.ts';
import type { Result } from '../contention/racer.ts';
import { bundled, childEnvironment } from '../crash/run-child.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { Tally, type Trial } from './trial.ts';

const crowds = [8, 32] as const;
const offersEach = 10_000;
const writers = 16;
const entriesFollowed = 100_000;

export const manyMachines: Trial = {
  name: 'Many machines on one PostgreSQL',
  promise:
    'Each offer has one holder, whoever asks; a follower of the feed misses nothing and sees nothing twice',
  how: `${crowds.join(' and ')} processes take ${offersEach.toLocaleString('en')} offers from each other; then ${writers} connections write ${entriesFollowed.toLocaleString('en')} entries while one follows. The journals are held against what the processes say`,
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
    return { total: tally.total('offers and entries'), counts: tally.counts, faults };
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
    while (tasks.length < offersEach)
      tasks.push(
        ...(await Promise.all(
          numbers(50).map(async (n) => (await staffetta.open({ goal: `Prize ${tasks.length + n}` })).task),
        )),
      );
    const results = await Promise.all(children.map(taken));
    const fences = results.flatMap(({ won }) => won);
    tally.add(`offers taken by ${crowd} processes`, fences.length);
    tally.add(`→ processes of ${crowd} that got some`, results.filter(({ won }) => won.length > 0).length);
    const twice = fences.length - new Set(fences).size;
    tally.add(`→ taken twice by ${crowd}`, twice);
    const faults: string[] = [];
    if (twice > 0) faults.push(`${twice} offers were taken twice by ${crowd} processes`);
    const known = new Set(fences);
    const missing = tasks.filter((task) => !known.has(`${task}/1`));
    if (missing.length > 0) faults.push(`${missing.length} offers were taken by nobody of ${crowd}`);
    const winners = new Map(results.flatMap(({ name, won }) => won.map((fence) => [fence, name] as const)));
    for await (const { task, generation, holder } of allCards(staffetta.context, () => {}))
      if (winners.get(`${task}/${generation}`) !== holder) faults.push(`${task} is not held by its winner`);
    return [...faults, ...(await staffetta.store.upkeep.check()).map(({ text }) => text)];
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await staffetta.close();
  }
}

async function taken(child: ChildProcess): Promise<Result> {
  const result = once(child, 'message');
  child.send({ race: 'next' });
  const [message] = (await result) as [Result];
  return message;
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
