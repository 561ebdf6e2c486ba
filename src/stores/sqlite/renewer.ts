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
 * Runs as it stands, so that it needs no file of its own beside a bundle. Busy is no reason to stop: the next beat tries again.
 * A store that a newer program brought up to date is not written to any more: the lease then ends by itself, and the holder is told why
 * when it next writes. That is asked in the statement that writes, so that nobody can bring it up to date in between.
 * Node 22 warns of its SQLite in every thread; once, in the main one, is enough.
 */
const beat = `
process.emitWarning = () => {};
const { parentPort, workerData } = require('node:worker_threads');
const { DatabaseSync } = require('node:sqlite');
const db = new DatabaseSync(workerData.path, { timeout: 50, defensive: true });
db.exec('PRAGMA synchronous = EXTRA; PRAGMA trusted_schema = OFF');
const renew = db.prepare('UPDATE task SET lease_until = max(lease_until, ?) WHERE id = ? AND lease_generation = ? AND CAST((' + workerData.readableBy + ') AS INTEGER) <= ' + workerData.schema + ' RETURNING 1');
const look = db.prepare('SELECT 1 FROM task WHERE id = ? AND lease_generation = ?');
const timers = new Map();
parentPort.on('message', ({ id, lease }) => {
  clearInterval(timers.get(id));
  timers.delete(id);
  if (lease === undefined) return;
  let ticks = 0;
  timers.set(id, setInterval(() => {
    ticks += 1;
    try {
      if (ticks % lease.looks === 0 && renew.get(Date.now() + lease.aheadMs + lease.leaseMs, lease.task, lease.generation) !== undefined) return;
      if (look.get(lease.task, lease.generation) !== undefined) return;
    } catch {
      return;
    }
    clearInterval(timers.get(id));
    timers.delete(id);
    parentPort.postMessage(id);
  }, lease.everyMs));
});
`;

export function sqliteRenewer(path: string): Renewer & { close(): Promise<void> } {
  const kept = new Map<number, AbortController>();
  let thread: Worker | undefined;
  let ids = 0;

  const started = (): Worker => {
    if (thread !== undefined) return thread;
    const { Worker: Thread } = process.getBuiltinModule('node:worker_threads');
    const workerData = { path, readableBy, schema: schemaNumber };
    thread = new Thread(beat, { eval: true, workerData, stdin: false });
    thread.on('message', (id: number) => kept.get(id)?.abort(new Error('the lease is lost')));
    // Without the thread a lease merely lapses, which is safe; the handler learns it when it next writes.
    thread.on('error', () => {
      thread = undefined;
    });
    thread.unref();
    return thread;
  };

  return {
    keep({ task, generation, leaseMs, now }: LeaseToKeep) {
      ids += 1;
      const id = ids;
      const lost = new AbortController();
      kept.set(id, lost);
      // The thread has no other clock than the system's: it is told how far the caller's is ahead of that.
      // Between two renewals it looks whether there is still something to renew: a leg may be lost at any time.
      const looks = Math.ceil(renewEveryMs(leaseMs) / limits.lossLookMs);
      const everyMs = renewEveryMs(leaseMs) / looks;
      const lease = { task, generation, leaseMs, aheadMs: now - Date.now(), looks, everyMs };
      started().postMessage({ id, lease });
      return {
        lost: lost.signal,
        release() {
          kept.delete(id);
          thread?.postMessage({ id });
        },
      };
    },
    async close() {
      await thread?.terminate();
      thread = undefined;
    },
  };
}
