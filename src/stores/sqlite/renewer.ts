/**
 * Leases renewed from a thread of their own: a handler that blocks the event loop (a long computation, a synchronous
 * tool) must not lose its task to its own silence. One thread serves all legs of a store; it is started with the first
 * one and ends with the process. If the whole process stops or dies, the thread stops with it, and the lease lapses as it should.
 */
import type { Worker } from 'node:worker_threads';
import { renewEveryMs } from '../../core/task/lease.ts';
import { limits } from '../../core/base/limits.ts';
import type { LeaseToKeep, Renewer } from '../../ports/store.ts';
import { readableBy, schemaNumber } from './schema.ts';

/**
 * Runs as it stands, so that it needs no file of its own beside a bundle. A store that is busy or cannot be opened now is no reason to stop:
 * the next beat tries again, and what could not be renewed is renewed then, long before it is due once more.
 * A store that a newer program brought up to date is not written to any more: the lease then ends by itself, and the holder is told why
 * when it next writes. That is asked in the statement that writes, so that nobody can bring it up to date in between.
 * Node 22 warns of its SQLite in every thread; once, in the main one, is enough.
 */
const beat = `
process.emitWarning = () => {};
const { parentPort, workerData } = require('node:worker_threads');
const { DatabaseSync } = require('node:sqlite');
let statements;
const opened = () => {
  if (statements !== undefined) return statements;
  const db = new DatabaseSync(workerData.path, { timeout: 50, defensive: true });
  try {
    db.exec('PRAGMA synchronous = EXTRA; PRAGMA trusted_schema = OFF');
    statements = {
      renew: db.prepare('UPDATE task SET lease_until = max(lease_until, ?) WHERE id = ? AND lease_generation = ? AND CAST((' + workerData.readableBy + ') AS INTEGER) <= ' + workerData.schema + ' RETURNING 1'),
      look: db.prepare('SELECT 1 FROM task WHERE id = ? AND lease_generation = ?'),
    };
  } catch (error) {
    db.close();
    throw error;
  }
  return statements;
};
const timers = new Map();
parentPort.on('message', ({ id, lease }) => {
  clearInterval(timers.get(id));
  timers.delete(id);
  if (lease === undefined) return;
  let ticks = 0;
  timers.set(id, setInterval(() => {
    ticks += 1;
    try {
      const { renew, look } = opened();
      const isDue = ticks >= lease.looks;
      const isRenewed =
        isDue && renew.get(Date.now() + lease.aheadMs + lease.leaseMs, lease.task, lease.generation) !== undefined;
      if (isDue) ticks = 0;
      if (isRenewed || look.get(lease.task, lease.generation) !== undefined) return;
    } catch {
      return;
    }
    clearInterval(timers.get(id));
    timers.delete(id);
    parentPort.postMessage(id);
  }, lease.everyMs));
});
`;

interface Kept {
  readonly lost: AbortController;
  readonly lease: Pick<LeaseToKeep, 'task' | 'generation' | 'leaseMs'> & {
    readonly aheadMs: number;
    readonly looks: number;
    readonly everyMs: number;
  };
}

/** A thread that ended is replaced after this: where memory is short, it would end again at once. */
const againMs = 500;

export function sqliteRenewer(path: string): Renewer & { close(): Promise<void> } {
  const kept = new Map<number, Kept>();
  let thread: Worker | undefined;
  let ids = 0;

  const tell = (id: number): void => thread?.postMessage({ id, lease: kept.get(id)?.lease });
  const start = (): void => {
    const { Worker: Thread } = process.getBuiltinModule('node:worker_threads');
    const workerData = { path, readableBy, schema: schemaNumber };
    const begun = new Thread(beat, { eval: true, workerData, stdin: false });
    thread = begun;
    begun.on('message', (id: number) => kept.get(id)?.lost.abort(new Error('the lease is lost')));
    // A holder would go on and never be told that the lease has lapsed.
    begun.on('error', () => {
      if (thread !== begun) return;
      thread = undefined;
      setTimeout(() => {
        if (thread === undefined && kept.size > 0) start();
      }, againMs).unref();
    });
    begun.unref();
    for (const id of kept.keys()) tell(id);
  };

  return {
    keep({ task, generation, leaseMs, now }: LeaseToKeep) {
      ids += 1;
      const id = ids;
      const lost = new AbortController();
      // The thread has no other clock than the system's: it is told how far the caller's is ahead of that.
      // Between two renewals it looks whether there is still something to renew: a leg may be lost at any time.
      const looks = Math.ceil(renewEveryMs(leaseMs) / limits.lossLookMs);
      const everyMs = renewEveryMs(leaseMs) / looks;
      const lease = { task, generation, leaseMs, aheadMs: now - Date.now(), looks, everyMs };
      kept.set(id, { lost, lease });
      if (thread === undefined) start();
      else tell(id);
      return {
        lost: lost.signal,
        release() {
          kept.delete(id);
          tell(id);
        },
      };
    },
    async close() {
      kept.clear();
      const ending = thread;
      thread = undefined;
      await ending?.terminate();
    },
  };
}
