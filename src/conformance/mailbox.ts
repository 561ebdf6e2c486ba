import type { Address } from '../core/task/address.ts';
import type { Delivery, Hint, ReceiveOptions } from '../ports/mailbox.ts';
import type { Store } from '../ports/store.ts';
import type { Bench } from './bench.ts';
import { check, same, tick, watching, type Case } from './case.ts';
import { noon, numbers, sampleTask } from './sample.ts';

const hideMs = 5000;
const anyone: Address = 'anyone';

function hint(n: number, over: Partial<Hint> = {}): Hint {
  return { to: anyone, task: sampleTask(n), offer: 1, due: noon, ...over };
}

async function receive(
  store: Store,
  over: Partial<ReceiveOptions> = {},
  addresses: readonly Address[] = [anyone],
): Promise<readonly Delivery[]> {
  return await store.mailbox.receive(addresses, { now: noon, hideMs, limit: 100, ...over });
}

/** Which hints they are, by what the sender said. */
function names(deliveries: readonly Delivery[]): unknown[] {
  return deliveries.map(({ to, task, offer }) => [to, task, offer]);
}

function named(...hints: readonly Hint[]): unknown[] {
  return hints.map(({ to, task, offer }) => [to, task, offer]);
}

async function sendMany(store: Store, first: number): Promise<void> {
  for (const n of numbers(15)) {
    await store.mailbox.send(hint(first + n));
    await tick();
  }
}

async function one(store: Store, over: Partial<ReceiveOptions> = {}): Promise<Delivery> {
  const [delivery, ...more] = await receive(store, over);
  check(delivery !== undefined, 'the hint did not come');
  same(more, [], 'more than the one hint');
  return delivery;
}

const arriving: readonly Case<Bench>[] = [
  {
    id: 'MB1',
    title: 'a hint sent on one connection is received on the other, with what the sender said',
    run: async ({ a, b }) => {
      const addresses: Address[] = ['agent:zoë@home', 'lane:audit', 'runtime:claude-code', 'anyone'];
      for (const [n, to] of addresses.entries()) {
        const sent = hint(n, { to, offer: n * 1000 });
        await a.mailbox.send(sent);
        same(names(await receive(b, {}, [to])), named(sent), `what came for ${to}`);
      }
    },
  },
  {
    id: 'MB1',
    title: 'a hint that its receiver forgets is received again and again until somebody settles it',
    run: async ({ a, b }) => {
      await a.mailbox.send(hint(1));
      for (const n of numbers(12)) await one(n % 2 === 0 ? a : b, { now: noon + n * hideMs });
    },
  },
  {
    id: 'MB1',
    title: 'hints for one address wait while another is asked for',
    run: async ({ a, b }) => {
      await a.mailbox.send(hint(1, { to: 'agent:ada' }));
      await a.mailbox.send(hint(2, { to: 'agent:bob' }));
      same(names(await receive(b, {}, ['agent:bob'])), named(hint(2, { to: 'agent:bob' })), 'for bob');
      same(names(await receive(b, {}, ['agent:ada'])), named(hint(1, { to: 'agent:ada' })), 'for ada');
    },
  },
  {
    id: 'MB1',
    title: 'of many hints sent and received at once on two connections none is lost',
    run: async ({ a, b }) => {
      const came: Delivery[] = [];
      const take = async (store: Store): Promise<number> => {
        const page = await receive(store, { limit: 2 });
        came.push(...page);
        for (const delivery of page) await store.mailbox.settle(delivery);
        return page.length;
      };
      await watching([sendMany(a, 0), sendMany(b, 50)], async () => {
        await Promise.all([take(a), take(b)]);
      });
      for (let pages = 0; (await take(b)) > 0; pages += 1) check(pages < 100, 'hints keep coming');
      const wanted = [...numbers(15), ...numbers(15).map((n) => n + 50)].map(sampleTask);
      same(came.map((delivery) => delivery.task).toSorted(), wanted.toSorted(), 'the hints that came');
    },
  },
  {
    id: 'MB2',
    title: 'a received hint is hidden on every connection until its time is up, and then comes again',
    run: async ({ a, b }) => {
      await a.mailbox.send(hint(1));
      await one(a);
      for (const store of [a, b])
        for (const later of [0, 1, hideMs - 1])
          same(await receive(store, { now: noon + later }), [], `what came ${later} ms later`);
      await one(b, { now: noon + hideMs, hideMs: 100 });
      same(await receive(a, { now: noon + hideMs + 99 }), [], 'what came before the second time was up');
      await one(a, { now: noon + hideMs + 100 });
    },
  },
  {
    id: 'MB2',
    title: 'of eight that ask at once on two connections one receives the hint',
    run: async ({ a, b }) => {
      for (const n of numbers(6)) {
        await a.mailbox.send(hint(n));
        const pages = await Promise.all(numbers(8).map(async (who) => await receive(who % 2 === 0 ? a : b)));
        same(pages.flat().length, 1, 'deliveries of one hint');
      }
    },
  },
  {
    id: 'MB2',
    title: 'a hint beyond the limit is not hidden',
    run: async ({ a, b }) => {
      for (const n of numbers(3)) await a.mailbox.send(hint(n));
      same(names(await receive(a, { limit: 1 })), named(hint(0)), 'the first page');
      same(names(await receive(b)), named(hint(1), hint(2)), 'the second page');
    },
  },
];

const settling: readonly Case<Bench>[] = [
  {
    id: 'MB3',
    title: 'a settled hint never comes again, on any connection',
    run: async ({ a, b }) => {
      for (const n of [1, 2]) await a.mailbox.send(hint(n));
      const [delivery] = await receive(a, { limit: 1 });
      check(delivery !== undefined, 'the hint did not come');
      await b.mailbox.settle(delivery);
      for (const now of [noon, noon + hideMs, noon * 2])
        same(names(await receive(b, { now, hideMs: 0 })), named(hint(2)), 'what still comes');
    },
  },
  {
    id: 'MB3',
    title: 'settling twice is harmless',
    run: async ({ a, b }) => {
      for (const n of [1, 2]) await a.mailbox.send(hint(n));
      const [delivery] = await receive(a, { limit: 1 });
      check(delivery !== undefined, 'the hint did not come');
      await Promise.all([a.mailbox.settle(delivery), b.mailbox.settle(delivery)]);
      await a.mailbox.settle(delivery);
      same(names(await receive(b, { now: noon * 2 })), named(hint(2)), 'what still comes');
    },
  },
  {
    id: 'MB3',
    title: 'an old receipt does not settle a hint that was received again since',
    run: async ({ a, b }) => {
      await a.mailbox.send(hint(1));
      const slow = await one(a);
      const next = await one(b, { now: noon + hideMs });
      await a.mailbox.settle(slow);
      const third = await one(a, { now: noon + 2 * hideMs });
      await b.mailbox.settle(next);
      await a.mailbox.settle(third);
      same(await receive(b, { now: noon * 2 }), [], 'what came after the latest receipt was settled');
    },
  },
  {
    id: 'MB3',
    title: 'an old receipt does not settle a hint that was sent again since',
    run: async ({ a, b }) => {
      await a.mailbox.send(hint(1));
      const old = await one(a);
      await a.mailbox.settle(old);
      await b.mailbox.send(hint(1));
      await a.mailbox.settle(old);
      await one(b);
      await a.mailbox.settle(old);
      await one(b, { now: noon + hideMs });
    },
  },
  {
    id: 'MB3',
    title: 'a hint can be settled after its time was up, if nobody received it since',
    run: async ({ a, b }) => {
      await a.mailbox.send(hint(1));
      const slow = await one(a, { hideMs: 0 });
      await a.mailbox.settle(slow);
      same(await receive(b, { now: noon * 2 }), [], 'what came');
    },
  },
];

const choosing: readonly Case<Bench>[] = [
  {
    id: 'MB4',
    title: 'only hints for the given addresses come, each for an exact match',
    run: async ({ a, b }) => {
      const sent: Address[] = ['agent:ada', 'agent:Ada', 'agent:ad', 'runtime:ada', 'lane:plan', 'anyone'];
      for (const [n, to] of sent.entries()) await a.mailbox.send(hint(n, { to }));
      const asked: Address[] = ['agent:ada', 'lane:plan', 'agent:ada'];
      const wanted = named(hint(0, { to: 'agent:ada' }), hint(4, { to: 'lane:plan' }));
      same(names(await receive(b, {}, asked)), wanted, 'what came');
      same(await receive(b, {}, []), [], 'what came for no address');
      same((await receive(b, {}, sent)).length, 4, 'hints left for the others');
    },
  },
  {
    id: 'MB4',
    title: 'a hint does not come before it is due',
    run: async ({ a, b }) => {
      await a.mailbox.send(hint(1, { due: noon + 10 }));
      await a.mailbox.send(hint(2));
      same(names(await receive(b, { now: noon - 1 })), [], 'what came before anything was due');
      same(names(await receive(b, { now: noon + 9 })), named(hint(2)), 'what came just before');
      same(names(await receive(b, { now: noon + 10 })), named(hint(1)), 'what came at its time');
    },
  },
  {
    id: 'MB4',
    title:
      'hints come in the order they were sent, whatever their address or due time, also when they come again',
    run: async ({ a, b }) => {
      const sent = numbers(8).map((n) =>
        hint((n * 5) % 8, { due: noon - n, to: n % 3 === 0 ? 'agent:ada' : anyone }),
      );
      for (const [n, one] of sent.entries()) await (n % 2 === 0 ? a : b).mailbox.send(one);
      const asked: Address[] = [anyone, 'agent:ada'];
      same(names(await receive(b, { limit: 3 }, asked)), named(...sent.slice(0, 3)), 'the first page');
      same(names(await receive(b, { limit: 3 }, asked)), named(...sent.slice(3, 6)), 'the second page');
      same(
        names(await receive(a, { now: noon + hideMs }, asked)),
        named(...sent),
        'all, when they come again',
      );
    },
  },
  {
    id: 'MB4',
    title: 'no more hints come than the limit',
    run: async ({ a, b }) => {
      same(await receive(a), [], 'what came from an empty mailbox');
      for (const n of numbers(7)) await a.mailbox.send(hint(n));
      const lengths = [];
      for (const limit of [1, 2, 3, 4]) lengths.push((await receive(b, { limit })).length);
      same(lengths, [1, 2, 3, 1], 'hints per page');
    },
  },
];

const counting: readonly Case<Bench>[] = [
  {
    id: 'MB5',
    title: 'a hint sent many times, at once or later, is stored once, with the due time of the first',
    run: async ({ a, b }) => {
      await a.mailbox.send(hint(1, { due: noon + 10 }));
      await Promise.all(numbers(8).map(async (n) => await (n % 2 === 0 ? a : b).mailbox.send(hint(1))));
      await Promise.all(numbers(8).map(async (n) => await (n % 2 === 0 ? a : b).mailbox.send(hint(2))));
      same(names(await receive(b)), named(hint(2)), 'what is due at first');
      same(names(await receive(a, { now: noon + 10 })), named(hint(1)), 'what is due later');
    },
  },
  {
    id: 'MB5',
    title: 'sending again does not bring out a hint that is hidden',
    run: async ({ a, b }) => {
      await a.mailbox.send(hint(1));
      const delivery = await one(a);
      await b.mailbox.send(hint(1));
      same(await receive(b), [], 'what came while the hint was hidden');
      await a.mailbox.settle(delivery);
      same(await receive(b, { now: noon * 2 }), [], 'what came after it was settled');
    },
  },
  {
    id: 'MB5',
    title: 'hints that differ in address, task or offer are different',
    run: async ({ a, b }) => {
      const sent = [hint(1), hint(2), hint(1, { offer: 2 }), hint(1, { to: 'agent:ada' })];
      for (const one of sent) await a.mailbox.send(one);
      same(names(await receive(b, {}, [anyone, 'agent:ada'])), named(...sent), 'what came');
    },
  },
  {
    id: 'MB5',
    title: 'a settled hint can be sent again',
    run: async ({ a, b }) => {
      await a.mailbox.send(hint(1));
      await a.mailbox.settle(await one(a));
      await b.mailbox.send(hint(1));
      same((await one(a)).deliveries, 1, 'deliveries of the new hint');
    },
  },
  {
    id: 'MB6',
    title: 'hints, hidden ones and settled ones are as they were after closing and opening again',
    run: async ({ a, b, reopen }) => {
      for (const n of numbers(3)) await (n % 2 === 0 ? a : b).mailbox.send(hint(n));
      const [settled] = await receive(a, { limit: 2 });
      check(settled !== undefined, 'the hint did not come');
      await a.mailbox.settle(settled);
      const again = await reopen();
      same(names(await receive(again)), named(hint(2)), 'what came at once');
      same(names(await receive(again, { now: noon + hideMs })), named(hint(1), hint(2)), 'what came again');
    },
  },
  {
    id: 'MB7',
    title: 'deliveries counts every time the hint was received, on any connection and after opening again',
    run: async ({ a, b, reopen }) => {
      await a.mailbox.send(hint(1));
      for (const n of numbers(4))
        same((await one(n % 2 === 0 ? a : b, { now: noon + n * hideMs })).deliveries, n + 1, 'deliveries');
      same((await one(await reopen(), { now: noon + 4 * hideMs })).deliveries, 5, 'deliveries afterwards');
    },
  },
  {
    id: 'MB7',
    title: 'looking in vain or being sent again does not count',
    run: async ({ a, b }) => {
      await a.mailbox.send(hint(1));
      await a.mailbox.send(hint(2, { due: noon + 10 * hideMs }));
      await one(a);
      for (const later of [1, 2, 3]) await receive(b, { now: noon + later });
      await b.mailbox.send(hint(1));
      same((await one(b, { now: noon + hideMs })).deliveries, 2, 'deliveries of the first hint');
      const [, second] = await receive(a, { now: noon + 10 * hideMs });
      same(second?.deliveries, 1, 'deliveries of the second hint');
    },
  },
];

export const mailboxCases: readonly Case<Bench>[] = [...arriving, ...settling, ...choosing, ...counting];
