/**
 * A pool of connections to the database, and the only place where it is asked anything. Every call is one statement without a name, which is a
 * transaction of its own: so a pooler between here and the server may give each call another connection.
 *
 * What the server undid (a deadlock, a lock held for too long) is tried again until `busyMs` are over. Where the answer is missing, what only
 * reads, or may be done twice, is asked again; the outcome of anything else is unknown, and the caller must look.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type * as Driver from 'pg';
import type { Client, Pool, PoolClient, PoolConfig } from 'pg';
import { StaffettaError } from '../../core/base/error.ts';
import {
  awayNow,
  isCrowded,
  isLost,
  isUndoneError,
  isUnsupportedSetting,
  translate,
  translateRefusal,
  unknownOutcome,
} from './errors.ts';

/** What one statement may take at the server, and how much longer its answer may take to come. */
const statementMsMax = 30_000;
const answerMsMax = 45_000;
const pauseMsMax = 50;

export type Row = readonly unknown[];

/** For this transaction: what a crash of the server may undo, because nothing depends on it, waits for no disk. */
export const unsynced = "set_config('synchronous_commit', 'off', true)";

interface Question {
  readonly text: string;
  readonly values: readonly unknown[];
  /** It may be asked again where its answer is missing. */
  readonly again: boolean;
}

export interface ConnectionOptions {
  readonly shown: string;
  readonly busyMs: number;
  readonly connections: number;
}

export class Connection {
  readonly shown: string;
  readonly #driver: typeof Driver;
  readonly #options: ConnectionOptions;
  readonly #config: PoolConfig;
  #pool: Pool;
  #open = true;
  #whyUnknown: ((error: unknown) => Promise<unknown>) | undefined;

  constructor(driver: typeof Driver, connectionString: string, options: ConnectionOptions) {
    this.shown = options.shown;
    this.#driver = driver;
    this.#options = options;
    this.#config = {
      connectionString,
      max: options.connections,
      connectionTimeoutMillis: options.busyMs,
      query_timeout: answerMsMax,
      allowExitOnIdle: true,
      application_name: 'staffetta',
      keepAlive: true,
      types: { getTypeParser: parserOf as never },
    };
    this.#pool = this.#made({ ...this.#config, statement_timeout: statementMsMax });
  }

  /** What only reads, or leads to the same when it is done twice. */
  async ask(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    return await this.#send({ text, values, again: true });
  }

  /** What must not be done twice. Where its answer is missing it throws `outcome-unknown`. */
  async tell(text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    return await this.#send({ text, values, again: false });
  }

  /** Several statements as one transaction, not tried again. */
  async transaction<T>(
    body: (ask: (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>) => Promise<T>,
  ): Promise<T> {
    this.#refuseClosed();
    const client = await this.#connect(Date.now() + this.#options.busyMs);
    let broken: unknown;
    try {
      await client.query('BEGIN');
      const result = await body(async (text, values = []) => await rowsOf(client, { text, values }));
      await client.query('COMMIT');
      return result;
    } catch (error) {
      broken = error;
      throw translate(error, this.shown);
    } finally {
      // A connection that is ended takes its transaction along.
      client.release(broken !== undefined);
    }
  }

  /** Asked what it means that something which this version calls is not there. */
  explain(whyUnknown: (error: unknown) => Promise<unknown>): void {
    this.#whyUnknown = whyUnknown;
  }

  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    await this.#pool.end();
  }

  async #send(question: Question): Promise<readonly Row[]> {
    const deadline = Date.now() + this.#options.busyMs;
    for (;;) {
      this.#refuseClosed();
      const client = await this.#connect(deadline);
      let broken = false;
      try {
        return await rowsOf(client, question);
      } catch (error) {
        broken = isLost(error);
        if (broken && !question.again) throw unknownOutcome(error, this.shown);
        if (!(broken || isUndoneError(error)) || Date.now() >= deadline)
          throw translate((await this.#whyUnknown?.(error)) ?? error, this.shown);
      } finally {
        client.release(broken);
      }
      await sleep(Math.random() * pauseMsMax);
    }
  }

  /** Nothing was asked yet, so whatever fails here may be tried again: a server that starts, or has no room at the moment. */
  async #connect(deadline: number): Promise<PoolClient> {
    let crowded: unknown;
    for (;;) {
      try {
        return await this.#pool.connect();
      } catch (error) {
        this.#refuseClosed();
        if (isUnsupportedSetting(error) && this.#pool.options.statement_timeout !== undefined) {
          this.#pool = this.#made(this.#config);
          continue;
        }
        if (isCrowded(error)) crowded = error;
        const passes = crowded !== undefined || (this.#whyUnknown !== undefined && isLost(error));
        if (!passes) throw translateRefusal(error, this.shown);
        // One that is turned away again and again may at last not be answered at all: what it was told before is why.
        if (Date.now() >= deadline)
          throw crowded === undefined ? awayNow(error, this.shown) : translate(crowded, this.shown);
      }
      await sleep(Math.random() * pauseMsMax);
    }
  }

  #made(config: PoolConfig): Pool {
    const pool = new this.#driver.Pool({ ...config, Client: endedWhenRefused(this.#driver) });
    // A connection that ends while nobody asks anything is replaced by the next call, in the pool or on its way out of it.
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
    return pool;
  }

  #refuseClosed(): void {
    if (this.#open) return;
    throw new StaffettaError('store-closed', 'The store is closed.', { hint: 'Open it again.' });
  }
}

/** A connection that the driver gives up, such as for want of a password, is left open by it: the process would go on until the server ends it. */
function endedWhenRefused({ Client: Plain }: typeof Driver): typeof Client {
  type Done = (error: Error | null) => void;
  return class extends Plain {
    override connect(): Promise<Client>;
    override connect(done: Done): void;
    override connect(done?: Done): Promise<Client> | undefined {
      if (done === undefined) return super.connect();
      super.connect((error: Error | null) => {
        if (error !== null) this.end(() => {});
        done(error);
      });
      return undefined;
    }
  };
}

async function rowsOf(
  client: PoolClient,
  { text, values }: Pick<Question, 'text' | 'values'>,
): Promise<readonly Row[]> {
  const { rows } = await client.query<unknown[]>({ text, values: [...values], rowMode: 'array' });
  return rows;
}

const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => text === 't',
  17: (text) => Buffer.from(text.slice(2), 'hex'),
  20: Number,
  21: Number,
  23: Number,
  701: Number,
};

/** For these connections alone: the driver's own table is the whole process's. */
function parserOf(type: number): (text: string) => unknown {
  return parsers[type] ?? String;
}
