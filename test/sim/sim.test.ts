import { expect, test } from 'vitest';
import { isFinal } from '../../src/core/task/state.ts';
import { plannedId, runId } from '../../src/crew/run-names.ts';
import { findState } from '../../src/handoff/record/load.ts';
import { verifyStore } from '../../src/handoff/trust/verify.ts';
import { seed as first } from '../property/seed.ts';
import { simulate } from './simulate.ts';

const count = Math.ceil(1000 * Number(process.env['STAFFETTA_RUNS'] ?? '1'));

test(
  `a crew comes to its end, whatever happens: ${count} runs from seed ${first}`,
  { timeout: 600_000 },
  async () => {
    const seen = { kills: 0, faults: 0, answers: 0 };
    for (let seed = first; seed < first + count; seed += 1) {
      try {
        const { end, at, ground, document, kills, faults, answers } = await simulate(seed);
        seen.kills += kills;
        seen.faults += faults;
        seen.answers += answers;
        expect(end).toBe('done');
        const left: string[] = [];
        for (const name of Object.keys(document.plan.tasks)) {
          const state = await findState(at.context, plannedId('wood', name));
          const file = ground.filesAt(ground.head('wood')).get(`${name}.txt`) ?? 'nothing';
          const isOver =
            state !== undefined && isFinal(state) && state.leg === null && file.startsWith('planted');
          if (!isOver) left.push(`${name} is ${state?.status ?? 'not there'}, with ${file}`);
        }
        expect(left).toEqual([]);
        expect((await findState(at.context, runId('wood')))?.status).toBe('done');
        expect((await verifyStore(at.context)).faults).toEqual([]);
      } catch (error) {
        throw new Error(`seed ${seed}; again with STAFFETTA_SEED=${seed} STAFFETTA_RUNS=0.001`, {
          cause: error,
        });
      }
    }
    expect(seen.kills).toBeGreaterThan(count / 10);
    expect(seen.faults).toBeGreaterThan(count);
    expect(seen.answers).toBeGreaterThan(count / 20);
  },
);
