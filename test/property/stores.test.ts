/** The memory store is the model: whatever a crew does, the SQLite store answers and keeps the same. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSqliteStore } from '../../src/stores/sqlite/open.ts';
import { stage } from '../support/world.ts';
import { act, actNames, everything, perform, type Act, type Table } from './acts.ts';
import { runs } from './seed.ts';

let folder = '';
let files = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'staffetta-model-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function tables(): Promise<{ model: Table; real: Table; path: string }> {
  files += 1;
  const path = join(folder, `${files}.db`);
  const store = await openSqliteStore(path, { create: true });
  return { model: { ...stage(), tasks: [] }, real: { ...stage({ store }), tasks: [] }, path };
}

interface Compared {
  readonly model: readonly string[];
  readonly real: readonly string[];
}

/** What either store answered to each act, and all it keeps in the end. */
async function bothDo(acts: readonly Act[]): Promise<Compared> {
  const { model, real } = await tables();
  const answers: { model: string[]; real: string[] } = { model: [], real: [] };
  try {
    for (const given of acts) {
      answers.model.push(await perform(model, given));
      answers.real.push(await perform(real, given));
    }
    answers.model.push(...(await everything(model)));
    answers.real.push(...(await everything(real)));
    return answers;
  } finally {
    await real.store.close();
  }
}

test('the same acts have the same outcomes, and leave the same heads, entries, lists, blobs and hints', async () => {
  const acts = fc.array(act, { minLength: 10, maxLength: 60, size: 'max' });
  await fc.assert(
    fc.asyncProperty(acts, async (given) => {
      const { model, real } = await bothDo(given);
      expect(real).toEqual(model);
      expect(model.find((line) => line.startsWith('verify'))).toContain('"faults":[]');
    }),
    runs(60),
  );
});

test('what is kept is there after closing and opening again', async () => {
  const acts = fc.array(act, { minLength: 10, maxLength: 40, size: 'max' });
  await fc.assert(
    fc.asyncProperty(acts, acts, async (before, after) => {
      const { model, real, path } = await tables();
      for (const given of before) expect(await perform(real, given)).toBe(await perform(model, given));
      await real.store.close();
      const store = await openSqliteStore(path);
      const again: Table = { ...stage({ store, clock: real.clock }), tasks: real.tasks };
      // Chance starts over with the new connection, so nothing that depends on it is done from here on.
      const certain = after.filter(({ name }) => !['open', 'begin', 'retry'].includes(name));
      try {
        for (const given of certain) expect(await perform(again, given)).toBe(await perform(model, given));
        expect(await everything(again)).toEqual(await everything(model));
      } finally {
        await store.close();
      }
    }),
    runs(15),
  );
});

test('what is tried here succeeds and is refused in many ways', async () => {
  const outcomes = new Set<string>();
  const acts = fc.array(act, { minLength: 60, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(acts, async (given) => {
      const table: Table = { ...stage(), tasks: [] };
      for (const next of given) {
        const outcome = await perform(table, next);
        outcomes.add(/^[^:]+ refused: [a-z-]+/.exec(outcome)?.[0] ?? outcome.split(':')[0] ?? '');
      }
    }),
    { seed: 42, numRuns: 150 },
  );
  // A holder that writes under a generation that is over never gets through.
  expect(actNames.filter((name) => !outcomes.has(name))).toEqual(['write late']);
  const refusals = new Set([...outcomes].flatMap((outcome) => outcome.split(' refused: ').slice(1)));
  expect(refusals.size).toBeGreaterThan(12);
});
