/** Logins of a team: what a database holds against them, whatever their programs say of themselves. */
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../src/compose/open-store.ts';
import { fold } from '../../src/core/fold/fold.ts';
import { sealEntry, type Entry } from '../../src/core/journal/entry.ts';
import { inspectSnapshot, writeSnapshot } from '../../src/core/journal/snapshot.ts';
import { cardOf } from '../../src/core/task/card.ts';
import type { TaskState } from '../../src/core/task/state.ts';
import { openStaffetta, type Staffetta } from '../../src/library/staffetta.ts';
import { storeAddress } from '../../src/home/locate.ts';
import type { Append } from '../../src/ports/journal.ts';
import type { Store } from '../../src/ports/store.ts';
import { postgresPlace } from '../../src/stores/postgres/address.ts';
import { sampleAppend, sampleCard } from '../../src/conformance/sample.ts';
import { staffetta } from '../cli/command.ts';
import { postgresSpace, type TestSpace } from '../support/postgres.ts';

const some = globalThis.crypto.randomUUID().slice(0, 8);
const logins = {
  bots: `bots_${some}`,
  qa: `qa_${some}`,
  ada: `ada_${some}`,
  up: `up_${some}`,
  none: `none_${some}`,
};
const word = 'pa55-w0rd';

let space: TestSpace;
let owner: Client;
let s = '';
const open: (Staffetta | Store)[] = [];

beforeAll(async () => {
  space = await postgresSpace();
  s = postgresPlace(space.address).schema;
  await (await openStore(space.address, { create: true })).close();
  owner = new Client({ connectionString: space.url });
  await owner.connect();
  for (const login of Object.values(logins))
    await owner.query(`CREATE ROLE ${login} LOGIN PASSWORD '${word}'`);
  await owner.query(
    `SELECT ${s}.admit('${logins.bots}', 'agent'), ${s}.admit('${logins.qa}', 'reviewer', 'auditor'), ${s}.admit('${logins.ada}', 'person', 'ada'), ${s}.admit('${logins.up}', 'server')`,
  );
});
afterAll(async () => {
  for (const one of open) await one.close();
  for (const login of Object.values(logins)) await owner.query(`DROP OWNED BY ${login}; DROP ROLE ${login}`);
  await owner.end();
  await space[Symbol.asyncDispose]();
});

function urlOf(login: string): string {
  const url = new URL(space.url);
  Object.assign(url, { username: login, password: word });
  return url.href;
}

async function by(login: string, as: string): Promise<Staffetta> {
  const relay = await openStaffetta({ gate: 'record', store: urlOf(login), as });
  open.push(relay);
  return relay;
}

async function storeOf(login: string): Promise<Store> {
  const store = await openStore(storeAddress(urlOf(login)));
  open.push(store);
  return store;
}

const human = (name: string): { name: string; kind: 'human' } => ({ name, kind: 'human' });
const denied = { code: 'denied' };

test('the login that made the store is admitted as nobody else', async () => {
  await expect(owner.query(`SELECT ${s}.admit(session_user::name, 'agent')`)).rejects.toThrow(
    'admit another',
  );
});

test('agents carry work from one to the other with no right on any table; the person whose login it is approves it', async () => {
  const [coder, tester, ada] = [
    await by(logins.bots, 'coder'),
    await by(logins.bots, 'tester'),
    await by(logins.ada, 'ada'),
  ];
  const leg = await coder.begin({ goal: 'The fence stands.', review: { human: true } });
  await leg.note('The third post is rotten.');
  await leg.handoff({
    to: 'agent:tester',
    transcript: 'I looked at nine posts.',
    claims: { next: 'Look again.' },
  });
  const taken = await tester.take();
  expect(taken).toMatchObject({ task: leg.task, generation: 2 });
  await taken?.renew();
  await taken?.acknowledge();
  await taken?.submit({ claims: { done: ['posts'] } });
  const { packet, contract } = await ada.show(leg.task);
  // An agent that calls itself a person, and one that gives a verdict all the same.
  for (const name of ['ada', 'eve'])
    await expect(
      coder.review(leg.task, { approve: true, packet, contract }, { as: human(name) }),
    ).rejects.toMatchObject(denied);
  await expect(
    ada.review(leg.task, { approve: true, packet, contract }, { as: human('eve') }),
  ).rejects.toMatchObject({
    ...denied,
    message: expect.stringContaining(
      'was admitted as person ada, and what it brings takes the person eve',
    ) as string,
  });
  await ada.review(leg.task, { approve: true, packet, contract }, { as: human('ada') });
  expect(await ada.show(leg.task)).toMatchObject({ status: 'done' });
  expect((await ada.verify()).faults).toEqual([]);
  // What was left lying is put right by an agent too, in nobody's name.
  expect(await coder.recover()).toMatchObject({ damaged: [] });
});

/** An entry as a program could write it that keeps to no rule. */
function forged(task: Append['task'], over: Partial<Entry>, more: Partial<Append> = {}): Append {
  const entry = {
    v: 1,
    task,
    seq: 0,
    prev: null,
    at: 1,
    by: { name: 'coder', kind: 'agent' },
    events: [{ type: 'note', v: 1, text: 'x' }],
    ...over,
  } as Entry;
  const { body, digest } = sealEntry(entry);
  const card = sampleCard(task, { status: 'submitted' });
  const snapshot = `${'0'.repeat(32)} {"status":"${more.card?.status ?? card.status}"}`;
  return { ...sampleAppend(task, 0, { body, digest, snapshot, card }), ...more };
}

test('what a forged entry says is held against the login that brings it', async () => {
  const [bots, qa, up] = [await storeOf(logins.bots), await storeOf(logins.qa), await storeOf(logins.up)];
  let n = 100;
  const outcome = async (store: Store, over: Partial<Entry>, more: Partial<Append> = {}): Promise<string> => {
    n += 1;
    const task: Append['task'] = `t${String(n).padStart(12, '0')}`;
    const refusal = store.journal.append(forged(task, over, more)).then(
      ({ stored }) => (stored ? 'stored' : 'refused'),
      (error: { readonly code: string }) => error.code,
    );
    const said = await refusal;
    expect((await bots.journal.head(task)) === undefined).toBe(said !== 'stored');
    return said;
  };
  const approval = { events: [{ type: 'review-approved', v: 1, packet: null }] } as unknown as Partial<Entry>;
  const phase = { events: [{ type: 'phase-approved', v: 1, phase: 'x' }] } as unknown as Partial<Entry>;
  const cancelled = { events: [{ type: 'task-cancelled', v: 1, why: 'x' }] } as unknown as Partial<Entry>;
  const auditor = { by: { name: 'auditor', kind: 'agent' } } as const;
  const system = { by: { name: 'staffetta', kind: 'system' } } as const;
  expect({
    plain: await outcome(bots, {}),
    person: await outcome(bots, { by: human('ada') }),
    approval: await outcome(bots, approval),
    phase: await outcome(bots, phase),
    done: await outcome(bots, {}, { card: sampleCard('t000000000001', { status: 'done' }) }),
    system: await outcome(bots, { ...cancelled, ...system }),
    digest: await outcome(bots, {}, { digest: `sha256:${'0'.repeat(64)}` }),
    card: await outcome(bots, {}, { card: sampleCard('t000000000001', { status: 'approved' }) }),
    snapshot: await outcome(bots, {}, { snapshot: `${'0'.repeat(32)} {"status":"approved"}` }),
    'a reviewer': await outcome(qa, { ...approval, ...auditor }),
    'a reviewer by another name': await outcome(qa, approval),
    'a server for a person': await outcome(up, { ...approval, by: human('ada') }),
    "a server's digest": await outcome(up, {}, { digest: `sha256:${'0'.repeat(64)}` }),
  }).toEqual({
    plain: 'stored',
    person: 'denied',
    approval: 'denied',
    phase: 'denied',
    done: 'denied',
    system: 'denied',
    digest: 'denied',
    card: 'denied',
    snapshot: 'denied',
    'a reviewer': 'stored',
    'a reviewer by another name': 'denied',
    'a server for a person': 'stored',
    "a server's digest": 'denied',
  });
});

test('what somebody has to approve is ended by nobody else; any agent ends the rest, also where it has to be integrated', async () => {
  const [coder, bots] = [await by(logins.bots, 'coder'), await storeOf(logins.bots)];
  const leg = await coder.begin({ goal: 'The gate stands.', review: { human: true } });
  await leg.submit({ claims: { done: ['gate'] } });
  const head = await bots.journal.head(leg.task);
  if (head === undefined) throw new Error('there is no such task');
  const entry: Entry = {
    v: 1,
    task: leg.task,
    seq: head.seq + 1,
    prev: head.digest,
    at: Date.now(),
    by: { name: 'coder', kind: 'agent' },
    events: [{ type: 'task-done', v: 1 }],
  };
  const { body, digest } = sealEntry(entry);
  const state = fold(inspectSnapshot(head.snapshot, head.digest) as TaskState, entry, digest);
  const append = sampleAppend(leg.task, entry.seq, { body, digest, card: cardOf(state) });
  await expect(bots.journal.append({ ...append, snapshot: writeSnapshot(state) })).rejects.toMatchObject(
    denied,
  );
  expect(await coder.show(leg.task)).toMatchObject({ status: 'submitted' });
  const own = await coder.begin({ goal: 'The bell rings.', integrate: { onto: 'main' } });
  await own.complete({ claims: { done: ['bell'] } });
  expect(await coder.show(own.task)).toMatchObject({ status: 'approved' });
});

test('an agent may write of U+0000, which is no text for the server', async () => {
  const coder = await by(logins.bots, 'coder');
  const leg = await coder.begin({ goal: 'Name the byte \u0000.' });
  await leg.note('It is \u0000, and not \\u0000.');
  await leg.complete({ claims: { done: ['\u0000'] } });
  expect(await coder.show(leg.task)).toMatchObject({ status: 'done' });
});

test('with SQL a login gets no further, and one that was not admitted or was dismissed gets nothing', async () => {
  const sql = async (login: string, text: string): Promise<string> => {
    const client = new Client({ connectionString: urlOf(login) });
    await client.connect();
    const said = await client.query(text).then(
      () => 'done',
      (error: { readonly code: string }) => error.code,
    );
    await client.end();
    return said;
  };
  const attempts = [
    `INSERT INTO ${s}.entry(task, seq, digest, body) VALUES (1, 99, '', '')`,
    `UPDATE ${s}.entry SET body = ''`,
    `DELETE FROM ${s}.entry`,
    `UPDATE ${s}.task SET status = 'done'`,
    `UPDATE ${s}.login SET kind = 'person'`,
    `SELECT ${s}.admit('${logins.bots}', 'person')`,
    `SELECT ${s}.remove_1('t', 0, 0, false, 0, 0)`,
    `SELECT hash FROM ${s}.token`,
    `ALTER TABLE ${s}.entry DISABLE TRIGGER judged`,
    `SET ROLE postgres`,
  ];
  for (const attempt of attempts)
    expect([attempt, await sql(logins.bots, attempt)]).toEqual([attempt, '42501']);
  expect(await sql(logins.bots, `SELECT count(*) FROM ${s}.entry`)).toBe('done');
  expect(await sql(logins.up, `SELECT hash FROM ${s}.token`)).toBe('done');
  expect(await sql(logins.none, `SELECT count(*) FROM ${s}.entry`)).toBe('42501');
  await expect(openStore(storeAddress(urlOf(logins.none)))).rejects.toMatchObject(denied);
  await owner.query(`SELECT ${s}.dismiss('${logins.qa}')`);
  expect(await sql(logins.qa, `SELECT count(*) FROM ${s}.entry`)).toBe('42501');
  // Given the right to call it some other way, it is still nobody.
  await owner.query(
    `GRANT USAGE ON SCHEMA ${s} TO ${logins.none}; GRANT SELECT ON ALL TABLES IN SCHEMA ${s} TO ${logins.none}; GRANT EXECUTE ON FUNCTION ${s}.append_1 TO ${logins.none}`,
  );
  const nobody = await storeOf(logins.none);
  await expect(nobody.journal.append(forged('t000000000900', {}))).rejects.toMatchObject(denied);
});

test('the doctor says as whom a login was admitted, and who else was', async () => {
  const { json } = await staffetta(['doctor', '--dry-run', '--json', '--store', urlOf(logins.bots)]);
  const findings = json['findings'] as readonly { readonly check: string; readonly text: string }[];
  const text = findings.find(({ check }) => check === 'logins')?.text ?? '';
  expect(text).toContain(`${logins.bots} was admitted as agent`);
  expect(text).toContain(`${logins.ada} (person ada)`);
  expect(JSON.stringify(json)).not.toContain(word);
});

test('the doctor of a login that may make no space of its own says so, and nothing against the store', async () => {
  const { json } = await staffetta(['doctor', '--json', '--store', urlOf(logins.bots)]);
  const findings = json['findings'] as readonly { readonly check: string }[];
  expect(findings.find(({ check }) => check === 'contract')).toMatchObject({
    status: 'untried',
    text: expect.stringContaining('does not let this user do that') as string,
  });
});

test('a clock that is an hour ahead ends nobody else\u2019s leg', async () => {
  const coder = await by(logins.bots, 'coder');
  const leg = await coder.begin({ goal: 'x' });
  const ahead = await openStaffetta({
    gate: 'record',
    store: space.url,
    as: 'late',
    clock: { ...coder.context.clock, now: () => Date.now() + 3_600_000 },
  });
  const { lapsed, doubted } = await ahead.recover();
  expect(lapsed).toEqual([]);
  expect(doubted).toContainEqual(expect.objectContaining({ task: leg.task, why: 'clock-off' }));
  await ahead.close();
  expect(await coder.show(leg.task)).toMatchObject({ status: 'held' });
});
