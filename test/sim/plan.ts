/** What is to be carried through: a plan and a crew, by chance. */
import type { CrewAgent } from '../../src/core/plan/crew.ts';
import type { RunDocument } from '../../src/core/plan/run-document.ts';
import type { PlanTask } from '../../src/core/plan/work-plan.ts';
import type { Chance } from './process.ts';

export const minute = 60_000;

export function planOf(chance: Chance, base: string): RunDocument {
  const names = ['ash', 'birch', 'cedar', 'elm', 'fir', 'hazel', 'larch', 'oak'].slice(0, 3 + chance.upTo(5));
  const tasks: Record<string, PlanTask> = {};
  for (const [n, name] of names.entries()) {
    const needs = names
      .slice(0, n)
      .filter(() => chance.is(0.35))
      .slice(0, 2);
    const shared = chance.is(0.3);
    tasks[name] = {
      goal: `${name} is planted.`,
      validation: [{ run: ['check', `${name}.txt`] }],
      ...(needs.length === 0 ? {} : { needs }),
      ...(shared ? { paths: ['hedge.txt', `${name}.txt`] } : {}),
      ...(chance.is(0.4)
        ? { review: { owner: 'lane:audit' } }
        : chance.is(0.15)
          ? { review: { human: true } }
          : {}),
      ...(chance.is(0.2) ? { priority: chance.upTo(5) } : {}),
    };
  }
  const code: CrewAgent = {
    lane: 'execute',
    count: 1 + chance.upTo(2),
    ...(chance.is(0.5) ? { runtime: chance.is(0.5) ? ['north', 'south'] : ['north'] } : {}),
  };
  return {
    v: 1,
    name: 'wood',
    base,
    plan: {
      goal: 'A wood grows.',
      ...(chance.is(0.3) ? { budget: { legs: 2 + chance.upTo(6) } } : {}),
      defaults: { acceptance: ['It grows.'], caps: { attempts: 50, rework: 50 } },
      tasks,
    },
    crew: {
      agents: { code, hand: { lane: 'execute' }, qa: { lane: 'audit', count: 2 } },
      limits: { parallel: 1 + chance.upTo(2), legMs: 30 * minute, stallMs: 5 * minute },
      strategy: chance.one(['parallel', 'sequential', 'round-robin']),
    },
  };
}
