import type { Bell, Store } from '../../src/ports/index.ts';
import { broken, type BrokenStore } from './broken.ts';

type Ring = (address: string) => void;

/** A bell that all connections of a scratch share: right, but for what is wrong with it. */
function belfry(wrong: { readonly deaf?: 'sends' | 'appends' | 'between'; readonly forAll?: true } = {}): (
  store: Store,
) => Pick<Store, 'bell'> & {
  readonly journal: Partial<Store['journal']>;
  readonly mailbox: Partial<Store['mailbox']>;
} {
  const listeners = new Set<Ring>();
  const ring: Ring = (address) => {
    for (const listener of listeners) listener(address);
  };
  return ({ journal, mailbox }) => {
    const missed = new Set<string>();
    const waits = new Set<Ring>();
    listeners.add((address) => {
      if (wrong.deaf !== 'between') missed.add(address);
      for (const wait of waits) wait(address);
    });
    const bell: Bell = {
      async wait(addresses, signal) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const hear: Ring = (address) => {
          if (wrong.forAll !== true && !addresses.some((one) => one === address)) return;
          missed.delete(address);
          resolve();
        };
        waits.add(hear);
        signal.addEventListener('abort', () => resolve(), { once: true });
        if (signal.aborted) resolve();
        for (const address of missed) hear(address);
        await promise;
        waits.delete(hear);
      },
    };
    return {
      bell,
      journal: {
        async append(append) {
          const outcome = await journal.append(append);
          if (append.hint !== undefined && 'send' in append.hint && wrong.deaf !== 'appends')
            ring(append.hint.send.to);
          return outcome;
        },
      },
      mailbox: {
        async send(hint) {
          await mailbox.send(hint);
          if (wrong.deaf !== 'sends' || hint.to === 'agent:probe') ring(hint.to);
        },
      },
    };
  };
}

/** Right in everything: the cases pass for a bell that is not broken. */
export const wholeBell = broken('', 'nothing', () => belfry()).openScratch;

export const brokenBells: readonly BrokenStore[] = [
  broken('BL1', 'a wait goes on when nobody wants it any more', () => (store) => {
    const parts = belfry()(store);
    return {
      ...parts,
      bell: { wait: async (addresses) => await parts.bell?.wait(addresses, new AbortController().signal) },
    };
  }),
  broken('BL1', 'a wait that is over fails', () => (store) => {
    const parts = belfry()(store);
    return {
      ...parts,
      bell: {
        async wait(addresses, signal) {
          await parts.bell?.wait(addresses, signal);
          signal.throwIfAborted();
        },
      },
    };
  }),
  broken('BL2', 'a hint that is sent alone rings nothing', () => belfry({ deaf: 'sends' })),
  broken('BL2', 'an append rings nothing', () => belfry({ deaf: 'appends' })),
  broken('BL2', 'what rings between two waits is forgotten', () => belfry({ deaf: 'between' })),
  broken('BL3', 'everybody is woken', () => belfry({ forAll: true })),
];
