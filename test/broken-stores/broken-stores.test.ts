/** The suite can fail: every sentence has a store that breaks it, and every case has a store that it catches. */
import { beforeAll, expect, test } from 'vitest';
import {
  allStoreCases,
  clockCases,
  entropyCases,
  runClockConformance,
  runConformance,
  runEntropyConformance,
  type Report,
} from '../../src/conformance/index.ts';
import { brokenAdoptions } from './adoption.ts';
import { brokenBells, wholeBell } from './bell.ts';
import { brokenBlobs } from './blobs.ts';
import { brokenCatalogs } from './catalog.ts';
import { brokenKeys } from './catalog-key.ts';
import { brokenWaits } from './catalog-waits.ts';
import { brokenJournals } from './journal.ts';
import { brokenLeases } from './lease.ts';
import { brokenMailboxes } from './mailbox.ts';
import { brokenRenewers } from './renewer.ts';
import { brokenRemovals } from './removal.ts';
import { brokenShared } from './shared.ts';
import { brokenConnections } from './store.ts';
import { brokenClocks, brokenEntropies } from './system.ts';

const brokenStores = [
  ...brokenConnections,
  ...brokenJournals,
  ...brokenLeases,
  ...brokenRemovals,
  ...brokenAdoptions,
  ...brokenCatalogs,
  ...brokenKeys,
  ...brokenWaits,
  ...brokenBlobs,
  ...brokenMailboxes,
  ...brokenRenewers,
  ...brokenBells,
  ...brokenShared,
];

const subjects = [
  ...brokenStores.map(({ breaks, how, openScratch }) => ({
    breaks,
    how,
    report: async (): Promise<Report> =>
      await runConformance(
        openScratch,
        allStoreCases.filter((one) => one.id === breaks),
      ),
  })),
  ...brokenClocks.map(({ breaks, how, open }) => ({
    breaks,
    how,
    report: async (): Promise<Report> => await runClockConformance(open()),
  })),
  ...brokenEntropies.map(({ breaks, how, open }) => ({
    breaks,
    how,
    report: async (): Promise<Report> => await runEntropyConformance(open()),
  })),
];

const allCases = [...allStoreCases, ...clockCases, ...entropyCases];

/** The cases of the broken sentence that noticed. */
const caught = new Map<unknown, Promise<string[]>>();
async function caughtBy(subject: (typeof subjects)[number]): Promise<string[]> {
  const noticed = async (): Promise<string[]> =>
    (await subject.report())
      .filter(({ id, error }) => id === subject.breaks && error !== undefined)
      .map(({ title }) => title);
  const titles = caught.get(subject) ?? noticed();
  caught.set(subject, titles);
  return await titles;
}

// Some of them are waited for until half a minute is over: all at once, and while the others are tried.
beforeAll(() => {
  for (const subject of subjects) if (/^(RN|BL|ST2)/.test(subject.breaks)) void caughtBy(subject);
});

test.each(subjects)('$breaks is broken: $how', async (subject) => {
  expect(await caughtBy(subject), `no case of ${subject.breaks} caught it`).not.toEqual([]);
});

test('every case catches a store that breaks its sentence', async () => {
  const noticed = new Set<string>();
  for (const subject of subjects) for (const title of await caughtBy(subject)) noticed.add(title);
  const idle = allCases.filter(({ title }) => !noticed.has(title));
  expect(idle.map(({ id, title }) => `${id} ${title}`)).toEqual([]);
});

test('every sentence has a store that breaks it', () => {
  const sentences = new Set(allCases.map((one) => one.id));
  expect(new Set(subjects.map(({ breaks }) => breaks))).toEqual(sentences);
});

test('with nothing broken, every case passes', async () => {
  const report = await runConformance(wholeBell);
  expect(report.filter(({ ok }) => !ok)).toEqual([]);
});
