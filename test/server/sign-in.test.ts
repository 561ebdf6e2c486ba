/** What the one-time link gives, to whom, and when it ends. */
import { describe, expect, test } from 'vitest';
import { createApp } from '../../src/server/app.ts';
import { ada, eve } from '../support/world.ts';
import { fence, newHouse, origin } from './house.ts';

describe('signing in', () => {
  test('what an agent signed in for ends with its leg, and with the server', async () => {
    const house = newHouse();
    const { task, generation } = await house.at.staffetta.begin(fence, { as: ada });
    const asAda = { actor: ada, task: null, generation: null, verbs: ['read' as const], createdBy: 'ada' };
    const enter = async (more: object): Promise<() => Promise<number>> => {
      const answer = await house.raw(`/sign-in?code=${house.app.codes.issue({ ...asAda, ...more })}`);
      const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
      return async () => (await house.raw('/api/tasks', { headers: { cookie } })).status;
    };
    const bound = await enter({ leg: { task, generation } });
    const free = await enter({});
    const person = await enter({ actor: eve });
    const spawned = await enter({ actor: { ...eve, lineage: ['ada'] } });
    expect([await bound(), await person()]).toEqual([200, 200]);
    // Without a leg there is nothing that it would end with.
    expect([await free(), await spawned()]).toEqual([401, 401]);
    const other = await house.at.staffetta.begin(fence, { as: ada });
    const late = await enter({ leg: { task: other.task, generation: other.generation } });
    await house.at.staffetta.cancel(task, 'x', { as: eve });
    expect([await bound(), await late(), await person()]).toEqual([401, 200, 200]);
    await house.app.signAgentsOut();
    expect([await late(), await person()]).toEqual([401, 200]);
  });

  test('what an agent signed in for is worth nothing at another server on the same store', async () => {
    const house = newHouse();
    const { task, generation } = await house.at.staffetta.begin(fence, { as: ada });
    const { context } = house.at;
    const other = createApp({ context, tokens: house.tokens, origins: () => [origin], version: '0.0.0' });
    const told: number[][] = [];
    for (const actor of [ada, eve]) {
      const leg = actor === ada ? { leg: { task, generation } } : {};
      const promised = {
        actor,
        task: null,
        generation: null,
        verbs: ['read' as const],
        createdBy: 'x',
        ...leg,
      };
      const signedIn = await house.raw(`/sign-in?code=${house.app.codes.issue(promised)}`);
      const headers = {
        host: new URL(origin).host,
        cookie: signedIn.headers.get('set-cookie')?.split(';')[0] ?? '',
      };
      const asked = (): Request => new Request(`${origin}/api/tasks`, { headers });
      told.push([(await house.app.fetch(asked())).status, (await other.fetch(asked())).status]);
    }
    expect(told).toEqual([
      [200, 401],
      [200, 200],
    ]);
    other.close();
  });

  test('a one-time link works once, for ten minutes, and not for a browser that looks ahead', async () => {
    const house = newHouse();
    const promised = { actor: eve, task: null, generation: null, verbs: ['read' as const], createdBy: 'eve' };
    const path = `/sign-in?code=${house.app.codes.issue(promised)}`;
    expect((await house.raw(path, { headers: { 'sec-purpose': 'prefetch;prerender' } })).status).toBe(403);
    expect((await house.raw(path, { method: 'HEAD' })).status).toBe(403);
    const first = await house.raw(path, {
      headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    });
    const cookie = first.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(
      /^staffetta-4747=stf_[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
    );
    expect((await house.raw('/', { headers: { cookie: cookie.split(';')[0] ?? '' } })).status).toBe(200);
    expect((await house.raw(path)).status).toBe(403);
    const late = house.app.codes.issue(promised);
    house.at.clock.set(house.at.clock.now() + 600_000);
    expect((await house.raw(`/sign-in?code=${late}`)).status).toBe(403);
  });

  test('a person whom a proxy has signed in is believed under its address alone, and changes nothing for another site', async () => {
    const house = newHouse();
    const { task } = await house.at.staffetta.open(fence, { as: eve });
    const behind = 'https://relay.example.org';
    const { context } = house.at;
    const app = createApp({
      context,
      tokens: house.tokens,
      origins: () => [origin, behind],
      proxy: { header: 'X-User', origins: [behind] },
      version: '0.0.0',
    });
    const ask = async (
      at: string,
      path: string,
      headers: Record<string, string>,
      body?: object,
    ): Promise<Response> =>
      await app.fetch(
        new Request(`${at}${path}`, {
          headers: { host: new URL(at).host, ...headers },
          ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
        }),
      );
    const user = { 'x-user': 'ada@example.org' };
    const me = await ask(behind, '/api/me', user);
    expect(await me.json()).toMatchObject({ actor: { name: 'ada@example.org', kind: 'human' } });
    const statuses = [
      await ask(origin, '/api/me', user),
      await ask(behind, '/api/me', {}),
      await ask(behind, '/api/me', { 'x-user': 'two words' }),
      await ask(behind, '/api/me', { ...user, authorization: 'Bearer stf_x' }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([401, 401, 401, 401]);
    const said = { text: 'Mind the gap.' };
    const json = { 'content-type': 'application/json' };
    const path = `/api/tasks/${task}/tell`;
    expect((await ask(behind, path, { ...user, ...json }, said)).status).toBe(403);
    expect((await ask(behind, path, { ...user, ...json, origin: behind }, said)).status).toBe(200);
    app.close();
  });
});
