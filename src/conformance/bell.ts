import type { Address } from '../core/task/address.ts';
import type { Bell } from '../ports/bell.ts';
import type { Store } from '../ports/store.ts';
import type { Bench } from './bench.ts';
import { check, pause, type Case } from './case.ts';
import { noon, sampleAppend, sampleTask, appendAll } from './sample.ts';

const patienceMs = 5000;

/** A case for stores that have a bell. The others keep its sentences by not having one. */
function ringing(id: string, title: string, run: (bell: Bell, bench: Bench) => Promise<void>): Case<Bench> {
  return {
    id,
    title,
    run: async (bench) => {
      if (bench.a.bell !== undefined) await run(bench.a.bell, bench);
    },
  };
}

async function send(store: Store, to: Address, offer: number): Promise<void> {
  await store.mailbox.send({ to, task: sampleTask(1), offer, due: noon });
}

/** Whether the wait ends by itself, in time. */
async function ends(bell: Bell, to: Address): Promise<boolean> {
  const late = AbortSignal.timeout(patienceMs);
  await bell.wait([to], late);
  return !late.aborted;
}

/** From here on the bell listens. */
async function listening(bell: Bell, by: Store): Promise<void> {
  for (let offer = 1; ; offer += 1) {
    const over = new AbortController();
    const heard = bell.wait(['agent:probe'], over.signal).then(() => !over.signal.aborted);
    await send(by, 'agent:probe', offer);
    const rung = await Promise.race([heard, pause(200).then(() => false)]);
    over.abort();
    await heard;
    if (rung) return;
    check(offer < patienceMs / 200, 'the bell was never heard');
  }
}

export const bellCases: readonly Case<Bench>[] = [
  ringing('BL1', 'a wait is over when its signal is aborted, before or after it began', async (bell) => {
    const over = new AbortController();
    const waits = [bell.wait(['anyone'], AbortSignal.abort()), bell.wait(['anyone'], over.signal)];
    over.abort();
    const ended = await Promise.race([Promise.all(waits).then(() => true), pause(1000).then(() => false)]);
    check(ended, 'a wait went on after its signal was aborted');
  }),
  ringing(
    'BL2',
    'a hint ends a wait for its address, sent alone or with an append',
    async (bell, { a, b }) => {
      await listening(bell, b);
      const first = ends(bell, 'agent:ada');
      await send(b, 'agent:ada', 1);
      check(await first, 'a hint that was sent ended no wait');
      const second = ends(bell, 'lane:plan');
      const hint = { send: { to: 'lane:plan', task: sampleTask(2), offer: 1, due: noon } } as const;
      await appendAll(a, sampleAppend(sampleTask(2), 0, { hint }));
      check(await second, 'a hint of an append ended no wait');
    },
  ),
  ringing('BL2', 'a hint that was sent since the last wait ends the next one', async (bell, { b }) => {
    await listening(bell, b);
    await send(b, 'agent:ada', 1);
    check(await ends(bell, 'agent:ada'), 'a hint was forgotten between two waits');
  }),
  ringing('BL3', 'a hint for somebody else ends no wait', async (bell, { b }) => {
    await listening(bell, b);
    const over = new AbortController();
    let ended = false;
    const waiting = bell.wait(['agent:ada'], over.signal).then(() => (ended = true));
    const other = ends(bell, 'agent:bob');
    await send(b, 'agent:bob', 1);
    check(await other, 'a hint ended no wait');
    check(!ended, 'a hint for somebody else ended a wait');
    over.abort();
    await waiting;
  }),
];
