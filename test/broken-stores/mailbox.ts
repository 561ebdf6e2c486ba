import { tick } from '../../src/conformance/case.ts';
import type { Address } from '../../src/core/task/address.ts';
import type { Delivery, Hint } from '../../src/ports/index.ts';
import type { World } from '../../src/stores/memory/open.ts';
import { broken, type BrokenStore } from './broken.ts';

function nameOf({ to, task, offer }: Hint): string {
  return `${to} ${task} ${offer}`;
}

function addressesIn(world: World): Address[] {
  return [...world.hints.values()].map((hint) => hint.to);
}

const arriving: readonly BrokenStore[] = [
  broken('MB1', 'send stores nothing', () => () => ({ mailbox: { send: async () => {} } })),
  broken('MB1', 'a hint comes once and never again', (world) => ({ mailbox }) => ({
    mailbox: {
      async receive(addresses, options) {
        const came = await mailbox.receive(addresses, options);
        for (const delivery of came) world.hints.delete(nameOf(delivery));
        return came;
      },
    },
  })),
  broken('MB1', 'hints for others are lost when somebody asks', (world) => ({ mailbox }) => ({
    mailbox: {
      async receive(addresses, options) {
        for (const [key, hint] of world.hints) if (!addresses.includes(hint.to)) world.hints.delete(key);
        return await mailbox.receive(addresses, options);
      },
    },
  })),
  broken('MB1', 'a hint sent while another is being sent is lost', () => {
    const state = { sending: false };
    return ({ mailbox }) => ({
      mailbox: {
        async send(hint) {
          if (state.sending) return;
          state.sending = true;
          await tick();
          state.sending = false;
          await mailbox.send(hint);
        },
      },
    });
  }),
  broken('MB2', 'a received hint is not hidden', () => ({ mailbox }) => ({
    mailbox: {
      receive: async (addresses, options) => await mailbox.receive(addresses, { ...options, hideMs: 0 }),
    },
  })),
  broken('MB2', 'a received hint is hidden a millisecond too long', () => ({ mailbox }) => ({
    mailbox: {
      receive: async (addresses, options) =>
        await mailbox.receive(addresses, { ...options, hideMs: options.hideMs + 1 }),
    },
  })),
  broken('MB2', 'a received hint is hidden only on the connection that received it', () => ({ mailbox }) => {
    const hidden = new Map<string, number>();
    return {
      mailbox: {
        async receive(addresses, { now, hideMs, limit }) {
          const all = await mailbox.receive(addresses, { now, hideMs: 0, limit: 100 });
          const came = all.filter((one) => (hidden.get(nameOf(one)) ?? 0) <= now).slice(0, limit);
          for (const one of came) hidden.set(nameOf(one), now + hideMs);
          return came;
        },
      },
    };
  }),
  broken('MB2', 'receive looks, waits, and then hides', (world) => () => ({
    mailbox: {
      async receive(addresses, { now, hideMs, limit }) {
        const due = [...world.hints.values()].filter(
          (hint) => addresses.includes(hint.to) && hint.due <= now,
        );
        await tick();
        return due.slice(0, limit).map((hint): Delivery => {
          hint.due = now + hideMs;
          hint.deliveries += 1;
          return { ...hint };
        });
      },
    },
  })),
  broken('MB2', 'receive hides more than it returns', () => ({ mailbox }) => ({
    mailbox: {
      receive: async (addresses, options) =>
        (await mailbox.receive(addresses, { ...options, limit: 100 })).slice(0, options.limit),
    },
  })),
];

const settling: readonly BrokenStore[] = [
  broken('MB3', 'settle does nothing', () => () => ({ mailbox: { settle: async () => {} } })),
  broken('MB3', 'settling twice is an error', () => {
    const settled = new Set<string>();
    return ({ mailbox }) => ({
      mailbox: {
        async settle(delivery) {
          if (settled.has(delivery.receipt)) throw new Error('This receipt was used.');
          settled.add(delivery.receipt);
          await mailbox.settle(delivery);
        },
      },
    });
  }),
  broken('MB3', 'settle does not look at the receipt', (world) => () => ({
    mailbox: {
      async settle(delivery) {
        world.hints.delete(nameOf(delivery));
      },
    },
  })),
  broken('MB3', 'settling one hint settles all of the same address', (world) => () => ({
    mailbox: {
      async settle({ to }) {
        for (const [key, hint] of world.hints) if (hint.to === to) world.hints.delete(key);
      },
    },
  })),
];

const choosing: readonly BrokenStore[] = [
  broken('MB4', 'receive does not look at the address', (world) => ({ mailbox }) => ({
    mailbox: { receive: async (_, options) => await mailbox.receive(addressesIn(world), options) },
  })),
  broken('MB4', 'receive takes no notice of case', (world) => ({ mailbox }) => ({
    mailbox: {
      async receive(addresses, options) {
        const wanted = new Set(addresses.map((address) => address.toLowerCase()));
        const fit = addressesIn(world).filter((address) => wanted.has(address.toLowerCase()));
        return await mailbox.receive(fit, options);
      },
    },
  })),
  broken('MB4', 'receive does not wait until a hint is due', (world) => ({ mailbox }) => ({
    mailbox: {
      async receive(addresses, options) {
        for (const hint of world.hints.values()) if (hint.deliveries === 0) hint.due = 0;
        return await mailbox.receive(addresses, options);
      },
    },
  })),
  broken('MB4', 'the newest come first', () => ({ mailbox }) => ({
    mailbox: {
      receive: async (addresses, options) => (await mailbox.receive(addresses, options)).toReversed(),
    },
  })),
  broken('MB4', 'hints come in the order they are due', () => ({ mailbox }) => {
    const dues = new Map<string, number>();
    return {
      mailbox: {
        async send(hint) {
          dues.set(nameOf(hint), hint.due);
          await mailbox.send(hint);
        },
        async receive(addresses, options) {
          const came = await mailbox.receive(addresses, options);
          return came.toSorted((one, two) => (dues.get(nameOf(one)) ?? 0) - (dues.get(nameOf(two)) ?? 0));
        },
      },
    };
  }),
  broken('MB4', 'receive knows no limit', () => ({ mailbox }) => ({
    mailbox: {
      receive: async (addresses, options) => await mailbox.receive(addresses, { ...options, limit: 100 }),
    },
  })),
];

const counting: readonly BrokenStore[] = [
  broken('MB5', 'a hint sent again takes the new due time', (world) => ({ mailbox }) => ({
    mailbox: {
      async send(hint) {
        await mailbox.send(hint);
        const there = world.hints.get(nameOf(hint));
        if (there !== undefined) there.due = hint.due;
      },
    },
  })),
  broken('MB5', 'a hint sent again is stored again', () => {
    const again: Hint[] = [];
    return ({ mailbox }) => ({
      mailbox: {
        async send(hint) {
          again.push(hint);
          await mailbox.send(hint);
        },
        async receive(addresses, options) {
          const came = await mailbox.receive(addresses, options);
          return came.flatMap((one) => again.filter((hint) => nameOf(hint) === nameOf(one)).map(() => one));
        },
      },
    });
  }),
  broken('MB5', 'of a task only one hint is stored', (world) => ({ mailbox }) => ({
    mailbox: {
      async send(hint) {
        if (![...world.hints.values()].some(({ task }) => task === hint.task)) await mailbox.send(hint);
      },
    },
  })),
  broken('MB5', 'a hint that was sent once cannot be sent again', () => {
    const sent = new Set<string>();
    return ({ mailbox }) => ({
      mailbox: {
        async send(hint) {
          if (!sent.has(nameOf(hint))) await mailbox.send(hint);
          sent.add(nameOf(hint));
        },
      },
    });
  }),
  broken('MB6', 'close loses the hints', (world) => () => ({ close: async () => world.hints.clear() })),
  broken('MB6', 'close brings hidden hints out', (world) => () => ({
    close: async () => {
      for (const hint of world.hints.values()) hint.due = 0;
    },
  })),
  broken('MB7', 'deliveries are not counted', () => ({ mailbox }) => ({
    mailbox: {
      receive: async (addresses, options) =>
        (await mailbox.receive(addresses, options)).map((one) => ({ ...one, deliveries: 1 })),
    },
  })),
  broken('MB7', 'deliveries are counted from zero', () => ({ mailbox }) => ({
    mailbox: {
      receive: async (addresses, options) =>
        (await mailbox.receive(addresses, options)).map((one) => ({
          ...one,
          deliveries: one.deliveries - 1,
        })),
    },
  })),
  broken('MB7', 'every caller is counted, whether or not the hint comes', (world) => ({ mailbox }) => ({
    mailbox: {
      async receive(addresses, options) {
        const came = await mailbox.receive(addresses, options);
        const names = new Set(came.map(nameOf));
        for (const [key, hint] of world.hints) if (!names.has(key)) hint.deliveries += 1;
        return came;
      },
    },
  })),
];

export const brokenMailboxes: readonly BrokenStore[] = [...arriving, ...settling, ...choosing, ...counting];
