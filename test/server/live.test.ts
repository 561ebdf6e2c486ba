/** The stream of events: nothing lost, nothing twice, nothing piled up. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/home/system.ts';
import { openStaffetta } from '../../src/library/staffetta.ts';
import type { FeedEntry } from '../../src/ports/journal.ts';
import { listen, type Listening } from '../../src/server/listen.ts';
import { MemoryKeeper, Tokens } from '../../src/server/access/tokens.ts';
import { ada, eve } from '../support/world.ts';
import { fence, newHouse } from './house.ts';

const folder = mkdtempSync(join(tmpdir(), 'staffetta-live-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Seen {
  readonly id: string;
  readonly data: string;
}

/** The blocks that are complete, and what is left. As browsers do it: a block without data only moves the id. */
function blocksIn(text: string): { readonly ids: string[]; readonly events: Seen[]; readonly rest: string } {
  const parts = text.split('\n\n');
  const rest = parts.pop() ?? '';
  const ids: string[] = [];
  const events: Seen[] = [];
  for (const part of parts) {
    const field = (name: string): string | undefined =>
      part
        .split('\n')
        .find((line) => line.startsWith(`${name}: `))
        ?.slice(name.length + 2);
    const id = field('id') ?? '';
    const data = field('data');
    ids.push(id);
    if (data !== undefined) events.push({ id, data });
  }
  return { ids, events, rest };
}

async function serve(
  store: string,
): Promise<{ listening: Listening; token: string; close: () => Promise<void> }> {
  const staffetta = await openStaffetta({ store, as: eve });
  const tokens = new Tokens(new MemoryKeeper(), staffetta.context);
  const now = Date.now();
  const { token } = await tokens.create({
    use: 'bearer',
    actor: eve,
    task: null,
    generation: null,
    verbs: ['read'],
    createdAt: now,
    createdBy: 'eve',
    expiresAt: now + 3_600_000,
  });
  const listening = await listen({
    context: staffetta.context,
    tokens,
    version: '0.0.0',
    port: 0,
    limits: { pollMs: 10, burst: 10_000 },
  });
  const close = async (): Promise<void> => {
    await listening.close();
    await staffetta.close();
  };
  return { listening, token, close };
}

describe('the stream', () => {
  test('cut a hundred times while four processes write, it loses nothing and repeats nothing', async () => {
    const store = join(folder, 'cut.db');
    const { listening, token, close } = await serve(store);
    const times = 60;
    const writers = ['ann', 'bob', 'cat', 'dan'].map((name) =>
      fork(join(import.meta.dirname, 'writer.ts'), [store, name, String(times)]),
    );
    const written = Promise.all(writers.map(async (writer) => (await once(writer, 'exit'))[0] as number));
    const seen: Seen[] = [];
    let last = '0';
    let cuts = 0;
    while (seen.length < times * 4 || cuts < 100) {
      const cut = new AbortController();
      const answer = await fetch(`${listening.url}/api/events`, {
        headers: { authorization: `Bearer ${token}`, 'last-event-id': last },
        signal: cut.signal,
      });
      let text = '';
      try {
        for await (const piece of answer.body ?? []) {
          text += Buffer.from(piece as Uint8Array).toString();
          const { ids, events, rest } = blocksIn(text);
          text = rest;
          seen.push(...events);
          last = ids.findLast((id) => id !== '') ?? last;
          // Cut after a piece or two, in the middle of whatever comes next.
          if (cuts < 100 && (events.length > 0 || seen.length >= times * 4)) break;
          if (seen.length >= times * 4) break;
        }
      } finally {
        cut.abort();
        cuts += 1;
      }
    }
    expect(await written).toEqual([0, 0, 0, 0]);
    await close();
    const staffetta = await openStaffetta({ store, as: eve });
    const feed = await staffetta.store.catalog.feed(0, 1000);
    await staffetta.close();
    expect(feed.length).toBe(times * 4);
    expect(seen.map(({ id }) => Number(id))).toEqual(feed.map(({ position }) => position));
    expect(seen.map(({ data }) => (JSON.parse(data) as { digest: string }).digest)).toEqual(
      feed.map(({ digest }) => digest),
    );
    expect(cuts).toBeGreaterThanOrEqual(100);
  });

  test('a client that comes without an id begins at the end, and is told where that is', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    for (let i = 0; i < 7; i += 1) await house.at.staffetta.open({ goal: `Task ${i}.` }, { as: ada });
    const answer = await house.raw('/api/events', { token });
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    const reader = answer.body?.getReader();
    const first = await reader?.read();
    expect(Buffer.from(first?.value ?? []).toString()).toBe('retry: 1000\n: ok\nid: 7\n\n');
    const { task } = await house.at.staffetta.open(fence, { as: ada });
    const second = await reader?.read();
    const { events } = blocksIn(Buffer.from(second?.value ?? []).toString());
    expect(JSON.parse(events[0]?.data ?? '')).toMatchObject({
      position: 8,
      task,
      types: ['task-opened', 'offer-made'],
    });
    house.app.close();
  });

  test('an id that this store has not reached begins at the end too', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    await house.at.staffetta.open(fence, { as: ada });
    const answer = await house.raw('/api/events', { token, headers: { 'last-event-id': '999' } });
    const first = await answer.body?.getReader().read();
    expect(Buffer.from(first?.value ?? []).toString()).toContain('id: 1\n');
    const bad = await house.ask('/api/events', { token, headers: { 'last-event-id': '1\u00e9' } });
    expect(bad.json['code']).toBe('invalid-input');
    house.app.close();
  });

  test('a token for one task sees its events only, and its id moves on all the same', async () => {
    const house = newHouse();
    const { task } = await house.at.staffetta.open(fence, { as: ada });
    const token = await house.token(ada, { task });
    const answer = await house.raw('/api/events?after=0', { token });
    const reader = answer.body?.getReader();
    await reader?.read();
    const own = blocksIn(Buffer.from((await reader?.read())?.value ?? []).toString());
    expect(own.events.map(({ id }) => id)).toEqual(['1']);
    await house.at.staffetta.open({ goal: 'Secret plans.' }, { as: ada });
    const other = Buffer.from((await reader?.read())?.value ?? []).toString();
    expect(other).toBe(': ok\nid: 2\n\n');
    house.app.close();
  });

  test('a sign of life comes when nothing happens', async () => {
    const house = newHouse();
    const answer = await house.raw('/api/events', { token: await house.token(eve) });
    const reader = answer.body?.getReader();
    await reader?.read();
    const next = reader?.read();
    while (house.at.clock.sleepers < 1) await new Promise((resolve) => setImmediate(resolve));
    await house.at.clock.advance(15_000);
    expect(Buffer.from((await next)?.value ?? []).toString()).toBe(': ok\nid: 0\n\n');
    house.app.close();
  });

  test('it ends when its token is revoked, and when the leg of its token is over', async () => {
    const house = newHouse();
    const leg = await house.at.staffetta.begin(fence, { as: ada });
    const free = await house.token(eve);
    const bound = await house.token(ada, { task: leg.task, generation: leg.generation });
    const readers = await Promise.all(
      [free, bound].map(async (token) => (await house.raw('/api/events', { token })).body?.getReader()),
    );
    for (const reader of readers) await reader?.read();
    for (const { id, task } of await house.tokens.list()) if (task === null) await house.tokens.revoke(id);
    await leg.handoff({ to: 'anyone', claims: { next: 'dig' } });
    house.at.clock.set(house.at.clock.now() + 1000);
    for (const reader of readers) expect(await reader?.read()).toMatchObject({ done: true });
    expect(house.app.listeners.count).toBe(0);
  });

  test('one that leaves before anything was taken holds no place among the listeners', async () => {
    const house = newHouse();
    const answer = await house.raw('/api/events', { token: await house.token(eve) });
    expect(house.app.listeners.count).toBe(1);
    await answer.body?.cancel();
    expect(house.app.listeners).toMatchObject({ count: 0, dropped: 0 });
  });

  test('an open stream keeps nothing of what it has told', async () => {
    const child = fork(join(import.meta.dirname, 'stream-heap.ts'), { execArgv: ['--expose-gc'] });
    const [bytes] = (await once(child, 'message')) as [number];
    // A promise that is kept for every event is 96 bytes.
    expect(bytes).toBeLessThan(32);
  });

  test('on a socket, one that stops reading is cut off, however much there is to tell', async () => {
    const house = newHouse();
    await house.at.staffetta.open(fence, { as: ada });
    const { store } = house.at;
    const [entry] = await store.catalog.feed(0, 1);
    if (entry === undefined) throw new Error('no entry');
    /** The same entry, over and over, a million times. */
    const endless = async (after: number, limit: number): Promise<FeedEntry[]> =>
      Array.from({ length: after < 1_000_000 ? limit : 0 }, (_, i) => ({
        ...entry,
        position: after + 1 + i,
      }));
    const context = {
      ...house.at.context,
      clock: systemClock,
      store: { ...store, catalog: { ...store.catalog, feed: endless } },
    };
    const limits = { stalledMs: 200 };
    const listening = await listen({ context, tokens: house.tokens, version: '0.0.0', port: 0, limits });
    const token = await house.token(eve, { expiresAt: Date.now() + 3_600_000 });
    const { host, port } = new URL(listening.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      `GET /api/events?after=0 HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    );
    socket.pause();
    while (listening.app.listeners.dropped === 0) await systemClock.sleep(20);
    expect(listening.app.listeners).toMatchObject({ count: 0, dropped: 1 });
    socket.destroy();
    await listening.close();
  });

  test('a HEAD holds no place among the listeners', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    expect((await house.raw('/api/events', { token, method: 'HEAD' })).status).toBe(404);
    expect(house.app.listeners.count).toBe(0);
  });

  test('the search for the end of the feed finds it at any length, also after removals', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    for (const length of [0, 1, 2, 3, 5, 8, 9, 17]) {
      while ((await house.at.store.catalog.feed(0, 100)).length < length)
        await house.at.staffetta.open({ goal: 'More.' }, { as: ada });
      const answer = await house.raw('/api/events', { token });
      const first = await answer.body?.getReader().read();
      expect(Buffer.from(first?.value ?? []).toString()).toContain(`id: ${length}\n`);
    }
    house.app.close();
  });
});
