import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundled } from '../crash/run-child.ts';
import { seed as first } from '../property/seed.ts';
import type * as judging from './judge.ts';

const count = Math.ceil(1000 * Number(process.env['STAFFETTA_RUNS'] ?? '1'));

test(
  `a crew comes to its end, whatever happens: ${count} runs from seed ${first}`,
  { timeout: 600_000 },
  async () => {
    // As Node loads it: what the test runner makes of the sources takes a quarter longer.
    const { judge } = (await import(await bundled(join(import.meta.dirname, 'judge.ts')))) as typeof judging;
    const seen = { kills: 0, faults: 0, answers: 0 };
    for (let seed = first; seed < first + count; seed += 1) {
      try {
        const { came, kills, faults, answers } = await judge(seed);
        seen.kills += kills;
        seen.faults += faults;
        seen.answers += answers;
        expect(came).toEqual(['done', 'done']);
      } catch (error) {
        throw new Error(`seed ${seed}; again with STAFFETTA_SEED=${seed} STAFFETTA_RUNS=0.001`, {
          cause: error,
        });
      }
    }
    expect(seen.kills).toBeGreaterThanOrEqual(Math.floor(count / 10));
    expect(seen.faults).toBeGreaterThanOrEqual(count);
    expect(seen.answers).toBeGreaterThanOrEqual(Math.floor(count / 20));
  },
);
