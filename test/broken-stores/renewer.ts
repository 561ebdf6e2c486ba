import { renewEveryMs } from '../../src/core/task/lease.ts';
import type { LeaseToKeep, Renewer, Store } from '../../src/ports/store.ts';
import { broken, type BrokenStore } from './broken.ts';

interface Beat {
  readonly store: Store;
  readonly lease: LeaseToKeep;
  readonly lost: AbortController;
  readonly stop: () => void;
  readonly aheadMs: number;
}

/** A renewer on timers: right in everything but that it needs the event loop. */
function beating(store: Store, wrong: { readonly beat?: (beat: Beat) => Promise<void> } = {}): Renewer {
  return {
    keep(lease) {
      const lost = new AbortController();
      const stop = (): void => clearInterval(timer);
      const beat = wrong.beat ?? right;
      const aheadMs = lease.now - Date.now();
      const timer = setInterval(
        () => void beat({ store, lease, lost, stop, aheadMs }).catch(stop),
        renewEveryMs(lease.leaseMs),
      );
      timer.unref();
      return { lost: lost.signal, release: stop };
    },
  };
}

async function right({ store, lease, lost, stop, aheadMs }: Beat): Promise<void> {
  const until = Date.now() + aheadMs + lease.leaseMs;
  const renewed = await store.journal.renew(lease.task, lease.generation, until);
  if (renewed !== null) return;
  stop();
  lost.abort();
}

export const brokenRenewers: readonly BrokenStore[] = [
  broken('RN1', 'a lease is renewed once only', () => (store) => ({
    renewer: beating(store, {
      async beat(beat) {
        await right(beat);
        beat.stop();
      },
    }),
  })),
  broken('RN1', 'a lease is renewed for an hour', () => (store) => ({
    renewer: beating(store, {
      beat: async (beat) => await right({ ...beat, lease: { ...beat.lease, leaseMs: 3_600_000 } }),
    }),
  })),
  broken('RN1', 'a blocked event loop stops the renewals', () => (store) => ({ renewer: beating(store) })),
  broken('RN2', 'a released lease is renewed all the same', () => (store) => ({
    renewer: {
      keep(lease) {
        const { lost } = beating(store).keep(lease);
        return { lost, release: () => {} };
      },
    },
  })),
  broken('RN2', 'a release takes the lease away', (world) => (store) => ({
    renewer: {
      keep(lease) {
        const kept = beating(store).keep(lease);
        const giveUp = (): void => {
          kept.release();
          const task = world.tasks.get(lease.task);
          if (task !== undefined) task.lease = null;
        };
        return { lost: kept.lost, release: giveUp };
      },
    },
  })),
  broken('RN2', 'a closed store goes on renewing', () => (store) => ({
    renewer: beating(store),
    close: async () => {},
  })),
  broken('RN3', 'a loss is never told', () => (store) => ({
    renewer: { keep: (lease) => ({ ...beating(store).keep(lease), lost: new AbortController().signal }) },
  })),
  broken('RN3', 'a loss is found when the next renewal is due', () => (store) => ({
    renewer: beating(store),
  })),
  broken('RN3', 'a lease is given up while it is held', () => (store) => ({
    renewer: beating(store, {
      async beat(beat) {
        await right(beat);
        beat.lost.abort();
      },
    }),
  })),
  broken('RN3', 'a release is told as a loss', () => (store) => ({
    renewer: {
      keep(lease) {
        const lost = new AbortController();
        const kept = beating(store).keep(lease);
        const giveUp = (): void => {
          kept.release();
          lost.abort();
        };
        return { lost: AbortSignal.any([lost.signal, kept.lost]), release: giveUp };
      },
    },
  })),
  broken('RN4', 'a lease is renewed by the time of the system', () => (store) => ({
    renewer: beating(store, { beat: async (beat) => await right({ ...beat, aheadMs: 0 }) }),
  })),
];
