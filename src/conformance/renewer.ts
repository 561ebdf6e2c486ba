import type { TaskId } from '../core/journal/id.ts';
import type { Renewer, Store } from '../ports/store.ts';
import type { Bench } from './bench.ts';
import { check, pause, same, type Case } from './case.ts';
import { sampleAppend, sampleTask, appendAll } from './sample.ts';

const task = sampleTask(1);
const other = sampleTask(2);
const third = sampleTask(3);

/** Short, so that renewals come often; nothing here depends on a lease running out or not. */
const leaseMs = 60;
const patienceMs = 3000;

/** A case for stores that have a renewer. The others keep its sentences by not having one. */
function renewing(
  id: string,
  title: string,
  run: (renewer: Renewer, bench: Bench) => Promise<void>,
): Case<Bench> {
  return {
    id,
    title,
    run: async (bench) => {
      if (bench.a.renewer !== undefined) await run(bench.a.renewer, bench);
    },
  };
}

async function untilOf(store: Store, id: TaskId = task): Promise<number> {
  return (await store.journal.head(id))?.lease?.until ?? 0;
}

async function openLeased(store: Store, id: TaskId = task): Promise<number> {
  const until = Date.now();
  await appendAll(store, sampleAppend(id, 0, { lease: { set: { generation: 1, until } } }));
  return until;
}

async function awaitRenewal(store: Store, since: number, id: TaskId = task): Promise<number> {
  for (const started = Date.now(); ; await pause(5)) {
    const until = await untilOf(store, id);
    if (until > since) return until;
    check(Date.now() - started < patienceMs, `the lease was not renewed within ${patienceMs} ms`);
  }
}

/** Waits for some renewals: a measure of time that a slow machine stretches for all leases alike. */
async function beats(store: Store, count: number, id: TaskId = task): Promise<void> {
  for (let beat = 0; beat < count; beat += 1) await awaitRenewal(store, await untilOf(store, id), id);
}

export const renewerCases: readonly Case<Bench>[] = [
  renewing('RN1', 'a kept lease is renewed again and again', async (renewer, { a, b }) => {
    let until = await openLeased(a);
    const kept = renewer.keep({ task, generation: 1, leaseMs, now: Date.now() });
    for (let beat = 0; beat < 3; beat += 1) {
      until = await awaitRenewal(b, until);
      check(until <= Date.now() + leaseMs, 'the lease was renewed for longer than asked');
    }
    kept.release();
  }),
  renewing('RN1', 'a kept lease is renewed while the event loop is blocked', async (renewer, { a, b }) => {
    await openLeased(a);
    const kept = renewer.keep({ task, generation: 1, leaseMs, now: Date.now() });
    const until = await awaitRenewal(b, await untilOf(b));
    const silence = new Int32Array(new SharedArrayBuffer(4));
    const blockedAt = Date.now();
    Atomics.wait(silence, 0, 0, 3 * leaseMs);
    const after = await untilOf(b);
    kept.release();
    check(after > until && after > blockedAt + leaseMs, 'the lease was not renewed while nothing else ran');
  }),
  renewing('RN2', 'a released lease is renewed no more, and others still are', async (renewer, { a, b }) => {
    await openLeased(a);
    await openLeased(a, other);
    const kept = renewer.keep({ task, generation: 1, leaseMs, now: Date.now() });
    const alsoKept = renewer.keep({ task: other, generation: 1, leaseMs, now: Date.now() });
    await beats(b, 1);
    kept.release();
    // One renewal may be under way.
    await beats(b, 2, other);
    const until = await untilOf(b);
    await beats(b, 3, other);
    same(await untilOf(b), until, 'the lease after its release');
    alsoKept.release();
    same((await b.journal.head(task))?.lease?.generation, 1, 'the generation of the lease left');
  }),
  renewing('RN2', 'a closed store renews no more', async (renewer, { a, b }) => {
    await openLeased(b);
    renewer.keep({ task, generation: 1, leaseMs, now: Date.now() });
    await beats(b, 1);
    await a.close();
    const until = await untilOf(b);
    await pause(2 * leaseMs);
    same(await untilOf(b), until, 'the lease after the store was closed');
  }),
  renewing('RN3', 'lost is aborted when the next generation begins', async (renewer, { a, b }) => {
    for (const id of [task, other]) await openLeased(a, id);
    const ended = renewer.keep({ task, generation: 1, leaseMs, now: Date.now() });
    const held = renewer.keep({ task: other, generation: 1, leaseMs, now: Date.now() });
    await beats(b, 1);
    const next = { generation: 2, until: Date.now() };
    await appendAll(b, sampleAppend(task, 1, { lease: { set: next } }));
    await beats(b, 5, other);
    check(ended.lost.aborted, 'the loss was not told');
    check(!held.lost.aborted, 'a lease that is held was said to be lost');
    for (const one of [ended, held]) one.release();
    same((await a.journal.head(task))?.lease, next, 'the lease of the next generation');
  }),
  renewing('RN3', 'lost is aborted when the leg ends, and not by a release', async (renewer, { a, b }) => {
    for (const id of [task, other, third]) await openLeased(a, id);
    const ended = renewer.keep({ task, generation: 1, leaseMs, now: Date.now() });
    const released = renewer.keep({ task: other, generation: 1, leaseMs, now: Date.now() });
    const held = renewer.keep({ task: third, generation: 1, leaseMs, now: Date.now() });
    released.release();
    await appendAll(b, sampleAppend(task, 1, { lease: { clear: true } }));
    await beats(b, 5, third);
    check(ended.lost.aborted, 'the loss was not told');
    check(!released.lost.aborted, 'a released lease was said to be lost');
    held.release();
  }),
  renewing('RN3', 'a loss is told long before the next renewal is due', async (renewer, { a, b }) => {
    await openLeased(a);
    const kept = renewer.keep({ task, generation: 1, leaseMs: 3_600_000, now: Date.now() });
    await appendAll(b, sampleAppend(task, 1, { lease: { clear: true } }));
    for (const started = Date.now(); !kept.lost.aborted; await pause(5))
      check(Date.now() - started < 10 * patienceMs, 'the loss was not told');
    kept.release();
  }),
  ...[-3_600_000, 86_400_000].map((aheadMs) =>
    renewing(
      'RN4',
      `a lease is renewed by a clock that is ${aheadMs} ms ahead`,
      async (renewer, { a, b }) => {
        const now = Date.now() + aheadMs;
        await appendAll(a, sampleAppend(task, 0, { lease: { set: { generation: 1, until: now } } }));
        const kept = renewer.keep({ task, generation: 1, leaseMs, now });
        let until = now;
        for (let beat = 0; beat < 3; beat += 1) {
          until = await awaitRenewal(b, until);
          check(until <= Date.now() + aheadMs + leaseMs, 'the lease was renewed by another clock');
        }
        kept.release();
      },
    ),
  ),
];
