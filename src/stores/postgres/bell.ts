/**
 * The bell is NOTIFY, after the commit and in a transaction of its own: within the append it took a third of its rate, because commits
 * that notify wait for one lock. Nobody waits for it, nor it for the disk; of many rings for one address one is on its way and one waits. Who listens has a connection of its own for that, made by the first wait; through a
 * pooler in transaction mode it hears nothing. Where it is lost the next wait makes another.
 */
import type * as Driver from 'pg';
import type { Client } from 'pg';
import type { Address } from '../../core/task/address.ts';
import type { Bell } from '../../ports/bell.ts';
import { unsynced, type Connection } from './connection.ts';

interface Waiter {
  readonly addresses: readonly string[];
  readonly wake: () => void;
}

export interface PostgresBell extends Bell {
  /** Never fails, and is not waited for. */
  ring(address: Address): void;
  close(): Promise<void>;
}

export function postgresBell(
  connection: Connection,
  {
    driver,
    connectionString,
    schema,
  }: { readonly driver: typeof Driver; readonly connectionString: string; readonly schema: string },
): PostgresBell {
  const waiters = new Set<Waiter>();
  const missed = new Set<string>();
  /** Rings on their way, and whether another one is needed after it: it may have left before the latest commit. */
  const ringing = new Map<Address, { again: boolean; readonly over: Promise<void> }>();
  let listener: Client | undefined;
  let isClosed = false;

  const hear = (address: string): void => {
    const woken = [...waiters].filter(({ addresses }) => addresses.includes(address));
    if (woken.length === 0) missed.add(address);
    for (const { wake } of woken) wake();
  };
  const listen = async (): Promise<void> => {
    if (listener !== undefined || isClosed) return;
    const client = new driver.Client({
      connectionString,
      application_name: 'staffetta bell',
      keepAlive: true,
    });
    listener = client;
    const lose = (): void => {
      if (listener === client) listener = undefined;
    };
    client.on('error', lose);
    client.on('end', lose);
    client.on('notification', ({ payload }) => hear(payload ?? ''));
    try {
      await client.connect();
      // Its declarations do not know it. Listening alone keeps no process running.
      (client as Client & { unref(): void }).unref();
      await client.query(`LISTEN ${schema}`);
    } catch {
      lose();
      await client.end().catch(() => {});
    }
  };

  const notify = async (address: Address): Promise<void> => {
    do {
      const rung = ringing.get(address);
      if (rung !== undefined) rung.again = false;
      await connection.ask(`SELECT ${unsynced}, pg_notify($1, $2)`, [schema, address]).catch(() => {});
    } while (ringing.get(address)?.again === true);
    ringing.delete(address);
  };

  return {
    async wait(addresses, signal) {
      if (signal.aborted) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const wake = (): void => resolve();
      const waiter = { addresses, wake };
      waiters.add(waiter);
      signal.addEventListener('abort', wake, { once: true });
      void listen();
      if (addresses.filter((address) => missed.delete(address)).length > 0) resolve();
      await promise;
      waiters.delete(waiter);
      signal.removeEventListener('abort', wake);
    },
    ring(address) {
      const before = ringing.get(address);
      if (before !== undefined) before.again = true;
      else ringing.set(address, { again: false, over: notify(address) });
    },
    async close() {
      isClosed = true;
      for (const { wake } of waiters) wake();
      await Promise.all([...ringing.values()].map(async ({ over }) => await over));
      // Closing waits for the end of it, and a process that has nothing else to do would not.
      (listener as (Client & { ref(): void }) | undefined)?.ref();
      await listener?.end().catch(() => {});
    },
  };
}
