/** The cases for runtimes can fail: every sentence has a runtime that breaks it, and every case has one that it catches. */
import { expect, test } from 'vitest';
import { allRuntimeCases, runRuntimeConformance, type RuntimeScratch } from '../../src/conformance/index.ts';
import { geminiCli } from '../runtimes/scratch/gemini-cli.ts';
import { brokenRuntimes, type BrokenRuntime } from './broken.ts';

const caught = new Map<BrokenRuntime, Promise<string[]>>();
async function caughtBy(broken: BrokenRuntime): Promise<string[]> {
  const openScratch = (): RuntimeScratch => {
    const scratch = geminiCli();
    const { runtime } = scratch;
    return { ...scratch, runtime: { ...runtime, ...broken.spoil(runtime, scratch) } };
  };
  const noticed = async (): Promise<string[]> => {
    const cases = allRuntimeCases.filter((one) => one.id === broken.breaks);
    const report = await runRuntimeConformance(openScratch, cases);
    return report.filter(({ error }) => error !== undefined).map(({ title }) => title);
  };
  const titles = caught.get(broken) ?? noticed();
  caught.set(broken, titles);
  return await titles;
}

test.each(brokenRuntimes)('$breaks is broken: $how', async (broken) => {
  expect(await caughtBy(broken), `no case of ${broken.breaks} caught it`).not.toEqual([]);
});

test('every case catches a runtime that breaks its sentence', async () => {
  const noticed = new Set<string>();
  for (const broken of brokenRuntimes) for (const title of await caughtBy(broken)) noticed.add(title);
  const idle = allRuntimeCases.filter(({ title }) => !noticed.has(title));
  expect(idle.map(({ id, title }) => `${id} ${title}`)).toEqual([]);
});

test('every sentence has a runtime that breaks it', () => {
  const sentences = new Set(allRuntimeCases.map((one) => one.id));
  expect(new Set(brokenRuntimes.map(({ breaks }) => breaks))).toEqual(sentences);
});
