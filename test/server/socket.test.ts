/** What only a real socket shows. */
import type { StoreFigures } from '../../src/handoff/views/figures.ts';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { homeAt } from '../support/home-at.ts';
import { openStaffetta, type Staffetta } from '../../src/library/staffetta.ts';
import { listen, type Listening } from '../../src/server/listen.ts';
import { FileKeeper } from '../../src/server/access/token-files.ts';
import { Tokens } from '../../src/server/access/tokens.ts';
import { verbs } from '../../src/server/contract/verbs.ts';
import { eve } from '../support/world.ts';

const folder = mkdtempSync(join(tmpdir(), 'staffetta-socket-'));
const store = join(folder, 'store.db');
let staffetta: Staffetta;
let tokens: Tokens;
let listening: Listening;
let token = '';

beforeAll(async () => {
  staffetta = await openStaffetta({ store, as: eve });
  tokens = new Tokens(new FileKeeper(homeAt(store).tokens), staffetta.context);
  token = await newToken();
  listening = await listen({
    context: staffetta.context,
    tokens,
    version: '0.0.0',
    port: 0,
    limits: { bodyMs: 50, bodyBytesMax: 10_000 },
  });
});

afterAll(async () => {
  await listening.close();
  await staffetta.close();
  rmSync(folder, { recursive: true, force: true });
});

async function newToken(): Promise<string> {
  const now = Date.now();
  const made = await tokens.create({
    use: 'bearer',
    actor: eve,
    task: null,
    generation: null,
    verbs: [...verbs],
    createdAt: now,
    createdBy: 'eve',
    expiresAt: now + 60_000,
  });
  return made.token;
}

/** Bytes as they are, and all that comes back until the server hangs up. */
async function raw(bytes: string): Promise<string> {
  const { port } = new URL(listening.url);
  return await new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (piece) => (text += piece.toString()));
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

const hostLine = (): string => `Host: ${new URL(listening.url).host}\r\nAuthorization: Bearer ${token}`;

describe('on a socket', () => {
  test('it listens on loopback only, and elsewhere not without an address of its own', async () => {
    expect(new URL(listening.url).hostname).toBe('127.0.0.1');
    const asked = { context: staffetta.context, tokens, version: '0', port: 0 };
    await expect(listen({ ...asked, host: '0.0.0.0' })).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(listen({ ...asked, origins: ['https://a.example/path'] })).rejects.toMatchObject({
      code: 'invalid-input',
    });
    const { port } = new URL(listening.url);
    await expect(listen({ ...asked, port: Number(port) })).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('a proxy is known by the address that was named for it, and its cookie is secure', async () => {
    const origins = ['https://relay.example.org'];
    const behind = await listen({ context: staffetta.context, tokens, version: '0', port: 0, origins });
    const code = behind.app.codes.issue({
      actor: eve,
      task: null,
      generation: null,
      verbs: ['read'],
      createdBy: 'eve',
    });
    const request = new Request(`http://relay.example.org/sign-in?code=${code}`, {
      headers: { host: 'relay.example.org' },
    });
    const answer = await behind.app.fetch(request);
    expect(answer.headers.get('set-cookie')).toMatch(/^staffetta-https=.*; Secure$/);
    await behind.close();
  });

  test('a body that trickles is cut, and the connection with it', async () => {
    const { task } = await staffetta.open({ goal: 'A fence.' });
    const text = await raw(
      `POST /api/tasks/${task}/tell HTTP/1.1\r\n${hostLine()}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"text":`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
    expect(text).toContain('body-too-slow');
  });

  test('a body without an end is cut at the limit', async () => {
    const { task } = await staffetta.open({ goal: 'A fence.' });
    const chunk = `${(4096).toString(16)}\r\n${'x'.repeat(4096)}\r\n`;
    const text = await raw(
      `POST /api/tasks/${task}/tell HTTP/1.1\r\n${hostLine()}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(4)}`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('a header with a line break in it never becomes two', async () => {
    const text = await raw(
      `GET /api/me HTTP/1.1\r\n${hostLine()}\r\nIdempotency-Key: a\nSet-Cookie: evil=1\r\nConnection: close\r\n\r\n`,
    );
    expect(text).not.toMatch(/^set-cookie/im);
    const path = await raw(
      `GET /%0d%0aSet-Cookie:%20evil=1 HTTP/1.1\r\n${hostLine()}\r\nConnection: close\r\n\r\n`,
    );
    expect(path).toMatch(/^HTTP\/1\.1 404 /);
    expect(path).not.toMatch(/^set-cookie/im);
  });

  test('a request that names two hosts, or none, is refused', async () => {
    const { host } = new URL(listening.url);
    expect(await raw(`GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
    const two = await raw(
      `GET http://evil.example/healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    );
    expect(two).not.toMatch(/^HTTP\/1\.1 200 /);
  });

  test('tokens are kept as hashes, for their owner only', () => {
    const place = homeAt(store).tokens;
    const names = readdirSync(place);
    expect(names.length).toBeGreaterThan(0);
    expect(statSync(place).mode & 0o777).toBe(0o700);
    for (const name of names) {
      expect(statSync(join(place, name)).mode & 0o777).toBe(0o600);
      expect(name + readFileSync(join(place, name), 'utf8')).not.toContain(token.slice(4));
    }
  });

  test('a token that another process revoked is worth nothing at once', async () => {
    const own = await newToken();
    const asked = { headers: { authorization: `Bearer ${own}` } };
    expect((await fetch(`${listening.url}/api/me`, asked)).status).toBe(200);
    const { id } = (await (await fetch(`${listening.url}/api/me`, asked)).json()) as { id: string };
    const elsewhere = new Tokens(new FileKeeper(homeAt(store).tokens), staffetta.context);
    expect(await elsewhere.revoke((await elsewhere.resolve(id.slice(0, 8))).id)).toBe(true);
    expect((await fetch(`${listening.url}/api/me`, asked)).status).toBe(401);
  });

  test('a grant that is damaged on disk is worth nothing, and hides no other', async () => {
    const place = homeAt(store).tokens;
    const { writeFileSync } = await import('node:fs');
    writeFileSync(join(place, `${'0'.repeat(64)}.json`), '{"v":1,');
    expect((await tokens.list()).length).toBeGreaterThan(0);
    await expect(tokens.resolve('000000')).rejects.toMatchObject({ code: 'unknown-token' });
    await newToken();
    expect(existsSync(join(place, `${'0'.repeat(64)}.json`))).toBe(false);
  });

  test('it stops cleanly: what is under way is finished, and streams are ended', async () => {
    const second = await listen({ context: staffetta.context, tokens, version: '0', port: 0 });
    const headers = { authorization: `Bearer ${token}` };
    const stream = await fetch(`${second.url}/api/events`, { headers });
    const reader = stream.body?.getReader();
    await reader?.read();
    const { task } = await staffetta.open({ goal: 'A fence.' });
    await reader?.read();
    const under = request(`${second.url}/api/tasks/${task}/tell`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', expect: '100-continue' },
    });
    under.flushHeaders();
    // The server has begun with it, and waits for its body.
    await once(under, 'continue');
    const closed = second.close();
    under.end(JSON.stringify({ text: 'Mind the gap.' }));
    const [{ statusCode }] = (await once(under, 'response')) as [IncomingMessage];
    expect(statusCode).toBe(200);
    await closed;
    let last = await reader?.read();
    while (last?.done === false) last = await reader?.read();
    expect(last).toMatchObject({ done: true });
    await expect(fetch(`${second.url}/healthz`)).rejects.toThrow(TypeError);
  });

  test('metrics count tasks, offers and how long they take to be accepted, listeners and requests', async () => {
    const headers = { authorization: `Bearer ${token}` };
    await fetch(`${listening.url}/metrics`, { headers });
    await staffetta.open({ goal: 'A path.' });
    const { task } = await staffetta.open({ goal: 'A gate.' });
    await (await staffetta.take({ task, as: 'ada' }))?.retry('the hinges are missing');
    const text = await (await fetch(`${listening.url}/metrics`, { headers })).text();
    expect(text).toMatch(/^staffetta_offers\{lane="execute"\} \d+$/m);
    expect(text).toMatch(/^staffetta_oldest_offer_seconds \d+$/m);
    expect(text).toMatch(/^staffetta_pickup_seconds_count 1$/m);
    const figures = (await (await fetch(`${listening.url}/api/figures`, { headers })).json()) as StoreFigures;
    expect(figures.offers.execute).toBeGreaterThan(0);
    expect(figures).toMatchObject({ lapsed: 0, dead: 0, unheard: 0, runs: [] });
    expect(text).toMatch(/^staffetta_tasks\{status="offered"\} \d+$/m);
    expect(text).toMatch(/^staffetta_tasks\{status="held"\} 0$/m);
    expect(text).toMatch(/^staffetta_leases_lapsed 0$/m);
    expect(text).toMatch(/^staffetta_dead_letters 0$/m);
    expect(text).toMatch(/^staffetta_live_clients 0$/m);
    expect(text).toMatch(/^staffetta_requests_total\{method="GET",status="200"\} \d+$/m);
    const lines = text.trimEnd().split('\n');
    expect(
      lines.filter((line) => !/^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{[^}]*\})? [\d.]+)$/.test(line)),
    ).toEqual([]);
  });
});
