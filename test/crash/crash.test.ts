/**
 * SIGKILL at every announced step of every verb. After each: reopen, verify, recover, verify, try again with the same key. The journals
 * must then be those of a run that nobody disturbed: nothing that was acknowledged is lost, nothing is there twice, nobody
 * else holds the task.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { eventTypes } from '../../src/core/event.ts';
import { steps, type Step } from '../../src/ports/step.ts';
import { inParallel, runChild } from './run-child.ts';
import type { Scenario } from './scenario.ts';
import { scenarios } from './scenarios.ts';
import { aftermathFaults, copyTemplate, journalsOf, makeTemplate, openStage, typesIn } from './stage.ts';

// Many processes: on a machine that is busy with other things they take their time.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 });

const child = join(import.meta.dirname, 'child.ts');

interface Rehearsed {
  readonly scenario: Scenario;
  readonly template: string;
  readonly reached: readonly Step[];
  /** The journals of an undisturbed run. */
  readonly journals: readonly string[];
  /** The kinds of events in them, signatures among them: those differ from store to store. */
  readonly types: readonly string[];
}

let folder = '';
let rehearsals: Rehearsed[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'staffetta-crash-'));
  rehearsals = await rehearse();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The dry pass: which steps does each verb announce, and what do its journals look like when nothing happens to it? */
async function rehearse(): Promise<Rehearsed[]> {
  const args: string[] = [];
  for (const [i, scenario] of scenarios.entries()) {
    await makeTemplate(scenario, join(folder, `${i}`));
    copyTemplate(join(folder, `${i}`), join(folder, `${i}-dry`));
    args.push(scenario.name, join(folder, `${i}-dry`));
  }
  const dry = await runChild(child, ['dry', ...args]);
  expect(dry.stderr).toBe('');
  const lines = dry.stdout.trim().split('\n');
  const made: Rehearsed[] = [];
  for (const [i, scenario] of scenarios.entries()) {
    const reached = JSON.parse(lines[i] ?? '[]') as Step[];
    const inspected = await inspect(scenario, join(folder, `${i}-dry`));
    made.push({ scenario, template: join(folder, `${i}`), reached, ...inspected });
  }
  return made;
}

async function inspect(scenario: Scenario, at: string): Promise<Pick<Rehearsed, 'journals' | 'types'>> {
  const staffetta = await openStage(scenario, at);
  try {
    return { journals: await journalsOf(staffetta), types: await typesIn(staffetta) };
  } finally {
    await staffetta.close();
  }
}

/** One killed run and everything that must hold after it. Returns what does not. */
async function killed(rehearsed: Rehearsed, nth: number): Promise<string[]> {
  const { scenario, template, reached, journals } = rehearsed;
  const at = `${template}-kill-${nth}`;
  copyTemplate(template, at);
  try {
    const ended = await runChild(child, ['kill', scenario.name, at, `${nth}`]);
    const faults = ended.signal === 'SIGKILL' ? [] : [`the child ended with ${ended.code}: ${ended.stderr}`];
    const told = ended.stdout
      .split('\n')
      .filter(Boolean)
      .map((what) => what.split(' ').slice(-2).join(' '));
    faults.push(...(await aftermathFaults(scenario, at, { told, returned: false, undisturbed: journals })));
    return faults.map((fault) => `killed at ${nth} of ${reached.length} (${reached[nth - 1]}): ${fault}`);
  } finally {
    rmSync(at, { recursive: true, force: true });
  }
}

describe('SIGKILL at every named step', () => {
  test.each(scenarios.map((scenario, index) => [scenario.name, index] as const))(
    '%s survives a kill wherever it announces a step',
    async (_name, index) => {
      const rehearsed = rehearsals[index];
      expect(rehearsed?.reached.length).toBeGreaterThan(0);
      if (rehearsed === undefined) return;
      const places = rehearsed.reached.map((_step, i) => i + 1);
      const faults: string[] = [];
      await inParallel(places, async (nth) => void faults.push(...(await killed(rehearsed, nth))));
      expect(faults).toEqual([]);
    },
  );

  test('every kind of event is written by at least one verb', () => {
    const written = new Set(rehearsals.flatMap(({ types }) => types));
    expect(eventTypes.filter((type) => !written.has(type))).toEqual([]);
  });

  test('every named step is visited by at least one verb', () => {
    const visited = new Set(rehearsals.flatMap((rehearsed) => rehearsed.reached));
    expect([...steps].filter((step) => !visited.has(step))).toEqual([]);
    const kills = rehearsals.reduce((sum, { reached }) => sum + reached.length, 0);
    console.log(`crash: ${scenarios.length} verbs, ${visited.size} named steps, ${kills} kills`);
  });
});
