import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ada, bea, HandClock } from '../../test/support/world.ts';
import { preAuthEncoding } from '../core/trust/attestation.ts';
import { canonical } from '../core/journal/canonical.ts';
import { digestOf } from '../core/journal/digest.ts';
import { isSignedBy } from '../core/trust/ed25519.ts';
import { StoreKeys, successionType } from './keys.ts';

let folder = '';
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'staffetta-keys-')), 'store.db.keys');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

const bytes = Buffer.from('words');
const keys = (): StoreKeys => new StoreKeys(folder, new HandClock());

function files(): string[] {
  return readdirSync(folder).map((name) => join(folder, name));
}

test('an actor has one key in a store, made when it first signs, that only its owner can read', async () => {
  const made = await keys().sign(ada, bytes);
  const again = await keys().sign(ada, bytes);
  expect(made).toEqual(again);
  expect(isSignedBy(made?.publicKey ?? bytes, bytes, made?.signature ?? '')).toBe(true);
  expect(files().map((file) => statSync(file).mode & 0o777)).toEqual([0o600]);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect((await keys().sign(bea, bytes))?.publicKey).not.toEqual(made?.publicKey);
  expect(await keys().knows(ada, digestOf(made?.publicKey ?? bytes))).toBe(true);
  expect(await keys().knows(bea, digestOf(made?.publicKey ?? bytes))).toBe(false);
});

test('processes that sign at once end with the same key', async () => {
  const made = await Promise.all(Array.from({ length: 8 }, async () => await keys().sign(ada, bytes)));
  expect(new Set(made.map((one) => one?.signature)).size).toBe(1);
  expect(files()).toHaveLength(1);
});

test('a key that was replaced stays known, and vouches for its successor', async () => {
  const before = await keys().show(ada);
  const other = keys();
  await other.sign(ada, bytes);
  const after = await keys().rotate(ada);
  expect(after.key).not.toBe(before.key);
  expect(after.retired).toMatchObject([{ key: before.key, successor: after.key }]);
  expect(await other.knows(ada, before.key)).toBe(true);
  expect(digestOf((await other.sign(ada, bytes))?.publicKey ?? bytes)).toBe(after.key);
  const succession = canonical({ kind: ada.kind, name: ada.name, from: before.key, to: after.key });
  const [retired] = after.retired;
  const said = preAuthEncoding(successionType, succession);
  expect(isSignedBy(Buffer.from(before.publicKey, 'base64'), said, retired?.signature ?? '')).toBe(true);
  expect(readFileSync(files()[0] ?? '', 'utf8').match(/privateKey/g)).toHaveLength(1);
});

test('what is shown has no private key in it', async () => {
  expect(Object.keys(await keys().show(ada)).toSorted()).toEqual([
    'createdAt',
    'key',
    'kind',
    'name',
    'publicKey',
    'retired',
  ]);
});

test('a key file that others can read is closed to them', async () => {
  await keys().sign(ada, bytes);
  const [file = ''] = files();
  chmodSync(file, 0o644);
  await keys().sign(ada, bytes);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('where no key can be kept or read, nothing is signed and nothing fails', async () => {
  writeFileSync(folder, 'a file stands where the folder should be');
  expect(await keys().sign(ada, bytes)).toBeUndefined();
  rmSync(folder);
  await keys().sign(ada, bytes);
  writeFileSync(files()[0] ?? '', '{}');
  expect(await keys().sign(ada, bytes)).toBeUndefined();
  await expect(keys().show(ada)).rejects.toMatchObject({ code: 'corrupt' });
});
