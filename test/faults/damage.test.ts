/** A short piece of what `npm run torture` does to files; see test/torture/damage.ts. STAFFETTA_DAMAGE_SEED tries other places. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { randomFrom, seedFrom } from '../crash/random.ts';
import { harmOnce, harms, judgeFiles, makeWhole, type Verdict, type Whole } from '../torture/damage.ts';

// Many processes: on a machine that is busy with other things they take their time.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 });

const folder = mkdtempSync(join(tmpdir(), 'staffetta-damage-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
/** The same harm every time, unless asked for more: what is tried by chance must not fail by chance. */
const seed = seedFrom('STAFFETTA_DAMAGE_SEED', 20_260);

let whole: Whole;
beforeAll(async () => {
  whole = await makeWhole(folder);
});

test.each(harms)('in the %s, %s is never served as if nothing had happened', async (part, name, times) => {
  const random = randomFrom(seed);
  const tally: Partial<Record<Verdict, number>> = {};
  const wrong: string[] = [];
  for (let i = 0; i < times; i += 1) {
    const judged = await harmOnce(whole, { folder, part, name }, random);
    tally[judged.verdict] = (tally[judged.verdict] ?? 0) + 1;
    wrong.push(...judged.wrong);
  }
  console.log(`damage: ${name} in the ${part}, ${times} times, seed ${seed}: ${JSON.stringify(tally)}`);
  expect(wrong, `seed ${seed}`).toEqual([]);
});

test('the log of a writer that died, undamaged, brings everything back', async () => {
  const judged = await judgeFiles(whole, join(folder, 'logged.db'), { log: whole.log });
  expect(judged).toEqual({ verdict: 'as it was', wrong: [] });
});
