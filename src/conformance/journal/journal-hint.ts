import type { Address } from '../../core/task/address.ts';
import type { Hint } from '../../ports/mailbox.ts';
import type { Store } from '../../ports/store.ts';
import type { Bench } from '../bench.ts';
import { check, same, type Case } from '../case.ts';
import { appendSome, noon, sampleAppend, sampleTask, appendAll } from '../sample.ts';

const task = sampleTask(1);
const other = sampleTask(2);

function hint(offer: number, over: Partial<Hint> = {}): Hint {
  return { to: 'agent:ada', task, offer, due: noon, ...over };
}

/** Which offers wake whom, long after everything is due and nothing is hidden. */
async function waiting(store: Store): Promise<unknown[]> {
  const addresses: Address[] = ['agent:ada', 'lane:audit', 'anyone'];
  const came = await store.mailbox.receive(addresses, { now: noon * 2, hideMs: 0, limit: 100 });
  return came.map(({ to, task, offer }) => [to, task, offer]);
}

export const journalHintCases: readonly Case<Bench>[] = [
  {
    id: 'JS14',
    title: 'a hint of an append is received on another connection as soon as the append returned',
    run: async ({ a, b }) => {
      await appendAll(a, sampleAppend(task, 0, { hint: { send: hint(1) } }));
      const [delivery] = await b.mailbox.receive(['agent:ada'], { now: noon, hideMs: 1000, limit: 1 });
      check(delivery !== undefined, 'the hint did not come');
      const { to, offer, deliveries } = delivery;
      same([to, delivery.task, offer, deliveries], ['agent:ada', task, 1, 1], 'the hint');
      await b.mailbox.settle(delivery);
      same(await waiting(a), [], 'what waits after it was settled');
    },
  },
  {
    id: 'JS14',
    title: 'a hint of an append is not received before it is due, nor by others',
    run: async ({ a, b }) => {
      await appendAll(
        a,
        sampleAppend(task, 0, { hint: { send: hint(1, { due: noon + 10, to: 'lane:audit' }) } }),
      );
      const come = async (address: Address, now: number): Promise<number> =>
        (await b.mailbox.receive([address], { now, hideMs: 1000, limit: 10 })).length;
      same(await come('lane:audit', noon + 9), 0, 'hints before it is due');
      same(await come('anyone', noon + 10), 0, 'hints for another address');
      same(await come('lane:audit', noon + 10), 1, 'hints when it is due');
    },
  },
  {
    id: 'JS14',
    title: 'a hint of a refused append is not sent, and takes none away',
    run: async ({ a, b }) => {
      await appendAll(a, sampleAppend(task, 0, { key: 'once', hint: { send: hint(1) } }));
      const lease = { generation: 1, until: noon };
      for (const append of [
        sampleAppend(task, 0, { hint: { send: hint(2) } }),
        sampleAppend(task, 5, { hint: { clear: true } }),
        sampleAppend(task, 1, { hint: { send: hint(3) }, key: 'once' }),
        sampleAppend(task, 1, { hint: { clear: true }, ifLease: lease }),
        sampleAppend(other, 1, { hint: { send: hint(1, { task: other }) } }),
      ])
        check(!(await b.journal.append(append)).stored, `a late append of seq ${append.seq} was stored`);
      same(await waiting(a), [['agent:ada', task, 1]], 'the hints');
    },
  },
  {
    id: 'JS14',
    title: 'a hint of an append is there after closing and opening again',
    run: async ({ a, reopen }) => {
      await appendAll(a, sampleAppend(task, 0, { hint: { send: hint(1) } }));
      same(await waiting(await reopen()), [['agent:ada', task, 1]], 'the hints');
    },
  },
  {
    id: 'JS15',
    title: 'a new hint takes the place of all earlier ones of the task, sent or hidden',
    run: async ({ a, b }) => {
      await appendAll(a, sampleAppend(task, 0, { hint: { send: hint(1) } }));
      await b.mailbox.send(hint(1, { to: 'anyone' }));
      await b.mailbox.receive(['anyone'], { now: noon, hideMs: 1000, limit: 1 });
      await appendAll(b, sampleAppend(task, 1, { hint: { send: hint(2, { to: 'lane:audit' }) } }));
      for (const store of [a, b]) same(await waiting(store), [['lane:audit', task, 2]], 'the hints');
    },
  },
  {
    id: 'JS15',
    title: 'the same hint sent again by an append starts anew',
    run: async ({ a, b }) => {
      await appendAll(a, sampleAppend(task, 0, { hint: { send: hint(1) } }));
      const [old] = await a.mailbox.receive(['agent:ada'], { now: noon, hideMs: 1000, limit: 1 });
      check(old !== undefined, 'the hint did not come');
      await appendAll(b, sampleAppend(task, 1, { hint: { send: hint(1) } }));
      await a.mailbox.settle(old);
      const [again] = await a.mailbox.receive(['agent:ada'], { now: noon, hideMs: 1000, limit: 1 });
      same(again?.deliveries, 1, 'deliveries of the new hint');
    },
  },
  {
    id: 'JS15',
    title: 'an append that clears the hints leaves none of its task, and all of others',
    run: async ({ a, b }) => {
      await appendAll(a, sampleAppend(task, 0, { hint: { send: hint(1) } }));
      await appendAll(a, sampleAppend(other, 0, { hint: { send: hint(1, { task: other }) } }));
      await appendAll(b, sampleAppend(task, 1, { hint: { clear: true } }));
      same(await waiting(a), [['agent:ada', other, 1]], 'the hints');
    },
  },
  {
    id: 'JS15',
    title: 'an append that says nothing of hints leaves them there',
    run: async ({ a, b }) => {
      await appendAll(a, sampleAppend(task, 0, { hint: { send: hint(1) } }));
      await a.mailbox.send(hint(7, { to: 'anyone' }));
      await appendAll(b, sampleAppend(task, 1), sampleAppend(task, 2));
      await appendSome(b, other, 2);
      const wanted = [
        ['agent:ada', task, 1],
        ['anyone', task, 7],
      ];
      same(await waiting(b), wanted, 'the hints');
    },
  },
];
