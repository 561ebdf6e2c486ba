/** SIGKILL at announced steps of verbs, with the store in PostgreSQL. What must hold after it is what holds on SQLite: see test/crash. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { runChild } from '../crash/run-child.ts';
import type { Scenario } from '../crash/scenario.ts';
import { scenarios } from '../crash/scenarios.ts';
import { addressFile, aftermathFaults, journalsOf, makeTemplate, openStage } from '../crash/stage.ts';
import { postgresSpace } from '../support/postgres.ts';
import { sample } from '../support/sample.ts';

vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 });

const folder = mkdtempSync(join(tmpdir(), 'staffetta-pg-crash-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const child = join(import.meta.dirname, '../crash/child.ts');

/** These are about files: a database has its own ways. */
const aboutFiles = /backup/;

/** A stage of its own, as the verb finds it. */
async function staged(scenario: Scenario, work: (at: string) => Promise<void>): Promise<void> {
  const at = mkdtempSync(join(folder, 'stage-'));
  await using space = await postgresSpace();
  mkdirSync(at, { recursive: true });
  writeFileSync(join(at, addressFile), space.url);
  await makeTemplate(scenario, at);
  await work(at);
}

test.each(
  sample(
    'verbs killed on PostgreSQL',
    scenarios.filter(({ name }) => !aboutFiles.test(name)),
    { oneIn: 10 },
  ).map((scenario) => [scenario.name, scenario] as const),
)('%s survives a kill on PostgreSQL', async (name, scenario) => {
  let reached: string[] = [];
  let undisturbed: readonly string[] = [];
  await staged(scenario, async (at) => {
    const dry = await runChild(child, ['dry', name, at]);
    expect(dry).toMatchObject({ code: 0, stderr: '' });
    reached = JSON.parse(dry.stdout) as string[];
    const staffetta = await openStage(scenario, at);
    undisturbed = await journalsOf(staffetta);
    await staffetta.close();
  });
  const places = reached.map((step, i) => ({ step, nth: i + 1 }));
  for (const { step, nth } of sample(`kills of ${name} on PostgreSQL`, places, { oneIn: 4 }))
    await staged(scenario, async (at) => {
      const ended = await runChild(child, ['kill', name, at, `${nth}`]);
      expect(ended).toMatchObject({ signal: 'SIGKILL', stderr: '' });
      const told = ended.stdout
        .split('\n')
        .filter(Boolean)
        .map((what) => what.split(' ').slice(-2).join(' '));
      const faults = await aftermathFaults(scenario, at, { told, returned: false, undisturbed });
      expect(faults.map((fault) => `killed at ${step}: ${fault}`)).toEqual([]);
    });
});
