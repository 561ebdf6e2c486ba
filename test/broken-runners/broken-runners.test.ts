/** The cases for runners can fail: every sentence has a runner that breaks it, and every case has one that it catches. */
import { describe, expect, test } from 'vitest';
import { runnerCases, runRunnerConformance } from '../../src/conformance/index.ts';
import { openRunnerScratch } from '../runners/scratch.ts';
import { brokenRunners, type BrokenRunner } from './broken.ts';

const caught = new Map<BrokenRunner, Promise<string[]>>();
async function caughtBy(broken: BrokenRunner): Promise<string[]> {
  const noticed = async (): Promise<string[]> => {
    const cases = runnerCases.filter((one) => one.id === broken.breaks);
    const report = await runRunnerConformance(openRunnerScratch(broken.kind, broken.spoil), cases);
    return report.filter(({ error }) => error !== undefined).map(({ title }) => title);
  };
  const titles = caught.get(broken) ?? noticed();
  caught.set(broken, titles);
  return await titles;
}

describe.skipIf(process.platform !== 'linux')('broken runners', () => {
  test.each(brokenRunners)(
    '$breaks is broken: $how',
    async (broken) => {
      expect(await caughtBy(broken), `no case of ${broken.breaks} caught it`).not.toEqual([]);
    },
    60_000,
  );

  test('every case catches a runner that breaks its sentence', { timeout: 120_000 }, async () => {
    const noticed = new Set<string>();
    for (const broken of brokenRunners) for (const title of await caughtBy(broken)) noticed.add(title);
    const idle = runnerCases.filter(({ title }) => !noticed.has(title));
    expect(idle.map(({ id, title }) => `${id} ${title}`)).toEqual([]);
  });

  test('every sentence has a runner that breaks it', () => {
    const sentences = new Set(runnerCases.map((one) => one.id));
    expect(new Set(brokenRunners.map(({ breaks }) => breaks))).toEqual(sentences);
  });
});
