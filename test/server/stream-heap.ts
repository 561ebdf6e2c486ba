/**
 * What an open stream costs, in a process of its own that can collect its garbage: three equal batches of events to many streams, the
 * first to warm up. Says how many bytes of the heap are left for each event and stream of the last batch.
 */
import { connect, type Socket } from 'node:net';
import { systemClock } from '../../src/home/system.ts';
import type { FeedEntry } from '../../src/ports/journal.ts';
import { listen } from '../../src/server/listen.ts';
import { ada, eve } from '../support/world.ts';
import { fence, newHouse } from './house.ts';

const streams = 40;
/** More than half of what the feed keeps, so that it is full when the last batch begins. */
const batch = 600;

const house = newHouse();
await house.at.staffetta.open(fence, { as: ada });
const { store } = house.at;
const [entry] = await store.catalog.feed(0, 1);
if (entry === undefined) throw new Error('no entry');
let told = 0;
/** The same entry again and again, one at a time, so that each is a piece of its own. */
const feed = async (after: number): Promise<FeedEntry[]> =>
  after < told ? [{ ...entry, position: after + 1 }] : [];
const context = {
  ...house.at.context,
  clock: systemClock,
  store: { ...store, catalog: { ...store.catalog, feed } },
};
const listening = await listen({
  context,
  tokens: house.tokens,
  version: '0.0.0',
  port: 0,
  limits: { pollMs: 1 },
});
const token = await house.token(eve, { expiresAt: Date.now() + 3_600_000 });
const { host } = new URL(listening.url);

/** Takes everything, keeps the end of it, and tells who asked when an id has come. */
class Reader {
  readonly #socket: Socket;
  #end = '';
  #awaited: { readonly id: number; readonly came: () => void } | undefined;

  constructor() {
    this.#socket = connect(listening.port, '127.0.0.1');
    this.#socket.write(
      `GET /api/events?after=0 HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    );
    this.#socket.on('data', (piece) => {
      const text = this.#end + piece.toString('latin1');
      this.#end = text.slice(-1000);
      if (this.#awaited !== undefined && text.includes(`id: ${this.#awaited.id}\n`)) this.#awaited.came();
    });
  }

  async reaches(id: number): Promise<void> {
    await new Promise<void>((came) => (this.#awaited = { id, came }));
  }

  close(): void {
    this.#socket.destroy();
  }
}

const collect = globalThis.gc;
if (collect === undefined) throw new Error('It needs --expose-gc.');
const readers = Array.from({ length: streams }, () => new Reader());
const heap: number[] = [];
for (let round = 0; round < 3; round += 1) {
  const reached = Promise.all(readers.map(async (reader) => await reader.reaches((round + 1) * batch)));
  told += batch;
  await reached;
  collect();
  heap.push(process.memoryUsage().heapUsed);
}
for (const reader of readers) reader.close();
await listening.close();
const [, before = 0, after = 0] = heap;
process.send?.((after - before) / (batch * streams));
