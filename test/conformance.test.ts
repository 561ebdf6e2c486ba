/** Every adapter keeps its contract: one test for each case on each of them. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { storeAddress } from '../src/home/locate.ts';
import { openSqliteStore } from '../src/stores/sqlite/open.ts';
import { sample } from './support/sample.ts';
import { scratchFor } from '../src/compose/scratch.ts';
import { withLossy } from './support/lossy-relay.ts';
import { postgresUrl } from './support/postgres.ts';
import { systemClock, systemEntropy } from '../src/home/system.ts';
import {
  allStoreCases,
  runnerCases,
  allRuntimeCases,
  allTreesCases,
  allWorkspaceCases,
  clockCases,
  entropyCases,
  runClockConformance,
  runConformance,
  runEntropyConformance,
} from '../src/conformance/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'staffetta-conformance-'));
const rollback = mkdtempSync(join(tmpdir(), 'staffetta-conformance-'));
afterAll(() => {
  for (const made of [folder, rollback]) rmSync(made, { recursive: true, force: true });
});

const allCases = [
  ...allStoreCases,
  ...allWorkspaceCases,
  ...allTreesCases,
  ...runnerCases,
  ...allRuntimeCases,
  ...clockCases,
  ...entropyCases,
];

/** Scratch stores are journaled as the store that they lie beside. */
async function rollbackStore(): Promise<string> {
  const path = join(rollback, 'store.db');
  await (await openSqliteStore(path, { create: true, journal: 'rollback' })).close();
  return path;
}

describe.each([
  { store: 'memory', url: 'memory:', cases: allStoreCases },
  { store: 'sqlite', url: join(folder, 'store.db'), cases: allStoreCases },
  {
    store: 'sqlite with a rollback journal',
    url: rollbackStore,
    cases: sample('cases with a rollback journal', allStoreCases, { oneIn: 6 }),
  },
  { store: 'postgres', url: postgresUrl, cases: allStoreCases },
])('the $store store', ({ url, cases }) => {
  test.each(cases)('$id $title', async (one) => {
    const { id, title } = one;
    const address = storeAddress(typeof url === 'string' ? url : await url());
    const open = scratchFor(address);
    const report = await runConformance(address.scheme === 'postgres' ? withLossy(open) : open, [one]);
    expect(report).toEqual([{ id, title, ok: true }]);
  });
});

// Nothing may need two of them at once. Whatever overlaps or waits is tried so.
test('the postgres store keeps what calls at the same time mean with a single connection', async () => {
  const url = new URL(await postgresUrl());
  url.searchParams.set('connections', '1');
  const cases = allStoreCases.filter(({ id }) => /^(ST2|JS2|BL\d|CA4)$/.test(id));
  const report = await runConformance(scratchFor(storeAddress(url.href)), cases);
  expect(report.filter(({ ok }) => !ok)).toEqual([]);
});

test.each(clockCases)('the system clock: $id $title', async (one) => {
  const { id, title } = one;
  expect(await runClockConformance(systemClock, [one])).toEqual([{ id, title, ok: true }]);
});

test.each(entropyCases)('the system entropy: $id $title', async (one) => {
  const { id, title } = one;
  expect(await runEntropyConformance(systemEntropy, [one])).toEqual([{ id, title, ok: true }]);
});

describe('the suite', () => {
  const ports = join(import.meta.dirname, '..', 'src', 'ports');
  const textOf = (file: string): string => readFileSync(join(ports, file), 'utf8');
  const published = [...textOf('index.ts').matchAll(/from '\.\/([a-z-]+\.ts)'/g)].map(
    (match) => match[1] ?? '',
  );
  const sentences = [...new Set(published)]
    .map(textOf)
    .flatMap((text) => [...text.matchAll(/^ \* ([A-Z]{2}\d+) /gm)].map((match) => match[1] ?? ''));

  test('has a case for every sentence of the published ports, and no case for anything else', () => {
    expect(sentences.length).toBeGreaterThan(40);
    expect(new Set(sentences).size, 'a sentence number is used twice').toBe(sentences.length);
    expect(new Set(allCases.map((one) => one.id))).toEqual(new Set(sentences));
  });

  test('has no two cases of the same title', () => {
    const titles = allCases.map((one) => one.title);
    expect(titles.filter((title, n) => titles.indexOf(title) !== n)).toEqual([]);
  });

  test('leaves nothing behind beside the store', async () => {
    await runConformance(
      scratchFor(storeAddress(join(folder, 'not yet', 'store.db'))),
      allStoreCases.slice(0, 2),
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  test('reports as not proven what cannot be tried', async () => {
    const needy = allStoreCases.filter((one) => one.needs === 'damage');
    const report = await runConformance(async () => {
      const { connect, dispose } = await scratchFor(storeAddress('memory:'))();
      return { connect, dispose };
    }, needy);
    expect(report.map(({ ok, error, unproven }) => [ok, error, unproven])).toEqual(
      needy.map(() => [false, undefined, 'There is no way to damage this store on purpose.']),
    );
  });

  test('reports a store that cannot be opened as one that keeps nothing', async () => {
    const report = await runConformance(
      async () => {
        throw new Error('no such host');
      },
      allStoreCases.slice(0, 1),
    );
    expect(report).toMatchObject([{ ok: false, error: 'no such host' }]);
  });
});
