/** What each route answers. Every answer below is held against the OpenAPI document as it comes. */
import { describe, expect, test } from 'vitest';
import { storeAddress } from '../../src/home/locate.ts';
import { routes } from '../../src/server/app.ts';
import { openStore } from '../../src/compose/open-store.ts';
import { stages } from '../cli/stage.ts';
import { captured } from '../cli/worked.ts';
import { ada, bea, eve, sol, stage } from '../support/world.ts';
import { bindsOf, fence, House, newHouse, submitted, type Answer } from './house.ts';

describe('the document', () => {
  test('has every route of the router, and no other', async () => {
    const house = newHouse();
    const document = await house.document();
    const told = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    );
    const pages = new Set(['get /', 'get /sign-in']);
    const routed = house.app.routed.map(({ method, path }) => `${method} ${path}`);
    expect(told.toSorted()).toEqual(routed.filter((one) => !pages.has(one)).toSorted());
    expect(document.openapi).toBe('3.1.0');
  });

  test('names each operation once', async () => {
    const { paths } = await newHouse().document();
    const ids = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(routes.length + 5);
  });
});

describe('reading', () => {
  test('tasks are listed by filters, page by page', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    const { staffetta, clock } = house.at;
    for (let i = 0; i < 5; i += 1) {
      clock.set(clock.now() + 1);
      await staffetta.open({ goal: `Task ${i}.` }, { as: ada });
    }
    await staffetta.begin({ goal: 'Held.' }, { as: ada });
    const seen: unknown[] = [];
    let cursor = '';
    do {
      const { json } = await house.ask(`/api/tasks?status=offered,lapsed&limit=2${cursor}`, { token });
      seen.push(...(json['tasks'] as { title: string }[]).map(({ title }) => title));
      cursor = json['next'] === null ? '' : `&cursor=${json['next'] as string}`;
    } while (cursor !== '');
    expect(seen).toEqual(['Task 4.', 'Task 3.', 'Task 2.', 'Task 1.', 'Task 0.']);
    const held = await house.ask('/api/tasks?holder=ada', { token });
    expect(held.json['tasks']).toMatchObject([{ title: 'Held.', holder: 'ada', status: 'held' }]);
    clock.set(clock.now() + 3_600_000);
    const lapsed = await house.ask('/api/tasks?lapsed=true', { token: await house.token(eve) });
    expect(lapsed.json['tasks']).toMatchObject([{ title: 'Held.' }]);
  });

  test('a task shows all that its page needs', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    const leg = await house.at.staffetta.begin(fence, { as: ada });
    await leg.checkpoint({ claims: { done: ['posts'] }, transcript: 'I thought.\n' });
    await leg.note('the ground is wet');
    await leg.ask('Left or right?', { options: ['left', 'right'] });
    await house.at.staffetta.tell(leg.task, 'mind the dog', { as: eve });
    const { status, json } = await house.ask(`/api/tasks/${leg.task}`, { token });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      state: { task: leg.task, status: 'held', generation: 1 },
      leaseUntil: expect.any(Number),
      contract: { contract: { goal: 'The fence stands.' } },
      packet: { number: 1, packet: { claims: { done: ['posts'] } }, findings: expect.any(Array) },
      questions: [{ question: 'Left or right?', options: ['left', 'right'] }],
      messages: [{ from: 'eve', text: 'mind the dog' }],
      remarks: { since: [{ event: { type: 'note', text: 'the ground is wet' } }] },
      legs: [{ agent: 'ada', lane: 'execute', until: null, notes: 2, packets: 1 }],
      binds: null,
    });
  });

  test('the journal comes byte for byte, page by page', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    const leg = await house.at.staffetta.begin(fence, { as: ada });
    for (let i = 0; i < 4; i += 1) await leg.note(`note ${i}`);
    const bodies: string[] = [];
    let from: number | null = 0;
    while (from !== null) {
      const { json }: Answer = await house.ask(`/api/tasks/${leg.task}/events?from=${from}&limit=2`, {
        token,
      });
      bodies.push(...(json['entries'] as { body: string }[]).map(({ body }) => body));
      from = json['next'] as number | null;
    }
    const stored = await house.at.store.journal.read(leg.task, 0, 100);
    expect(bodies).toEqual(stored.map(({ body }) => body));
    expect(bodies.length).toBe(5);
  });

  test('packets, HANDOFF.md and the history of a task are read', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    const leg = await house.at.staffetta.begin(fence, { as: ada });
    await leg.checkpoint({ claims: { next: 'dig' } });
    const messages = JSON.stringify([
      { role: 'user', content: 'Build a fence.' },
      { role: 'assistant', content: 'I dig.' },
    ]);
    await leg.checkpoint({ claims: { next: 'nail' }, transcript: messages });
    const { json: list } = await house.ask(`/api/tasks/${leg.task}/packets`, { token });
    const packets = list['packets'] as { digest: string; number: number }[];
    expect(packets.map(({ number }) => number)).toEqual([1, 2]);
    const first = await house.ask(`/api/tasks/${leg.task}/packets/${packets[0]?.digest ?? ''}`, { token });
    expect(first.json).toMatchObject({ number: 1, packet: { claims: { next: 'dig' } } });
    const latest = await house.ask(`/api/tasks/${leg.task}/packets/latest`, { token });
    expect(latest.json).toMatchObject({ number: 2, packet: { claims: { next: 'nail' } } });
    const handoff = await house.ask(`/api/tasks/${leg.task}/packets/latest/handoff`, { token });
    expect(handoff.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(handoff.text).toContain('nail');
    const diff = await house.ask(`/api/tasks/${leg.task}/packets/latest/diff`, { token });
    expect(diff.json).toMatchObject({ status: 404, code: 'unknown-packet' });
    const history = await house.ask(`/api/tasks/${leg.task}/history?limit=1`, { token });
    expect(history.json).toMatchObject({
      total: 2,
      next: 1,
      steps: [{ source: 'system', given: { by: 'user', text: 'Build a fence.' } }],
    });
    const rest = await house.ask(`/api/tasks/${leg.task}/history?from=1`, { token });
    expect(rest.json).toMatchObject({ next: null, steps: [{ source: 'agent', text: 'I dig.' }] });
  });

  test('the diff and the manifest of a packet are read', async () => {
    const { store, task } = await captured();
    const house = new House(stage({ store: await openStore(storeAddress(store)) }));
    const token = await house.token(eve);
    const diff = await house.ask(`/api/tasks/${task}/packets/latest/diff`, { token });
    expect(diff.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(diff.text).toContain('diff --git a/limit.js b/limit.js');
    const manifest = await house.raw(`/api/tasks/${task}/packets/latest/manifest`, { token });
    expect(await manifest.json()).toMatchObject({ v: 1 });
    await house.at.store.close();
  });

  test('a verdict binds to the diff too, where there is a workspace', async () => {
    const { store, task } = await stages.submitted();
    const house = new House(stage({ store: await openStore(storeAddress(store)) }));
    const { json } = await house.ask(`/api/tasks/${task}`, { token: await house.token(eve) });
    const { packet } = json['packet'] as { packet: { facts: { diff: { blob: string } } } };
    expect(json['binds']).toMatchObject({ diff: packet.facts.diff.blob });
    await house.at.store.close();
  });

  test('a task is verified', async () => {
    const house = newHouse();
    const task = await submitted(house);
    const { json } = await house.ask(`/api/tasks/${task}/verify`, { token: await house.token(eve) });
    expect(json).toMatchObject({ tasks: 1, faults: [] });
  });

  test('words are found in titles, goals, notes, decisions and messages', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    const leg = await house.at.staffetta.begin({ title: 'Oak', goal: 'Oak it is.' }, { as: ada });
    await leg.note('the OAK is wet');
    await leg.decide('oak', { why: 'it lasts' });
    await house.at.staffetta.tell(leg.task, 'no oak left', { as: eve });
    await house.at.staffetta.open({ goal: 'Something else.' }, { as: ada });
    const { json } = await house.ask('/api/search?q=oak', { token });
    expect((json['hits'] as { where: string }[]).map(({ where }) => where).toSorted()).toEqual([
      'decision',
      'goal',
      'message',
      'note',
      'title',
    ]);
    expect(json).toMatchObject({ searched: 1, more: false });
    const few = await house.ask('/api/search?q=oak&limit=2', { token });
    expect(few.json).toMatchObject({ more: true });
  });

  test('a query that nobody understands is refused by name', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    expect((await house.ask('/api/tasks?stauts=held', { token })).json).toMatchObject({
      status: 400,
      code: 'invalid-input',
      detail: expect.stringContaining('stauts'),
    });
    expect((await house.ask('/api/tasks?limit=-1', { token })).status).toBe(400);
    expect((await house.ask('/api/tasks?status=asleep', { token })).status).toBe(400);
    expect((await house.ask('/api/tasks?cursor=x', { token })).status).toBe(400);
  });
});

describe('reviewing', () => {
  test('the queue has the digests a verdict binds to, and an approval is recorded', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    const task = await submitted(house);
    const { json } = await house.ask('/api/reviews', { token });
    const [review] = json['reviews'] as { binds: object; by: string; card: { task: string } }[];
    expect(review).toMatchObject({ card: { task }, by: 'ada', binds: await bindsOf(house, task, token) });
    const body = { approve: true, binds: review?.binds, why: 'looked at it' };
    const approved = await house.post(`/api/tasks/${task}/verdict`, token, body);
    expect(approved.json).toMatchObject({ task, status: 'done', repeated: false });
    expect((await house.ask('/api/reviews', { token })).json['reviews']).toEqual([]);
  });

  test('work is sent back with findings on lines', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    const task = await submitted(house);
    const findings = [{ text: 'a gap', path: 'fence.txt', line: 3 }];
    const body = { approve: false, binds: await bindsOf(house, task, token), findings };
    const back = await house.post(`/api/tasks/${task}/verdict`, token, body);
    expect(back.json).toMatchObject({ status: 'rework', offeredTo: 'agent:ada' });
    expect((await house.ask(`/api/tasks/${task}`, { token })).json).toMatchObject({ findings });
  });

  test('an approval over warnings needs a reason', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    const task = await submitted(house);
    const binds = await bindsOf(house, task, token);
    expect(binds['findings']).not.toBeNull();
    const bare = await house.post(`/api/tasks/${task}/verdict`, token, { approve: true, binds });
    expect(bare.json).toMatchObject({
      status: 400,
      code: 'invalid-input',
      details: { findings: expect.any(Array) },
    });
    const reasoned = { approve: true, binds, why: 'it is a shed' };
    expect((await house.post(`/api/tasks/${task}/verdict`, token, reasoned)).status).toBe(200);
  });

  test('a verdict on what has changed is refused, and says what did', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    const task = await submitted(house);
    const binds = await bindsOf(house, task, token);
    const back = { approve: false, binds, findings: [{ text: 'a gap' }] };
    await house.post(`/api/tasks/${task}/verdict`, token, back);
    const leg = await house.at.staffetta.take({ task, as: ada });
    await leg?.acknowledge();
    await leg?.submit({ claims: { done: ['posts and boards'], next: 'paint' } });
    const stale = await house.post(`/api/tasks/${task}/verdict`, token, {
      approve: true,
      binds,
      why: 'fine',
    });
    expect(stale.status).toBe(409);
    expect(stale.json).toMatchObject({
      code: 'review-stale',
      details: { changed: expect.arrayContaining([expect.objectContaining({ part: 'packet' })]) },
    });
    expect((await house.ask(`/api/tasks/${task}`, { token })).json).toMatchObject({
      state: { status: 'submitted' },
    });
  });
});

describe('directing', () => {
  test('a message and an answer reach the task', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    const leg = await house.at.staffetta.begin(fence, { as: ada });
    const decision = await leg.ask('Left or right?');
    await house.post(`/api/tasks/${leg.task}/tell`, token, { text: 'mind the dog' });
    await house.post(`/api/tasks/${leg.task}/answer`, token, { decision, answer: 'left' });
    expect((await leg.messages()).map(({ text }) => text)).toEqual(['mind the dog', 'left']);
  });

  test('a dead letter goes out again', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    const leg = await house.at.staffetta.begin({ ...fence, caps: { attempts: 1 } }, { as: ada });
    await leg.retry('wet wood');
    expect((await house.ask('/api/tasks?dead=true', { token })).json['tasks']).toMatchObject([
      { task: leg.task },
    ]);
    const again = await house.post(`/api/tasks/${leg.task}/redrive`, token, { why: 'it is dry' });
    expect(again.json).toMatchObject({ status: 'offered' });
  });

  test('a lease is extended, with the reason in the journal', async () => {
    const house = newHouse();
    const token = await house.token(sol);
    const leg = await house.at.staffetta.begin(fence, { as: ada });
    const asked = { leaseMs: 600_000, why: 'the wood is late' };
    const { json } = await house.post(`/api/tasks/${leg.task}/extend`, token, asked);
    expect(json).toMatchObject({ status: 'held', leaseUntil: house.at.clock.now() + 600_000 });
    expect(await leg.messages()).toMatchObject([
      { from: 'sol', text: expect.stringContaining('the wood is late') },
    ]);
    const nobody = await house.at.staffetta.open({ goal: 'Nobody holds it.' }, { as: ada });
    expect((await house.post(`/api/tasks/${nobody.task}/extend`, token, asked)).json).toMatchObject({
      status: 409,
      code: 'wrong-state',
    });
  });

  test('a dry run tells the end that a lease would have, also of one that is over', async () => {
    const house = newHouse();
    const { task } = await house.at.staffetta.begin(fence, { as: ada });
    house.at.clock.set(house.at.clock.now() + 86_400_000);
    const token = await house.token(sol);
    const extended = async (leaseMs: number, more = ''): Promise<unknown> =>
      (await house.post(`/api/tasks/${task}/extend${more}`, token, { leaseMs, why: 'x' })).json['leaseUntil'];
    const until = house.at.clock.now() + 1_800_000;
    expect(await extended(1_800_000, '?dryRun=true')).toBe(until);
    expect(await extended(1_800_000)).toBe(until);
    expect(await extended(60_000, '?dryRun=true')).toBe(until);
  });

  test('held, offered and escalated work is given to somebody else, and its former holder is fenced', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    const to = { to: 'agent:bea', why: 'ada is ill' };
    const leg = await house.at.staffetta.begin(fence, { as: ada });
    const held = await house.post(`/api/tasks/${leg.task}/reassign`, token, to);
    expect(held.json).toMatchObject({ offeredTo: 'agent:bea', holder: null });
    await expect(leg.note('still here')).rejects.toMatchObject({ code: 'stale-generation' });
    const again = await house.post(`/api/tasks/${leg.task}/reassign`, token, { ...to, to: 'lane:audit' });
    expect(again.json).toMatchObject({ offeredTo: 'lane:audit' });
    await house.post(`/api/tasks/${leg.task}/escalate`, token, { why: 'who?' });
    const last = await house.post(`/api/tasks/${leg.task}/reassign`, token, to);
    expect(last.json).toMatchObject({ offeredTo: 'agent:bea' });
    expect((await house.at.staffetta.take({ task: leg.task, as: bea }))?.generation).toBe(2);
  });

  test('a task is cancelled with a reason, and without one it is not', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    const { task } = await house.at.staffetta.open(fence, { as: ada });
    expect((await house.post(`/api/tasks/${task}/cancel`, token, {})).status).toBe(400);
    expect((await house.post(`/api/tasks/${task}/cancel`, token, { why: 'no need' })).json).toMatchObject({
      status: 'cancelled',
    });
  });

  test('a dry run decides and writes nothing', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    const { task, seq } = await house.at.staffetta.open(fence, { as: ada });
    const dry = await house.post(`/api/tasks/${task}/cancel?dryRun=true`, token, { why: 'no need' });
    expect(dry.json).toMatchObject({ status: 'cancelled', dryRun: true });
    expect(await house.at.staffetta.show(task)).toMatchObject({ status: 'offered', seq });
  });
});

describe('repeating', () => {
  test('a change with a known key changes nothing again', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    const leg = await house.at.staffetta.begin(fence, { as: ada });
    const changes: [string, object][] = [
      ['tell', { text: 'once' }],
      ['extend', { leaseMs: 120_000, why: 'once' }],
      ['reassign', { to: 'agent:bea', why: 'once' }],
      ['escalate', { why: 'once' }],
      ['redrive', { why: 'once' }],
      ['cancel', { why: 'once' }],
    ];
    for (const [name, body] of changes) {
      const key = { 'idempotency-key': `key-${name}` };
      const first = await house.post(`/api/tasks/${leg.task}/${name}`, token, body, key);
      expect([name, first.status]).toEqual([name, 200]);
      const { seq } = await house.at.staffetta.show(leg.task);
      const second = await house.post(`/api/tasks/${leg.task}/${name}`, token, body, key);
      expect(second.json).toMatchObject({ repeated: true, seq: first.json['seq'] });
      expect((await house.at.staffetta.show(leg.task)).seq).toBe(seq);
    }
  });

  test('a verdict with a known key is given once', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    const task = await submitted(house);
    const body = { approve: true, binds: await bindsOf(house, task, token), why: 'good' };
    const key = { 'idempotency-key': 'verdict' };
    const first = await house.post(`/api/tasks/${task}/verdict`, token, body, key);
    const second = await house.post(`/api/tasks/${task}/verdict`, token, body, key);
    expect(second.json).toEqual({ ...first.json, repeated: true });
  });

  test('a key that was used for something else is refused', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    const { task } = await house.at.staffetta.open(fence, { as: ada });
    const key = { 'idempotency-key': 'same' };
    await house.post(`/api/tasks/${task}/tell`, token, { text: 'one' }, key);
    expect((await house.post(`/api/tasks/${task}/tell`, token, { text: 'two' }, key)).json).toMatchObject({
      status: 409,
      code: 'key-reused',
    });
  });
});
