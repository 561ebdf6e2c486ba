/**
 * One connection to the database file and the only place where a transaction is made.
 *
 * Writers queue by trying: SQLite's own busy handler lets one process starve another (10,028 writes against 1 measured in a
 * tight race), so `busy_timeout` is 0 and BEGIN IMMEDIATE is retried after a random pause. Short pauses block the thread, because a
 * timer cannot wait less than a millisecond; after `blockingMs` the event loop gets its turn between tries.
 * The body of a transaction is synchronous: nothing else runs on this connection between BEGIN and COMMIT.
 *
 * Where the disk has no room for the index of the log, which all processes share, the file is opened for each call alone, with that
 * index in memory, and closed again: meanwhile nobody else can have it open. As soon as there is room it is shared as ever.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { StaffettaError } from '../../core/base/error.ts';
import type { Reached } from '../../ports/step.ts';
import { isBusyError, isNoRoom, translate, unknownOutcome } from './errors.ts';
import { secure, settleJournal } from './secure.ts';

const pauseMsMin = 0.2;
const pauseMsMax = 1.7;
const blockingMs = 15;
/** Longer for a commit, which would be done in vain: a reader in the middle of a look is soon through, also on a busy machine. */
const committingMs = 100;

const parked = new Int32Array(new SharedArrayBuffer(4));

export interface ConnectionOptions {
  readonly busyMs: number;
  readonly reached: Reached;
  /** Throws where the file that is open must not be changed any more. */
  readonly mayWrite: () => void;
}

/** How to open the file where there may be no room to share it. Both throw what SQLite says. */
export interface Narrow {
  readonly shared: () => DatabaseSync;
  readonly alone: () => DatabaseSync;
}

export class Connection {
  readonly url: string;
  readonly reached: Reached;
  #db: DatabaseSync | undefined;
  #narrow: Narrow | undefined;
  readonly #options: ConnectionOptions;
  readonly #statements = new Map<string, StatementSync>();
  readonly #lists = new Map<string, StatementSync>();
  #refuse: () => void = () => {};
  #closed = false;

  constructor(opened: DatabaseSync | Narrow, url: string, options: ConnectionOptions) {
    if ('shared' in opened) this.#narrow = opened;
    else this.#db = opened;
    this.url = url;
    this.reached = options.reached;
    this.#options = options;
  }

  sql(text: string): StatementSync {
    const db = this.#open();
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      statement = db.prepare(text);
      this.#statements.set(text, statement);
    }
    return statement;
  }

  /** Its rows come as lists: naming each value takes a fifth of reading a short row. */
  list(text: string): StatementSync {
    const db = this.#open();
    let statement = this.#lists.get(text);
    if (statement === undefined) {
      statement = db.prepare(text);
      statement.setReturnArrays(true);
      this.#lists.set(text, statement);
    }
    return statement;
  }

  /** A read outside a transaction sees the latest commit. With a write-ahead log it never waits for writers. */
  async read<T>(body: () => T): Promise<T> {
    const started = Date.now();
    for (;;) {
      try {
        return this.#during(body);
      } catch (error) {
        // With a log a reader meets "busy" only while another process recovers it or closes last, or has the file for itself.
        if (!isBusyError(error) || Date.now() - started >= this.#options.busyMs)
          throw translate(error, this.url);
      }
      await this.#pause(started);
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
    for (;;) {
      // No await between BEGIN and COMMIT: other calls on this connection would get into this transaction.
      const done = this.#transaction(started, body);
      if (done !== undefined) return done.result;
      await this.#pause(started);
    }
  }

  /** Undefined while another connection is writing, or where others read for so long that a rollback journal cannot be closed. */
  #transaction<T>(started: number, body: () => T): { readonly result: T } | undefined {
    this.#refuseClosed();
    try {
      return this.#during(() => {
        this.#options.mayWrite();
        this.sql('BEGIN IMMEDIATE').run();
        return { result: this.#committed(body) };
      });
    } catch (error) {
      if (isBusyError(error) && Date.now() - started < this.#options.busyMs) return undefined;
      throw translate(error, this.url, { writing: true });
    }
  }

  #committed<T>(body: () => T): T {
    let result: T;
    try {
      this.reached('sqlite:begun');
      this.#refuse();
      result = body();
      this.reached('sqlite:written');
    } catch (error) {
      this.#rollback();
      throw translate(error, this.url, { writing: true });
    }
    this.#commit();
    this.reached('sqlite:committed');
    return result;
  }

  /** With a rollback journal a commit waits until nobody reads, and nobody begins to meanwhile. One that is busy was not made. */
  #commit(): void {
    const begun = Date.now();
    for (;;) {
      try {
        this.sql('COMMIT').run();
        return;
      } catch (error) {
        if (!isBusyError(error) || Date.now() - begun >= committingMs) {
          this.#rollback();
          throw isBusyError(error) ? error : unknownOutcome(error, this.url);
        }
      }
      Atomics.wait(parked, 0, 0, pauseMsMin);
    }
  }

  /** Called in every transaction that writes, before anything else: what it throws ends the transaction. */
  beforeWriting(refuse: () => void): void {
    this.#refuse = refuse;
  }

  /** Asked before anything is stored. */
  async secure(): Promise<void> {
    await this.read(() => secure(this.#open(), this.url));
  }

  /** Asked before anything but the schema is stored. */
  async settleJournal(): Promise<void> {
    await this.read(() => settleJournal(this.#open(), this.url));
  }

  exec(text: string): void {
    try {
      this.#during(() => this.#open().exec(text));
    } catch (error) {
      throw translate(error, this.url);
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#letGo();
  }

  /** Runs it on the file as it is open, or as it is opened for this alone. */
  #during<T>(body: () => T): T {
    this.#refuseClosed();
    const narrow = this.#narrow;
    if (narrow === undefined || this.#db !== undefined) return body();
    try {
      this.#db = narrow.shared();
      this.#narrow = undefined;
      return body();
    } catch (error) {
      if (this.#narrow === undefined || !isNoRoom(error, this.url)) throw error;
    }
    this.#db = narrow.alone();
    try {
      return body();
    } finally {
      this.#letGo();
    }
  }

  #letGo(): void {
    this.#statements.clear();
    this.#lists.clear();
    this.#db?.close();
    this.#db = undefined;
  }

  async #pause(started: number): Promise<void> {
    const pauseMs = pauseMsMin + Math.random() * (pauseMsMax - pauseMsMin);
    if (Date.now() - started < blockingMs) Atomics.wait(parked, 0, 0, pauseMs);
    else await sleep(pauseMs);
  }

  #open(): DatabaseSync {
    this.#refuseClosed();
    if (this.#db === undefined) throw new Error('the file is open within a call alone');
    return this.#db;
  }

  #refuseClosed(): void {
    if (!this.#closed) return;
    throw new StaffettaError('store-closed', 'The store is closed.', { hint: 'Open it again.' });
  }

  #rollback(): void {
    // After some failures SQLite has rolled back by itself; a second rollback is then an error without meaning.
    if (this.#db?.isTransaction === true) this.#db.exec('ROLLBACK');
  }
}
