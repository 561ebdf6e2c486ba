/** What a user meets who names a PostgreSQL that will not do: a code and words, never another store, and never the password. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isStaffettaError, type StaffettaError } from '../../src/core/base/error.ts';
import { openStore } from '../../src/compose/open-store.ts';
import { sampleAppend, sampleTask } from '../../src/conformance/sample.ts';
import { storeAddress } from '../../src/home/locate.ts';
import { postgresPlace } from '../../src/stores/postgres/address.ts';
import { isCrowded, translate } from '../../src/stores/postgres/errors.ts';
import { refuseOldServer } from '../../src/stores/postgres/migrate.ts';
import { schemaNumber } from '../../src/stores/postgres/schema.ts';
import { postgresSpace, type TestSpace } from '../support/postgres.ts';
import { untrustedPostgres } from '../support/untrusted.ts';

let space: TestSpace;
let admin: Client;
let schema = '';
const role = `guest_${globalThis.crypto.randomUUID().slice(0, 8)}`;
const word = 'pa55-w0rd';

beforeAll(async () => {
  space = await postgresSpace();
  ({ schema } = postgresPlace(space.address));
  admin = new Client({ connectionString: space.url });
  await admin.connect();
  await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD '${word}'`);
});
afterAll(async () => {
  await admin.query(`DROP OWNED BY ${role}`);
  await admin.query(`DROP ROLE ${role}`);
  await admin.end();
  await space[Symbol.asyncDispose]();
});

function changed(change: (url: URL) => void): string {
  const url = new URL(space.url);
  change(url);
  return url.href;
}

function asGuest(password = word): string {
  return changed((url) => Object.assign(url, { username: role, password }));
}

function sockets(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
}

/** How opening it for a first task is refused, with everything that a user could be shown of it. */
async function refusal(url: string, { create = true, busyMs = 10_000 } = {}): Promise<StaffettaError> {
  try {
    await (await openStore(storeAddress(url), { create, busyMs })).close();
  } catch (error) {
    if (!isStaffettaError(error)) throw error;
    const shown = JSON.stringify([error.message, error.hint, error.details]);
    if ([word, new URL(space.url).password].some((each) => shown.includes(each)))
      throw new Error(`it shows a password: ${shown}`, { cause: error });
    if (error.hint === undefined)
      throw new Error(`it says nothing of what to do: ${shown}`, { cause: error });
    return error;
  }
  throw new Error('it was opened');
}

test('a server, database, login or space that is not there is told apart', async () => {
  expect(await refusal(asGuest('wrong'))).toMatchObject({ code: 'denied' });
  expect(await refusal(changed((url) => (url.pathname = '/nowhere')))).toMatchObject({
    code: 'store-missing',
  });
  expect(await refusal(changed((url) => (url.port = '1')))).toMatchObject({ code: 'store-io' });
  expect(await refusal(changed((url) => (url.pathname = '/')))).toMatchObject({ code: 'invalid-input' });
  for (const wrong of ['Acme', 'a-b', 'a"; DROP', ''])
    expect(await refusal(changed((url) => url.searchParams.set('space', wrong)))).toMatchObject({
      code: 'invalid-input',
    });
  // It would begin another store.
  expect(await refusal(changed((url) => url.searchParams.set('spaec', 'acme')))).toMatchObject({
    code: 'invalid-input',
    message: 'The address of a database has no parameter spaec.',
  });
  expect(await refusal(space.url, { create: false })).toMatchObject({ code: 'store-missing' });
});

test('whoever gives no password is told so, and no connection is left that would keep the process running', async () => {
  const before = sockets();
  expect(await refusal(asGuest(''))).toMatchObject({
    code: 'denied',
    message: expect.stringContaining('asks for a password, and none was given') as string,
  });
  expect(await refusal(asGuest('wrong'))).toMatchObject({
    message: expect.stringContaining(`password authentication failed for user "${role}"`) as string,
  });
  // The server would end it after a minute.
  while (sockets() > before) await new Promise((resolve) => setTimeout(resolve, 10));
}, 30_000);

test('the password that is kept in a file of its own is used, without a word on stderr', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'staffetta-pgpass-'));
  const file = join(folder, 'pgpass');
  const warnings: Error[] = [];
  const note = (warning: Error): unknown => warnings.push(warning);
  process.on('warning', note);
  process.env['PGPASSFILE'] = file;
  try {
    writeFileSync(file, `# mine\nelsewhere:*:*:*:x\n*:*:a\\:b:${role}:y\n*:*:*:${role}:${word}\n`, {
      mode: 0o600,
    });
    expect(await refusal(asGuest(''))).toMatchObject({
      message: expect.stringContaining('does not let') as string,
    });
    chmodSync(file, 0o644);
    expect(await refusal(asGuest(''))).toMatchObject({
      code: 'denied',
      message: expect.stringContaining('can be read by others') as string,
    });
  } finally {
    delete process.env['PGPASSFILE'];
    process.off('warning', note);
    rmSync(folder, { recursive: true });
  }
  expect(warnings).toEqual([]);
});

test('a certificate that nobody trusts is named as that, and so is a file that is not there', async () => {
  using server = await untrustedPostgres();
  const warnings: Error[] = [];
  const note = (warning: Error): unknown => warnings.push(warning);
  process.on('warning', note);
  const url = `postgres://ada:${word}@${server.host}/work?sslmode=require`;
  expect(await refusal(url)).toMatchObject({
    code: 'store-io',
    message: `PostgreSQL at postgres://${server.host}/work shows a certificate that is not trusted here: self-signed certificate.`,
  });
  expect(await refusal(`${url}&sslrootcert=/nowhere/ca.pem`)).toMatchObject({
    code: 'invalid-input',
    message: expect.stringContaining('/nowhere/ca.pem') as string,
  });
  process.off('warning', note);
  expect(warnings).toEqual([]);
});

test('a database that takes no connections says so, and a pooler that takes no more is waited for', async () => {
  await admin.query(`CREATE DATABASE closed_${role} ALLOW_CONNECTIONS false`);
  expect(await refusal(changed((url) => (url.pathname = `/closed_${role}`)))).toMatchObject({
    code: 'store-io',
    message: expect.stringContaining('is not currently accepting connections') as string,
  });
  await admin.query(`DROP DATABASE closed_${role}`);
  const pooler = Object.assign(new Error('no more connections allowed (max_client_conn)'), { code: '08P01' });
  expect([isCrowded(pooler), translate(pooler, 'postgres://h/d')]).toMatchObject([
    true,
    { code: 'store-busy' },
  ]);
});

test('a user without the right to create a schema is told what is missing', async () => {
  expect(await refusal(asGuest())).toMatchObject({
    code: 'denied',
    message: expect.stringContaining('does not let') as string,
  });
});

test('a database at its connection limit is busy, which may be tried again', async () => {
  await admin.query(`ALTER ROLE ${role} CONNECTION LIMIT 0`);
  const refused = await refusal(asGuest(), { busyMs: 1000 });
  await admin.query(`ALTER ROLE ${role} CONNECTION LIMIT -1`);
  expect(refused).toMatchObject({ code: 'store-busy', retryable: true });
});

test('a server that is too old is refused, one that is old enough is not', () => {
  expect(() => refuseOldServer(140_019, 'postgres://h/d')).toThrow(
    expect.objectContaining({ code: 'store-unsupported' }),
  );
  expect(() => refuseOldServer(150_000, 'postgres://h/d')).not.toThrow();
});

test('a schema that somebody else made is not written into', async () => {
  const other = await postgresSpace();
  const { schema: theirs } = postgresPlace(other.address);
  await admin.query(`CREATE SCHEMA ${theirs}; CREATE TABLE ${theirs}.invoice(n int)`);
  expect(await refusal(other.url)).toMatchObject({ code: 'store-unsupported' });
  expect(
    (await admin.query(`SELECT relname FROM pg_class WHERE relnamespace = '${theirs}'::regnamespace`)).rows,
  ).toEqual([{ relname: 'invoice' }]);
  await other[Symbol.asyncDispose]();
});

test('twenty that open a new store at once make it once', async () => {
  const stores = await Promise.all(
    Array.from({ length: 20 }, async () => await openStore(space.address, { create: true })),
  );
  const secrets = await Promise.all(
    stores.map(async ({ upkeep }) => Buffer.from(await upkeep.secret()).toString('hex')),
  );
  expect(new Set(secrets).size).toBe(1);
  for (const store of stores) await store.close();
});

test('a store of the future is refused, also by a process that had it open before', async () => {
  const store = await openStore(space.address, { create: true });
  await store.journal.append(sampleAppend(sampleTask(1), 0));
  const later = `${schemaNumber + 1}`;
  await admin.query(`UPDATE ${schema}.meta SET value = '${later}' WHERE key IN ('schema', 'readable_by')`);
  expect(await refusal(space.url)).toMatchObject({ code: 'store-newer' });
  // What a breaking migration does to what it changes.
  await admin.query(`ALTER FUNCTION ${schema}.append_1 RENAME TO append_2`);
  await expect(store.journal.append(sampleAppend(sampleTask(1), 1))).rejects.toMatchObject({
    code: 'store-newer',
  });
  await admin.query(`ALTER FUNCTION ${schema}.append_2 RENAME TO append_1`);
  // Where it only added something, a program that does not know of it goes on.
  await admin.query(`UPDATE ${schema}.meta SET value = '${schemaNumber}' WHERE key = 'readable_by'`);
  await (await openStore(space.address)).close();
  await store.close();
});

test('a store that has lost a table is damaged', async () => {
  await using torn = await postgresSpace();
  const store = await openStore(torn.address, { create: true });
  await admin.query(`DROP TABLE ${postgresPlace(torn.address).schema}.hint`);
  await expect(store.mailbox.receive(['anyone'], { now: 1, hideMs: 1, limit: 1 })).rejects.toMatchObject({
    code: 'corrupt',
  });
  await store.close();
});

test('a database that takes no changes says so, and is still read', async () => {
  await admin.query(
    `GRANT USAGE ON SCHEMA ${schema} TO ${role}; GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO ${role}`,
  );
  const store = await openStore(storeAddress(asGuest()));
  expect((await store.journal.head(sampleTask(1)))?.seq).toBe(0);
  await expect(store.journal.append(sampleAppend(sampleTask(1), 1))).rejects.toMatchObject({
    code: 'denied',
  });
  expect(await store.upkeep.facts()).toMatchObject({ user: role, role: 'reads' });
  await store.close();
  // Who may write, in a database that takes nothing.
  await admin.query(
    `SELECT ${schema}.admit('${role}', 'agent'); ALTER ROLE ${role} SET default_transaction_read_only = on`,
  );
  const readOnly = await openStore(storeAddress(asGuest()));
  await expect(readOnly.blobs.put(new Uint8Array(1), 0)).rejects.toMatchObject({ code: 'store-readonly' });
  await readOnly.close();
});
