/** The cases for trees and integration can fail: every sentence has an adapter that breaks it, and every case has one that it catches. */
import { expect, test } from 'vitest';
import { allTreesCases, runTreesConformance } from '../../src/conformance/index.ts';
import { treesScratch } from '../trees/scratch.ts';
import { brokenTrees, type BrokenTrees } from './broken.ts';

const caught = new Map<BrokenTrees, Promise<string[]>>();
async function caughtBy(broken: BrokenTrees): Promise<string[]> {
  const noticed = async (): Promise<string[]> => {
    const openScratch = treesScratch({
      trees: (trees, root) => ({ ...trees, ...broken.trees?.(trees, root) }),
      integrate: (queue, root) => ({ ...queue, ...broken.integrate?.(queue, root) }),
    });
    const cases = allTreesCases.filter((one) => one.id === broken.breaks);
    const report = await runTreesConformance(openScratch, cases);
    return report.filter(({ error }) => error !== undefined).map(({ title }) => title);
  };
  const titles = caught.get(broken) ?? noticed();
  caught.set(broken, titles);
  return await titles;
}

test.each(brokenTrees)('$breaks is broken: $how', async (broken) => {
  expect(await caughtBy(broken), `no case of ${broken.breaks} caught it`).not.toEqual([]);
});

test('every case catches trees or a queue that break its sentence', async () => {
  const noticed = new Set<string>();
  for (const broken of brokenTrees) for (const title of await caughtBy(broken)) noticed.add(title);
  const idle = allTreesCases.filter(({ title }) => !noticed.has(title));
  expect(idle.map(({ id, title }) => `${id} ${title}`)).toEqual([]);
});

test('every sentence has an adapter that breaks it', () => {
  const sentences = new Set(allTreesCases.map((one) => one.id));
  expect(new Set(brokenTrees.map(({ breaks }) => breaks))).toEqual(sentences);
});
