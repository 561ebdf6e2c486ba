/** SIGKILL at every announced step of every verb; see test/torture/crash-points.ts. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { eventTypes } from '../../src/core/journal/event.ts';
import { steps } from '../../src/ports/step.ts';
import { killEverywhere, rehearse, type Rehearsed } from '../torture/crash-points.ts';
import { scenarios } from './scenarios.ts';

// Many processes: on a machine that is busy with other things they take their time.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 });

let folder = '';
let rehearsals: Rehearsed[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'staffetta-crash-'));
  rehearsals = await rehearse(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('SIGKILL at every named step', () => {
  test.each(scenarios.map((scenario, index) => [scenario.name, index] as const))(
    '%s survives a kill wherever it announces a step',
    async (_name, index) => {
      const [rehearsed] = rehearsals.slice(index, index + 1);
      assert(rehearsed !== undefined && rehearsed.reached.length > 0, 'it announces no step');
      expect(await killEverywhere(rehearsed)).toEqual([]);
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
