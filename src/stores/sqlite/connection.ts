/**
 * One connection to the database file and the only place where a transaction is made.
 *
 * Writers queue by trying: SQLite's own busy handler lets one process starve another (10,028 writes against 1 measured in a
 * tight race), so `busy_timeout` is 0 and BEGIN IMMEDIATE is retried after a random pause. Short pauses block the thread, because a
 * timer cannot wait less than a millisecond; after `blockingMs` the event loop gets its turn between tries.
 * The body of a transaction is synchronous: nothing else runs on this connection between BEGIN and COMMIT.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { StaffettaError } from '../../core/error.ts';
import type { Reached } from '../../ports/step.ts';
import { isBusy, translate, unknownOutcome } from './errors.ts';

const pauseMsMin = 0.2;
const pauseMsMax = 1.7;
const blockingMs = 15;

const parked = new Int32Array(new SharedArrayBuffer(4));

export interface ConnectionOptions {
  readonly busyMs: number;
  readonly reached: Reached;
}

export class Connection {
  readonly url: string;
  readonly reached: Reached;
  readonly #db: DatabaseSync;
  readonly #options: ConnectionOptions;
  readonly #statements = new Map<string, StatementSync>();
  readonly #lists = new Map<string, StatementSync>();
  #closed = false;

  constructor(db: DatabaseSync, url: string, options: ConnectionOptions) {
    this.#db = db;
    this.url = url;
    this.reached = options.reached;
    this.#options = options;
  }

  sql(text: string): StatementSync {
    this.#refuseClosed();
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      statement = this.#db.prepare(text);
      this.#statements.set(text, statement);
    }
    return statement;
  }

  /** Its rows come as lists: naming each value takes a fifth of reading a short row. */
  list(text: string): StatementSync {
    this.#refuseClosed();
    let statement = this.#lists.get(text);
    if (statement === undefined) {
      statement = this.#db.prepare(text);
      statement.setReturnArrays(true);
      this.#lists.set(text, statement);
    }
    return statement;
  }

  /** A read outside a transaction sees the latest commit. It never waits for writers. */
  async read<T>(body: () => T): Promise<T> {
    const deadline = Date.now() + this.#options.busyMs;
    for (;;) {
      try {
        return body();
      } catch (error) {
        // A reader meets "busy" only while another process recovers the log or closes last.
        if (!isBusy(error) || Date.now() >= deadline) throw translate(error, this.url);
      }
      await sleep(1);
    }
  }

  /** Several reads that see the same commit, and take the lock for it once: half of what a short read costs. */
  async readTogether<T>(body: () => T): Promise<T> {
    return await this.read(() => {
      this.sql('BEGIN').run();
      try {
        const result = body();
        this.sql('END').run();
        return result;
      } catch (error) {
        this.#rollback();
        throw error;
      }
    });
  }

  async write<T>(body: () => T): Promise<T> {
    const started = Date.now();
    // No await between BEGIN and COMMIT: other calls on this connection would get into this transaction.
    while (!this.#begins(started)) await this.#pause(started);
    let result: T;
    try {
      this.reached('sqlite:begun');
      result = body();
      this.reached('sqlite:written');
    } catch (error) {
      this.#rollback();
      throw translate(error, this.url);
    }
    try {
      this.sql('COMMIT').run();
    } catch (error) {
      this.#rollback();
      throw unknownOutcome(error, this.url);
    }
    this.reached('sqlite:committed');
    return result;
  }

  exec(text: string): void {
    this.#refuseClosed();
    try {
      this.#db.exec(text);
    } catch (error) {
      throw translate(error, this.url);
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#statements.clear();
    this.#lists.clear();
    this.#db.close();
  }

  /** False while another connection is writing. */
  #begins(started: number): boolean {
    this.#refuseClosed();
    try {
      this.sql('BEGIN IMMEDIATE').run();
      return true;
    } catch (error) {
      if (!isBusy(error) || Date.now() - started >= this.#options.busyMs) throw translate(error, this.url);
      return false;
    }
  }

  async #pause(started: number): Promise<void> {
    const pauseMs = pauseMsMin + Math.random() * (pauseMsMax - pauseMsMin);
    if (Date.now() - started < blockingMs) Atomics.wait(parked, 0, 0, pauseMs);
    else await sleep(pauseMs);
  }

  #refuseClosed(): void {
    if (!this.#closed) return;
    throw new StaffettaError('store-closed', 'The store is closed.', { hint: 'Open it again.' });
  }

  #rollback(): void {
    // After some failures SQLite has rolled back by itself; a second rollback is then an error without meaning.
    if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
  }
}
