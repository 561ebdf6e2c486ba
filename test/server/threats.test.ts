/** One test for each threat. A request that should be refused is shown to work without what makes it wrong. */
import { describe, expect, test } from 'vitest';
import { routes } from '../../src/server/app.ts';
import type { Actor } from '../../src/core/task/actor.ts';
import { ada, bea, eve, quinn } from '../support/world.ts';
import { bindsOf, fence, newHouse, origin, submitted, type House } from './house.ts';

/** Every route with a task in its path, and every other. */
function everyPath(task: string): { readonly method: string; readonly path: string }[] {
  return [
    ...routes.map(({ method, path }) => ({
      method: method.toUpperCase(),
      path: path.replace(':task', task).replace(':packet', 'latest'),
    })),
    ...['/api/events', '/api/openapi.json', '/metrics', '/'].map((path) => ({ method: 'GET', path })),
  ];
}

async function codeOf(house: House, path: string, asked: Parameters<House['ask']>[1]): Promise<unknown> {
  return (await house.ask(path, asked)).json['code'];
}

async function approval(house: House, by: Actor): Promise<unknown> {
  const task = await submitted(house);
  const token = await house.token(by);
  const body = { approve: true, binds: await bindsOf(house, task, token), why: 'fine' };
  const answer = await house.post(`/api/tasks/${task}/verdict`, token, body);
  return answer.json['code'] ?? answer.json['status'];
}

describe('names and origins', () => {
  test('a name that an attacker points here is refused on every route', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    const { task } = await house.at.staffetta.open(fence, { as: ada });
    for (const { method, path } of [
      ...everyPath(task),
      { method: 'GET', path: '/healthz' },
      { method: 'GET', path: '/sign-in' },
    ]) {
      const answer = await house.ask(path, { method, token, headers: { host: 'evil.example:4747' } });
      expect([path, answer.status]).toEqual([path, 421]);
    }
    for (const host of ['127.0.0.1', '127.0.0.1:80', '127.0.0.1:4747.evil.example', ''])
      expect((await house.ask('/healthz', { headers: { host } })).status).toBe(421);
    expect((await house.ask('/healthz')).text).toBe('ok\n');
  });

  test('a script of another site is refused, with the right cookie or token too', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    const cookie = `staffetta-4747=${await house.token(eve, { use: 'cookie' })}`;
    const { task } = await house.at.staffetta.open(fence, { as: ada });
    const path = `/api/tasks/${task}/tell`;
    const body = { text: 'hello' };
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://127.0.0.1:9999' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      expect(await codeOf(house, path, { method: 'POST', token, body, headers })).toBe('wrong-origin');
      expect(await codeOf(house, path, { method: 'POST', body, headers: { ...headers, cookie } })).toBe(
        'wrong-origin',
      );
      expect(await codeOf(house, '/api/tasks', { headers: { ...headers, cookie } })).toBe('wrong-origin');
    }
    const own = { cookie, origin, 'sec-fetch-site': 'same-origin' };
    expect((await house.ask(path, { method: 'POST', body, headers: own })).status).toBe(200);
  });

  test('a change by cookie must say that it comes from our own page', async () => {
    const house = newHouse();
    const cookie = `staffetta-4747=${await house.token(eve, { use: 'cookie' })}`;
    const { task } = await house.at.staffetta.open(fence, { as: ada });
    const asked = { method: 'POST', body: { text: 'hello' }, headers: { cookie } };
    expect(await codeOf(house, `/api/tasks/${task}/tell`, asked)).toBe('wrong-origin');
    expect((await house.ask(`/api/tasks/${task}`, { headers: { cookie } })).status).toBe(200);
  });

  test('no answer lets another site read it', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    const { task } = await house.at.staffetta.open(fence, { as: ada });
    for (const { method, path } of everyPath(task).filter((one) => one.path !== '/api/events')) {
      const { headers } = await house.ask(path, { method, token, headers: { origin } });
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
      expect(headers.get('cache-control')).toBe('no-store');
    }
    expect(await codeOf(house, '/api/tasks', { method: 'OPTIONS', headers: { origin } })).toBe(
      'unknown-route',
    );
  });

  test('a form cannot make a change: only JSON is taken', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    const { task } = await house.at.staffetta.open(fence, { as: ada });
    for (const media of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const headers = { 'content-type': media };
      const asked = { method: 'POST', token, body: '{"text":"hello"}', headers };
      expect(await codeOf(house, `/api/tasks/${task}/tell`, asked)).toBe('wrong-media');
    }
  });
});

describe('tokens', () => {
  test('without a token nothing is told, on any route', async () => {
    const house = newHouse();
    const { task } = await house.at.staffetta.open(fence, { as: ada });
    for (const { method, path } of everyPath(task)) {
      const answer = await house.raw(path, { method });
      expect([path, answer.status]).toEqual([path, 401]);
      expect(await answer.text()).not.toContain('fence');
    }
  });

  test('a token of another store, a made-up one and a damaged one are worth nothing', async () => {
    const house = newHouse();
    const foreign = await newHouse().token({ name: 'mallory', kind: 'human' });
    const own = await house.token(eve);
    const wrong = [
      foreign,
      '',
      'stf_',
      `${own}x`,
      own.slice(0, -1),
      own.toUpperCase(),
      '../../etc/passwd',
      'null',
    ];
    for (const token of wrong.filter((one) => one !== own))
      expect((await house.raw('/api/tasks', { headers: { authorization: `Bearer ${token}` } })).status).toBe(
        401,
      );
    expect((await house.raw('/api/tasks', { headers: { authorization: `Basic ${own}` } })).status).toBe(401);
    expect((await house.raw('/api/tasks', { token: own })).status).toBe(200);
  });

  test('a token ends at its time, and when it is revoked', async () => {
    const house = newHouse();
    const short = await house.token(eve, { expiresAt: house.at.clock.now() + 1000 });
    const long = await house.token(eve);
    expect((await house.raw('/api/tasks', { token: short })).status).toBe(200);
    house.at.clock.set(house.at.clock.now() + 1000);
    expect((await house.raw('/api/tasks', { token: short })).status).toBe(401);
    const [grant] = await house.tokens.list();
    expect(await house.tokens.revoke(grant?.id ?? '')).toBe(true);
    expect((await house.raw('/api/tasks', { token: long })).status).toBe(401);
    expect(await house.tokens.revoke(grant?.id ?? '')).toBe(false);
  });

  test('signing out revokes the token that does it', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    expect((await house.ask('/api/sign-out', { method: 'POST', token })).json).toEqual({ signedOut: true });
    expect((await house.raw('/api/me', { token })).status).toBe(401);
  });

  test('a cookie is no bearer token, and a bearer token no cookie', async () => {
    const house = newHouse();
    const cookie = await house.token(eve, { use: 'cookie' });
    const bearer = await house.token(eve);
    expect((await house.raw('/api/me', { token: cookie })).status).toBe(401);
    expect((await house.raw('/api/me', { headers: { cookie: `staffetta-4747=${bearer}` } })).status).toBe(
      401,
    );
    expect((await house.raw('/api/me', { headers: { cookie: `staffetta-4747=${cookie}` } })).status).toBe(
      200,
    );
    expect((await house.raw('/api/me', { headers: { cookie: `staffetta-4748=${cookie}` } })).status).toBe(
      401,
    );
  });

  test('a token allows its verbs and no other', async () => {
    const house = newHouse();
    const task = await submitted(house);
    const token = await house.token(eve, { verbs: ['read'] });
    const binds = await bindsOf(house, task, token);
    const changes: [string, object][] = [
      ['verdict', { approve: true, binds, why: 'fine' }],
      ['tell', { text: 'x' }],
      ['cancel', { why: 'x' }],
      ['redrive', { why: 'x' }],
      ['reassign', { why: 'x', to: 'anyone' }],
    ];
    for (const [name, body] of changes)
      expect((await house.post(`/api/tasks/${task}/${name}`, token, body)).json['code']).toBe('out-of-scope');
    expect((await house.at.staffetta.show(task)).status).toBe('submitted');
  });

  test('a token for one task reaches no other, by no route', async () => {
    const house = newHouse();
    const { task } = await house.at.staffetta.open(fence, { as: ada });
    const other = await submitted(house, { goal: 'Secret plans.' });
    const token = await house.token(ada, { task });
    for (const { method, path } of everyPath(other)) {
      if (['/api/me', '/api/sign-out', '/api/openapi.json', '/api/events'].includes(path)) continue;
      const answer = await house.raw(path, { method, token });
      expect([path, answer.status]).toEqual([path, 403]);
      expect(await answer.text()).not.toContain('Secret');
    }
    expect((await house.ask(`/api/tasks/${task}`, { token })).status).toBe(200);
  });

  test('a packet of another task is not read through the own one', async () => {
    const house = newHouse();
    const task = await submitted(house);
    const other = await submitted(house, { goal: 'Secret plans.' });
    const token = await house.token(ada, { task });
    const { packet } = await house.at.staffetta.show(other);
    for (const part of ['', '/diff', '/manifest', '/handoff'])
      expect(await codeOf(house, `/api/tasks/${task}/packets/${packet ?? ''}${part}`, { token })).toBe(
        'unknown-packet',
      );
  });

  test("an agent's token dies with its generation", async () => {
    const house = newHouse();
    const leg = await house.at.staffetta.begin(fence, { as: ada });
    const { task, generation } = leg;
    const token = await house.token(ada, { task, generation, verbs: ['read', 'tell'] });
    expect((await house.post(`/api/tasks/${task}/tell`, token, { text: 'hello' })).status).toBe(200);
    await leg.handoff({ to: 'agent:ada', claims: { next: 'dig' } });
    expect((await house.raw(`/api/tasks/${task}`, { token })).status).toBe(401);
    await house.at.staffetta.take({ task, as: ada });
    expect((await house.raw(`/api/tasks/${task}`, { token })).status).toBe(401);
  });

  test('made for the next generation, it waits for that one and dies with it', async () => {
    const house = newHouse();
    const { task } = await house.at.staffetta.open(fence, { as: eve });
    const token = await house.token(ada, { task, generation: 1, verbs: ['read'] });
    const statusNow = async (): Promise<number> => (await house.raw(`/api/tasks/${task}`, { token })).status;
    expect(await statusNow()).toBe(200);
    await house.at.staffetta.take({ task, as: ada });
    expect(await statusNow()).toBe(200);
    const elsewhere = { to: 'agent:bea', why: 'ada is ill' };
    await house.post(`/api/tasks/${task}/reassign`, await house.token(eve), elsewhere);
    expect(await statusNow()).toBe(401);
    await house.at.staffetta.take({ task, as: bea });
    expect(await statusNow()).toBe(401);
  });

  test('a generation that somebody else was given is worth nothing to an agent', async () => {
    const house = newHouse();
    const { task } = await house.at.staffetta.open(fence, { as: eve });
    const token = await house.token(ada, { task, generation: 1, verbs: ['read'] });
    await house.at.staffetta.take({ task, as: bea });
    expect((await house.raw(`/api/tasks/${task}`, { token })).status).toBe(401);
  });
});

describe('reviews', () => {
  test('the author of the work cannot approve it', async () => {
    const house = newHouse();
    expect(await approval(house, ada)).toBe('author-review');
    expect(await approval(house, { name: 'ada', kind: 'human' })).toBe('author-review');
    expect(await approval(house, eve)).toBe('done');
  });

  test('nor can anything it spawned, by whatever name', async () => {
    const house = newHouse();
    expect(await approval(house, { name: 'kid', kind: 'agent', lane: 'audit', lineage: ['ada'] })).toBe(
      'author-review',
    );
    expect(await approval(house, { name: 'grandkid', kind: 'human', lineage: ['kid', 'ada'] })).toBe(
      'author-review',
    );
  });

  test('an agent cannot give the approval of a person', async () => {
    expect(await approval(newHouse(), quinn)).toBe('denied');
  });

  test('a verdict names every digest it looked at', async () => {
    const house = newHouse();
    const task = await submitted(house);
    const token = await house.token(eve);
    const binds = await bindsOf(house, task, token);
    for (const part of ['packet', 'contract', 'diff', 'findings']) {
      const missing = Object.fromEntries(Object.entries(binds).filter(([name]) => name !== part));
      const none = await house.post(`/api/tasks/${task}/verdict`, token, {
        approve: true,
        binds: missing,
        why: 'x',
      });
      expect(none.json['code']).toBe('invalid-input');
      const wrong = { ...binds, [part]: `sha256:${'0'.repeat(64)}` };
      const stale = await house.post(`/api/tasks/${task}/verdict`, token, {
        approve: true,
        binds: wrong,
        why: 'x',
      });
      expect([stale.status, stale.json['code']]).toEqual([409, 'review-stale']);
    }
  });
});

test('a reason that nobody can see is none', async () => {
  const house = newHouse();
  const task = await submitted(house);
  const token = await house.token(eve);
  const binds = await bindsOf(house, task, token);
  for (const why of ['\u200b', '\u3164', '\u2800\u00a0', '\u{e0041}'])
    expect(
      (await house.post(`/api/tasks/${task}/verdict`, token, { approve: true, binds, why })).status,
    ).toBe(400);
  const seen = { approve: true, binds, why: '好' };
  expect((await house.post(`/api/tasks/${task}/verdict`, token, seen)).status).toBe(200);
});

describe('an amended contract', () => {
  test('is judged by a reviewer who looked at it anew, with the twin that does the same', async () => {
    const house = newHouse();
    const task = await submitted(house);
    const token = await house.token(eve);
    const before = await bindsOf(house, task, token);
    await house.at.staffetta.amend(task, { change: { nonGoals: ['paint'] }, why: 'agreed' }, { as: eve });
    const path = `/api/tasks/${task}/verdict`;
    const stale = await house.post(path, token, { approve: true, binds: before, why: 'x' });
    expect(stale.json).toMatchObject({ code: 'review-stale', details: { changed: [{ part: 'contract' }] } });
    const binds = await bindsOf(house, task, token);
    const { json } = await house.post(path, token, { approve: true, binds, why: 'x' });
    expect(json).toMatchObject({ status: 'done' });
    expect(json['twin']).toContain(` --contract ${String(binds['contract'])}`);
  });
});

describe('directing', () => {
  test('an agent that carries work can neither extend nor reassign it, with any token', async () => {
    const house = newHouse();
    const leg = await house.at.staffetta.begin(fence, { as: ada });
    const token = await house.token(ada);
    const changes: [string, object][] = [
      ['extend', { leaseMs: 600_000, why: 'x' }],
      ['reassign', { to: 'anyone', why: 'x' }],
    ];
    for (const [name, body] of changes) {
      const { status, json } = await house.post(`/api/tasks/${leg.task}/${name}`, token, body);
      expect([name, status, json['code']]).toEqual([name, 403, 'denied']);
    }
    expect((await house.at.staffetta.show(leg.task)).seq).toBe(0);
  });
});
