/** Threats in what a request says, and in how much of it there is. */
import { describe, expect, test } from 'vitest';
import type { Actor } from '../../src/core/task/actor.ts';
import { routes } from '../../src/server/app.ts';
import { ada, eve, quinn } from '../support/world.ts';
import { fence, newHouse, origin, submitted } from './house.ts';

describe('words from outside', () => {
  test('no path parameter leads anywhere but to a task or a packet', async () => {
    const house = newHouse({ burst: 100_000 });
    const task = await submitted(house);
    const token = await house.token(eve);
    const tricks = [
      '..;',
      '../..',
      '/etc/passwd',
      '..\\..',
      'tasks/../..',
      '%',
      "' OR 1=1 --",
      '\0',
      't'.repeat(5000),
      '*',
      '__proto__',
    ];
    for (const trick of tricks) {
      for (const once of [encodeURIComponent(trick), encodeURIComponent(encodeURIComponent(trick))]) {
        for (const { method, path } of routes.filter((route) => route.path.includes(':task'))) {
          const filled = path.replace(':task', once).replace(':packet', 'latest');
          const body = method === 'post' ? { body: {} } : {};
          const answer = await house.raw(filled, {
            method: method.toUpperCase(),
            token,
            ...body,
          });
          expect([filled, [400, 403, 404].includes(answer.status)]).toEqual([filled, true]);
        }
        for (const part of ['', '/diff', '/manifest', '/handoff']) {
          const answer = await house.raw(`/api/tasks/${task}/packets/${once}${part}`, { token });
          expect([once, [400, 404].includes(answer.status)]).toEqual([once, true]);
        }
      }
    }
    expect(house.bugs).toEqual([]);
  });

  test('nothing that somebody wrote becomes markup on the plain page', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    const evil = `"><img src=x onerror=alert(1)>'<script>alert(1)</script>&lt;`;
    const { staffetta } = house.at;
    const agent: Actor = { name: 'a.b@c+d/e-f', kind: 'agent', lane: 'execute' };
    await staffetta.open({ title: evil, goal: evil }, { as: ada });
    const leg = await staffetta.begin(
      { title: `held ${evil}`, goal: evil, review: { human: true } },
      { as: agent },
    );
    await leg.note(evil);
    await leg.ask(evil);
    await staffetta.tell(leg.task, evil, { as: eve });
    await leg.submit({ claims: { done: [evil], next: evil }, artefacts: [{ path: evil, why: evil }] });
    const dead = await staffetta.begin(
      { title: `dead ${evil}`, goal: evil, caps: { attempts: 1 } },
      { as: ada },
    );
    await dead.retry(evil);
    const { text, headers } = await house.ask('/', { token });
    expect(text).toContain('onerror');
    const tags = [...text.matchAll(/<\/?([a-z0-9]+)/gi)].map((match) => match[1] ?? '');
    const known = new Set([
      'html',
      'head',
      'meta',
      'title',
      'style',
      'body',
      'h1',
      'h2',
      'p',
      'a',
      'table',
      'tr',
      'th',
      'td',
      'code',
    ]);
    expect(tags.filter((tag) => !known.has(tag))).toEqual([]);
    expect([...text.matchAll(/<[a-z][^>]*\son\w+\s*=/gi)]).toEqual([]);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    expect(policy).not.toContain('unsafe');
  });

  test('what somebody wrote is never served as a page', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    const leg = await house.at.staffetta.begin({ goal: '<script>alert(1)</script>' }, { as: ada });
    await leg.checkpoint({ claims: { next: '<script>alert(1)</script>' } });
    for (const path of ['', '/events', '/packets/latest', '/packets/latest/handoff']) {
      const { headers, text } = await house.ask(`/api/tasks/${leg.task}${path}`, { token });
      expect(text).toContain('alert(1)');
      expect(headers.get('content-type')).toMatch(/^(application\/json|text\/plain; charset=utf-8)$/);
      expect(headers.get('content-security-policy')).toContain('sandbox');
    }
  });

  test('no words of a request come back in a header', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    const { task } = await house.at.staffetta.open(fence, { as: ada });
    const trick = encodeURIComponent('x\r\nSet-Cookie: evil=1');
    const paths = [
      `/api/tasks/${trick}`,
      `/sign-in?code=${trick}`,
      `/${trick}`,
      `/api/tasks?cursor=${trick}`,
    ];
    for (const path of paths) {
      const { headers } = await house.ask(path, { token });
      expect([...headers].filter(([name, value]) => name === 'set-cookie' || value.includes('evil'))).toEqual(
        [],
      );
    }
    const long = { 'idempotency-key': 'k'.repeat(201) };
    expect((await house.post(`/api/tasks/${task}/tell`, token, { text: 'x' }, long)).json['code']).toBe(
      'invalid-input',
    );
  });

  test('a bug tells its caller nothing of the inside', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    const { task } = await house.at.staffetta.open(fence, { as: ada });
    await house.document();
    Object.assign(house.at.store.journal, {
      head: async () => await Promise.reject(new Error('secret of the inside')),
    });
    const { status, text } = await house.ask(`/api/tasks/${task}`, { token });
    expect(status).toBe(500);
    expect(text).not.toContain('secret');
    expect(house.bugs).toHaveLength(1);
  });
});

describe('too much', () => {
  test('a body over the limit is refused, announced or not', async () => {
    const house = newHouse({ bodyBytesMax: 1000 });
    const token = await house.token(eve);
    const { task } = await house.at.staffetta.open(fence, { as: ada });
    const body = { text: 'x'.repeat(1000) };
    const answer = await house.post(`/api/tasks/${task}/tell`, token, body, { 'content-length': '1011' });
    expect([answer.status, answer.json['code']]).toEqual([413, 'body-too-large']);
    expect((await house.post(`/api/tasks/${task}/tell`, token, body)).status).toBe(413);
    expect((await house.post(`/api/tasks/${task}/tell`, token, { text: 'x' })).status).toBe(200);
  });

  test('a body that does not arrive is cut', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    const { task } = await house.at.staffetta.open(fence, { as: ada });
    const trickle = new ReadableStream<Uint8Array>({ start: (to) => to.enqueue(Buffer.from('{"text":')) });
    const asked = house.app.fetch(
      new Request(`${origin}/api/tasks/${task}/tell`, {
        method: 'POST',
        headers: {
          host: '127.0.0.1:4747',
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
        },
        body: trickle,
        duplex: 'half',
      }),
    );
    while (house.at.clock.sleepers === 0) await new Promise((resolve) => setImmediate(resolve));
    await house.at.clock.advance(10_000);
    const answer = await asked;
    expect([answer.status, answer.headers.get('connection')]).toEqual([408, 'close']);
    expect(await answer.json()).toMatchObject({ code: 'body-too-slow' });
  });

  test('requests are limited by actor, whatever tokens it has, and wrong tokens much sooner', async () => {
    const house = newHouse({ burst: 5, perSecond: 1, wrongBurst: 2, wrongPerSecond: 0.1 });
    const token = await house.token(eve);
    const statuses: number[] = [];
    for (let i = 0; i < 7; i += 1) statuses.push((await house.raw('/api/me', { token })).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect((await house.raw('/api/me', { token: await house.token(eve) })).status).toBe(429);
    const other = await house.token({ name: 'bob', kind: 'human' });
    expect((await house.raw('/api/me', { token: other })).status).toBe(200);
    house.at.clock.set(house.at.clock.now() + 1000);
    expect((await house.raw('/api/me', { token })).status).toBe(200);
    const wrong: number[] = [];
    for (let i = 0; i < 4; i += 1) wrong.push((await house.raw('/api/me', { token: 'stf_wrong' })).status);
    expect(wrong).toEqual([401, 401, 429, 429]);
    expect((await house.raw('/api/me', { token: other })).status).toBe(200);
  });

  test('a flood of listeners is refused, and room is made when one leaves', async () => {
    const house = newHouse({ liveClientsMax: 3, liveClientsPerActor: 2 });
    const token = await house.token(eve);
    const other = await house.token({ name: 'bob', kind: 'human' });
    const first = await house.raw('/api/events', { token });
    expect((await house.raw('/api/events', { token })).status).toBe(200);
    expect((await house.raw('/api/events', { token })).status).toBe(429);
    expect((await house.raw('/api/events', { token: other })).status).toBe(200);
    expect((await house.raw('/api/events', { token: other })).status).toBe(429);
    await first.body?.cancel();
    expect((await house.raw('/api/events', { token })).status).toBe(200);
    expect(house.app.listeners.count).toBe(3);
    house.app.close();
  });

  test('however many tokens an agent has, and however many agents there are, people can listen', async () => {
    const house = newHouse({ liveClientsMax: 6, liveClientsPerAgent: 2, liveClientsOfAgents: 3 });
    const statusOf = async (actor: Actor): Promise<number> =>
      (await house.raw('/api/events', { token: await house.token(actor) })).status;
    expect([await statusOf(ada), await statusOf(ada), await statusOf(ada)]).toEqual([200, 200, 429]);
    expect([await statusOf(quinn), await statusOf(quinn)]).toEqual([200, 429]);
    expect(await statusOf({ name: 'kid', kind: 'human', lineage: ['ada'] })).toBe(429);
    expect([await statusOf(eve), await statusOf(eve), await statusOf(eve)]).toEqual([200, 200, 200]);
    expect(await statusOf(eve)).toBe(429);
    house.app.close();
  });
});
