import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { homeAt } from '../../test/support/home-at.ts';
import { openStore } from '../compose/open-store.ts';
import { logLine } from './log.ts';
import { openStaffetta } from '../library/staffetta.ts';
import { memoryAddress, urlAddress } from '../ports/store-address.ts';
import { openMemoryStore } from '../stores/memory/open.ts';
import { homeOf } from './home.ts';
import { storeAddress } from './locate.ts';
import { seenHeads } from './seen-heads.ts';
import { wordIndexOf } from './word-index.ts';

/** Apart from its addresses, so that no source of ours looks as if it held a password. */
const word = 'sesame';

const data = mkdtempSync(join(tmpdir(), 'staffetta-home-'));
afterAll(() => rmSync(data, { recursive: true, force: true }));
const env = { HOME: data, XDG_DATA_HOME: data, LOCALAPPDATA: data };

function homeFolder(store: string): string {
  return homeAt(store, env).folder;
}

describe('a home', () => {
  test.each([
    ['a path', join(data, 'a.db')],
    ['a path with its scheme', `sqlite:${join(data, 'a.db')}`],
    ['a file URL', `file://${join(data, 'a.db')}`],
  ])('of a file lies beside it, whichever way it is named: %s', (_, text) => {
    const beside = join(data, 'a.db');
    expect(homeAt(text, env)).toMatchObject({
      folder: data,
      file: beside,
      keys: `${beside}.keys`,
      tokens: `${beside}.tokens`,
      runs: `${beside}.runs`,
      taken: `${beside}.taken`,
      seen: `${beside}.seen.json`,
      words: `${beside}.search`,
      hooks: join(data, 'hooks'),
      log: join(data, 'hook.log'),
      prompts: join(data, 'prompts'),
      commands: join(data, 'bin'),
      installed: join(data, 'installed'),
      notes: join(data, 'notes.md'),
      watchOff: join(data, 'watch-off'),
    });
  });

  test('is the only way from a store to a path', () => {
    // @ts-expect-error: an address is no text, so the compiler refuses it wherever a path is meant.
    expect(() => dirname(storeAddress('a.db'))).toThrow(TypeError);
    // @ts-expect-error: the same for a store that is open.
    expect(() => join(openMemoryStore().address, 'hooks')).toThrow(TypeError);
  });

  test('of a store in memory is nowhere', () => {
    expect(homeOf(storeAddress('memory:'), env)).toBeUndefined();
  });

  test('of a store that is no file lies in the data folder of the user, under a name that says which store it is', () => {
    const { folder, file } = homeAt('postgres://db.example/work?space=north', env);
    expect(file).toBeUndefined();
    expect(basename(folder)).toMatch(/^postgres-db\.example-work-space-north-[0-9a-f]{16}$/);
    expect(basename(dirname(folder))).toBe('homes');
    expect(folder.startsWith(data)).toBe(true);
    expect(basename(homeFolder(`aws://eu-central-1/${'t'.repeat(300)}`)).length).toBeLessThan(120);
    expect(basename(homeFolder('postgres://db.example/..%2F..%2Fetc'))).not.toMatch(/[/\\]|\.\.$/);
  });

  const one = 'postgres://db.example/work';
  test.each([
    ['user and password', `postgres://ada:${word}@db.example/work`],
    ['another password', `postgres://ada:${word + word}@db.example/work`],
    ['a password among the parameters', `${one}?password=sesame&user=ada`],
    ['the usual port', 'postgres://db.example:5432/work'],
    ['the other name of the scheme', `${one.replace(':', 'ql:')}/`],
    ['how it is connected to', `${one}?sslmode=require&application_name=x`],
    ['the case of the host', 'postgres://DB.example/work'],
  ])('is the same whatever is said of %s', (_, same) => expect(homeFolder(same)).toBe(homeFolder(one)));

  test.each([
    'postgres://db.example/play',
    'postgres://db.example:5433/work',
    'postgres://db2.example/work',
    'postgres://db.example/Work',
    `${one}?space=north`,
    `${one}?schema=north`,
    'postgres:///work?host=/run/db',
    'aws://db.example/work',
  ])('is another for another store: %s', (other) => expect(homeFolder(other)).not.toBe(homeFolder(one)));
});

describe('an address with a password', () => {
  const secret = `postgres://ada:${word}@db.example/work?password=${word}`;

  test('keeps it from whatever prints, joins or stores it, and gives it to its store alone', () => {
    const address = storeAddress(secret);
    const home = homeAt(secret, env);
    for (const value of [address, home])
      expect(`${inspect(value, { showHidden: true, depth: 9 })} ${JSON.stringify(value)}`).not.toContain(
        'sesame',
      );
    expect(address.shown).toBe('postgres://db.example/work');
    expect(address.reveal()).toBe(secret);
  });

  test.each([`redis://key:${word}@h/work`, 'mysql://sesame@h'])(
    'is refused without it where there is no such store: %s',
    async (text) => {
      const refused: unknown = await openStore(storeAddress(text)).catch((error: unknown) => error);
      expect(refused).toMatchObject({
        code: 'store-unsupported',
        message: expect.stringMatching(/^There is no store for \w+:\/\/ addresses in this version\.$/),
        hint: expect.stringContaining('Use a file path'),
      });
      expect(inspect(refused, { depth: 9 })).not.toContain('sesame');
    },
  );

  test.each([`postgres:/ada:${word}@h/work`, `PostgreSQL:ada:${word}@h/work`, 'aws:bucket/work'])(
    'is taken for no path where its slashes are missing: %s',
    (text) => {
      expect(() => storeAddress(text)).toThrow(
        expect.objectContaining({
          code: 'invalid-input',
          message: 'The address of the store cannot be read.',
        }),
      );
      expect(storeAddress(`./${text}`).scheme).toBe('sqlite');
    },
  );

  test.each(['#', '/', '?', ':#'])(
    'that is cut short by a %o in it is refused without a word of it',
    (mark) => {
      const refused = refusalOf(`postgres://ada:1${mark}sesame@db.example/work`);
      expect(refused).toMatchObject({ code: 'invalid-input', hint: expect.stringContaining('%40') });
      expect(inspect(refused, { depth: 9 })).not.toContain('sesame');
    },
  );

  test.each(['%', '\\', ' ', '@'])('that has a %o in it shows nothing of it', (mark) => {
    const { shown } = storeAddress(`postgres://ada:1${mark}sesame@db.example/work`);
    expect(shown).toBe('postgres://db.example/work');
  });
});

function refusalOf(text: string): unknown {
  try {
    return storeAddress(text).shown;
  } catch (error) {
    return error;
  }
}

test('what is written into files and commands is the whole address but for its password', () => {
  const plain = 'postgres://ada@db.example/work?space=acme&sslmode=require';
  for (const text of [
    plain,
    plain.replace('ada', `ada:${word}`),
    `${plain}&password=${word}`,
    `${plain}&sslpassword=${word}`,
  ])
    expect(urlAddress(text).withoutPassword()).toBe(plain);
  const bucket = 'aws://acme-work/relay?region=eu-central-1&queue=https://sqs.example/1/acme';
  expect(urlAddress(bucket).withoutPassword()).toBe(bucket);
  expect(memoryAddress.withoutPassword()).toBe('memory:');
  expect(storeAddress(join(data, 'a b.db')).withoutPassword()).toBe(join(data, 'a b.db'));
});

test('a store that is no file has its keys, index, log and heads in its home, for this user alone', async () => {
  const address = urlAddress(`postgres://ada:${word}@db.example/work`);
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  try {
    const relay = await openStaffetta({
      store: { ...openMemoryStore(), address },
      as: 'ada',
      gate: 'record',
    });
    const leg = await relay.begin({ goal: 'Carry the letter.' });
    await leg.checkpoint();
    expect((await relay.verify()).signatures).toMatchObject({ valid: 1, foreign: 0 });
    const home = homeAt('postgres://db.example/work');
    const index = wordIndexOf(relay.store);
    await index.words();
    await index.close();
    logLine(home, 'something went wrong');
    await seenHeads(home.seen).write(new Map());
    expect(readdirSync(home.folder).toSorted()).toEqual(
      ['hook.log', 'store.keys', 'store.search', 'store.seen.json'].toSorted(),
    );
    for (const name of readdirSync(home.folder, { recursive: true, encoding: 'utf8' })) {
      const path = join(home.folder, name);
      expect(statSync(path).mode & 0o077).toBe(0);
      const held = statSync(path).isFile() ? readFileSync(path, 'latin1') : name;
      expect(held).not.toContain('sesame');
    }
    expect(statSync(home.folder).mode & 0o077).toBe(0);
  } finally {
    vi.unstubAllEnvs();
  }
});
