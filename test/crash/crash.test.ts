/** SIGKILL at announced steps of every verb, and at every one of them in `npm run torture`; see test/torture/crash-points.ts. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { eventTypes } from '../../src/core/journal/event.ts';
import { steps, type NamedStep } from '../../src/ports/step.ts';
import { killAtEach, rehearse, type Rehearsed } from '../torture/crash-points.ts';
import { sample } from '../support/sample.ts';
import { scenarios } from './scenarios.ts';

// Many processes: on a machine that is busy with other things they take their time.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 });

let folder = '';
let rehearsals: Rehearsed[] = [];
let kills = new Set<Kill>();

interface Kill {
  readonly verb: number;
  readonly step: NamedStep;
  readonly nth: number;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'staffetta-crash-'));
  rehearsals = await rehearse(folder);
  const all = rehearsals.flatMap(({ reached }, verb) =>
    reached.map((step, i) => ({ verb, step, nth: i + 1 })),
  );
  kills = new Set([
    ...sample('kills at steps of each verb', all, { oneIn: 16, kindOf: ({ verb }) => `${verb}` }),
    ...sample('kills at each named step', all, { oneIn: all.length, kindOf: ({ step }) => step }),
  ]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('SIGKILL at a named step', () => {
  test.each(scenarios.map((scenario, index) => [scenario.name, index] as const))(
    '%s survives a kill wherever it announces a step',
    async (_name, index) => {
      const [rehearsed] = rehearsals.slice(index, index + 1);
      assert(rehearsed !== undefined && rehearsed.reached.length > 0, 'it announces no step');
      const places = [...kills].filter(({ verb }) => verb === index).map(({ nth }) => nth);
      expect(places).not.toEqual([]);
      expect(await killAtEach(rehearsed, places)).toEqual([]);
    },
  );

  test('verbs survive it with a rollback journal too', async () => {
    const some = sample('verbs killed with a rollback journal', scenarios, { oneIn: 12 });
    const rehearsed = await rehearse(join(folder, 'rollback'), some, 'rollback');
    for (const one of rehearsed) {
      const places = one.reached.map((step, i) => ({ step, nth: i + 1 }));
      const commits = places.filter(({ step }) => step.startsWith('sqlite:'));
      const taken = sample(`commits of ${one.scenario.name}`, commits, {
        oneIn: 12,
        kindOf: ({ step }) => step,
      });
      expect(
        await killAtEach(
          one,
          taken.map(({ nth }) => nth),
        ),
      ).toEqual([]);
    }
  });

  test('every kind of event is written by at least one verb', () => {
    const written = new Set(rehearsals.flatMap(({ types }) => types));
    expect(eventTypes.filter((type) => !written.has(type))).toEqual([]);
  });

  test('every named step is one at which a verb was killed', () => {
    const visited = new Set([...kills].map(({ step }) => step));
    expect([...steps].filter((step) => !visited.has(step))).toEqual([]);
    console.log(`crash: ${scenarios.length} verbs, ${visited.size} named steps, ${kills.size} kills`);
  });
});
