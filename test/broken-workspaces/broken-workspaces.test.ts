/** The cases for workspaces can fail: every sentence has a workspace that breaks it, and every case has one that it catches. */
import { expect, test } from 'vitest';
import { allWorkspaceCases, runWorkspaceConformance } from '../../src/conformance/index.ts';
import { workspaceScratch } from '../workspace/scratch.ts';
import { brokenWorkspaces, type BrokenWorkspace } from './broken.ts';

const caught = new Map<BrokenWorkspace, Promise<string[]>>();
async function caughtBy(broken: BrokenWorkspace): Promise<string[]> {
  const noticed = async (): Promise<string[]> => {
    const openScratch = workspaceScratch('git', (workspace, places) => ({
      ...workspace,
      ...broken.spoil(workspace, places),
    }));
    const cases = allWorkspaceCases.filter((one) => one.id === broken.breaks);
    const report = await runWorkspaceConformance(openScratch, cases);
    return report.filter(({ error }) => error !== undefined).map(({ title }) => title);
  };
  const titles = caught.get(broken) ?? noticed();
  caught.set(broken, titles);
  return await titles;
}

test.each(brokenWorkspaces)('$breaks is broken: $how', async (broken) => {
  expect(await caughtBy(broken), `no case of ${broken.breaks} caught it`).not.toEqual([]);
});

test('every case catches a workspace that breaks its sentence', async () => {
  const noticed = new Set<string>();
  for (const broken of brokenWorkspaces) for (const title of await caughtBy(broken)) noticed.add(title);
  const idle = allWorkspaceCases.filter(({ title }) => !noticed.has(title));
  expect(idle.map(({ id, title }) => `${id} ${title}`)).toEqual([]);
});

test('every sentence has a workspace that breaks it', () => {
  const sentences = new Set(allWorkspaceCases.map((one) => one.id));
  expect(new Set(brokenWorkspaces.map(({ breaks }) => breaks))).toEqual(sentences);
});
