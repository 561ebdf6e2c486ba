/** A server of its own, which is hurt while eight write: what was acknowledged is there, once, and nothing else is. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isStaffettaError } from '../../src/core/base/error.ts';
import { openStore } from '../../src/compose/open-store.ts';
import { numbers, sampleAppend, sampleTask } from '../../src/conformance/sample.ts';
import { storeAddress } from '../../src/home/locate.ts';
import type { Append } from '../../src/ports/journal.ts';
import type { Store } from '../../src/ports/store.ts';
import { isWhole } from '../support/sample.ts';
import { startPostgres, type RunningServer } from '../support/postgres-server.ts';

const writers = 8;
const rounds = isWhole ? 15 : 1;
const entriesBetween = 25;

let server: RunningServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(async () => await server.stop());

async function asAdmin<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: server.url });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

async function backends(): Promise<readonly number[]> {
  const { rows } = await asAdmin(
    async (client) =>
      await client.query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE application_name = 'staffetta' AND pid <> pg_backend_pid()",
      ),
  );
  return rows.map(({ pid }) => pid);
}

/** All connections are ended as an administrator does. */
async function endConnections(): Promise<void> {
  await asAdmin(
    async (client) =>
      await client.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'staffetta'",
      ),
  );
}

/** One process of the server dies; it then ends all others and recovers. */
async function killBackend(): Promise<void> {
  const [pid] = await backends();
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
}

async function killServer(): Promise<void> {
  process.kill(server.pid, 'SIGKILL');
  server = await server.restart();
}

/** One of the writers: its own connection, a task of its own, and one that all of them write to. */
class Writer {
  readonly acknowledged: Append[] = [];
  unknown = 0;
  readonly #store: Store;
  readonly #task: Append['task'];

  constructor(store: Store, n: number) {
    this.#store = store;
    this.#task = sampleTask(n);
  }

  async write(text: string): Promise<void> {
    for (const task of [this.#task, sampleTask(0)]) await this.#append(task, text);
  }

  async #append(task: Append['task'], text: string): Promise<void> {
    for (;;) {
      try {
        const seq = ((await this.#store.journal.head(task))?.seq ?? -1) + 1;
        const append = sampleAppend(task, seq, { body: JSON.stringify({ text, task, seq }), key: text });
        if ((await this.#store.journal.append(append)).stored) {
          this.acknowledged.push(append);
          return;
        }
        // Its key is there: an append whose answer was missing had been stored.
        if ((await this.#store.journal.find(task, text)) !== undefined) return;
      } catch (error) {
        if (!isStaffettaError(error, 'outcome-unknown') && !isStaffettaError(error, 'store-busy'))
          throw error;
        this.unknown += 1;
      }
    }
  }
}

test('connections, processes and the whole server are killed under eight writers, and nothing acknowledged is lost', async () => {
  const address = storeAddress(server.url);
  const stores = await Promise.all(
    numbers(writers).map(async () => await openStore(address, { create: true })),
  );
  const all = stores.map((store, n) => new Writer(store, n + 1));
  for (let round = 0; round < rounds; round += 1)
    for (const [n, harm] of [endConnections, killBackend, killServer].entries()) {
      const writing = all.map(async (writer, w) => {
        for (const i of numbers(entriesBetween)) await writer.write(`${round} ${n} ${w} ${i}`);
      });
      await harm();
      await Promise.all(writing);
    }
  const [store] = stores;
  if (store === undefined) throw new Error('there is no store');
  for (const writer of all)
    for (const { task, seq, digest } of writer.acknowledged)
      expect((await store.journal.read(task, seq, 1))[0]?.digest, `entry ${seq} of ${task}`).toBe(digest);
  const written = 3 * rounds * entriesBetween;
  const shared = await store.journal.keys(sampleTask(0));
  expect(new Set(shared.map(({ key }) => key)).size).toBe(writers * written);
  expect(shared.length).toBe(writers * written);
  expect(await store.upkeep.check()).toEqual([]);
  const unknown = all.reduce((sum, writer) => sum + writer.unknown, 0);
  console.log(
    `PostgreSQL was hurt ${3 * rounds} times: ${2 * writers * written} appends, ${unknown} calls told their writer that the outcome is unknown, 0 lost`,
  );
  for (const each of stores) await each.close();
});

test('a standby is refused, and the primary is asked for', async () => {
  const address = storeAddress(server.url);
  await (await openStore(address, { create: true })).close();
  writeFileSync(join(server.data, 'standby.signal'), '');
  server = await server.restart();
  await expect(openStore(address)).rejects.toMatchObject({ code: 'store-readonly' });
});
