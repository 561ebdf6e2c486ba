/** Laws of the schedule, over random plans that are run to their end in virtual time. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chartOf } from '../../src/core/plan/chart.ts';
import { strategies, type Crew, type CrewLimits } from '../../src/core/plan/crew.ts';
import { frontierOf, type MovingFrontier } from '../../src/core/plan/frontier.ts';
import { pathClaims, pathIndex } from '../../src/core/plan/path-index.ts';
import type { PlannedLeg } from '../../src/core/plan/room.ts';
import type { PlanStanding, RunView } from '../../src/core/plan/run-view.ts';
import { schedule } from '../../src/core/plan/schedule.ts';
import { graphOf, remainingPaths } from '../../src/core/plan/graph.ts';
import type { NamedTask } from '../../src/core/plan/work-plan.ts';
import { runs } from './seed.ts';

const crew: Crew = {
  agents: {
    one: { lane: 'execute', runtime: ['a', 'b'], count: 3 },
    two: { lane: 'execute', runtime: ['b'], count: 2 },
    three: { lane: 'plan', command: ['x'] },
  },
  routes: [{ agent: 'two', path: ['src/**'] }, { agent: 'one' }],
};
const limits: CrewLimits = { parallel: 4, perRuntime: { b: 2 }, perLane: { execute: 3 } };

/** A task needs some of those before it: whatever is drawn, nothing goes round. */
const plans = fc
  .array(
    fc.record({
      needs: fc.array(fc.nat(50), { maxLength: 3 }),
      paths: fc.array(fc.constantFrom('src/**', 'src/a.ts', 'docs/*', '*.md', 'package-lock.json'), {
        maxLength: 2,
      }),
      priority: fc.integer({ min: -1, max: 1 }),
      estimate: fc.integer({ min: 1, max: 9 }),
      lane: fc.constantFrom('execute' as const, 'plan' as const),
    }),
    { minLength: 1, maxLength: 25 },
  )
  .map((drafts) =>
    drafts.map(({ needs, ...rest }, i): NamedTask => ({
      name: `t${i}`,
      goal: 'x',
      needs: i === 0 ? [] : [...new Set(needs.map((need) => `t${need % i}`))],
      ...rest,
    })),
  );

const standing: fc.Arbitrary<PlanStanding> = fc.oneof(
  fc.constantFrom<PlanStanding>(
    { at: 'done' },
    { at: 'approved' },
    { at: 'failed' },
    { at: 'cancelled' },
    { at: 'person', why: 'a question' },
    { at: 'held', agent: 'one', lane: 'execute', runtime: 'a' },
    { at: 'held', agent: 'gone', lane: 'plan', runtime: null },
  ),
  fc.record(
    {
      at: fc.constant('open' as const),
      lane: fc.constantFrom('audit' as const, 'execute' as const),
      to: fc.constantFrom(
        'anyone' as const,
        'agent:two' as const,
        'lane:audit' as const,
        'runtime:b' as const,
      ),
      notBefore: fc.nat(200),
      authors: fc.constant(['one']),
      from: fc.constantFrom('one', 'three', 'gone'),
      runtime: fc.constantFrom('b', 'gone'),
    },
    { requiredKeys: ['at'] },
  ),
);

interface Done {
  readonly end: number;
  readonly waited: number;
}

/** Runs a plan to its end. `look` sees every view with what was started from it. */
function runThrough(
  tasks: readonly NamedTask[],
  view: Omit<RunView, 'chart' | 'standings'>,
  {
    limits: bounds,
    look,
  }: { limits: CrewLimits; look?: (view: RunView, starts: readonly PlannedLeg[], now: number) => void },
): Done {
  const chart = chartOf(tasks);
  const length = new Map(tasks.map(({ name, estimate = 1 }) => [name, estimate]));
  const standings = new Map<string, PlanStanding>();
  const ends: { readonly task: string; readonly at: number }[] = [];
  let now = 0;
  for (;;) {
    const here: RunView = { ...view, chart, standings };
    const { starts } = schedule(here, bounds, now);
    look?.(here, starts, now);
    for (const { task, agent, lane, runtime } of starts) {
      standings.set(task, { at: 'held', agent, lane, runtime });
      ends.push({ task, at: now + (length.get(task) ?? 1) });
    }
    ends.sort((a, b) => b.at - a.at);
    const next = ends.pop();
    if (next === undefined) break;
    now = next.at;
    standings.set(next.task, { at: 'done' });
    while (ends.at(-1)?.at === now) standings.set(ends.pop()?.task ?? '', { at: 'done' });
  }
  return { end: now, waited: tasks.filter(({ name }) => standings.get(name)?.at !== 'done').length };
}

function countBy<T>(items: readonly T[], key: (item: T) => string | null): Map<string | null, number> {
  return new Map([...Map.groupBy(items, key)].map(([name, all]) => [name, all.length]));
}

describe('a schedule', () => {
  test('keeps limits, needs and files, says why of each that waits, and answers the same again, with a frontier too', () => {
    fc.assert(
      fc.property(plans, fc.constantFrom(...strategies), fc.nat(20), (tasks, strategy, until) => {
        const byName = new Map(tasks.map((task) => [task.name, task]));
        let frontier: MovingFrontier | undefined;
        const asked = new Map(tasks.map(({ name }) => [name, null]));
        const done = runThrough(
          tasks,
          { crew: { ...crew, strategy }, asked, exhausted: new Map([['a', until]]) },
          { limits, look },
        );
        expect(done.waited).toBe(0);

        function look(view: RunView, starts: readonly PlannedLeg[], now: number): void {
          const before = [...view.standings].flatMap(([task, standing]) =>
            standing.at === 'held' ? [{ ...standing, task }] : [],
          );
          const legs = [...before, ...starts];
          expect(legs.length).toBeLessThanOrEqual(strategy === 'sequential' ? 1 : 4);
          expect(countBy(legs, ({ runtime }) => runtime).get('b') ?? 0).toBeLessThanOrEqual(2);
          // An account that is exhausted is left alone, and the next program is for that alone.
          const amiss = starts.filter(({ agent, runtime }) =>
            now < until ? runtime === 'a' : agent === 'one' && runtime === 'b',
          );
          expect(amiss).toEqual([]);
          expect(countBy(legs, ({ lane }) => lane).get('execute') ?? 0).toBeLessThanOrEqual(3);
          for (const [agent, count] of countBy(legs, (leg) => leg.agent))
            expect(count).toBeLessThanOrEqual(crew.agents[agent ?? '']?.count ?? 1);
          for (const { task } of starts)
            for (const need of byName.get(task)?.needs ?? [])
              expect(view.standings.get(need)?.at).toBe('done');
          const claims = pathIndex();
          for (const [i, { task }] of legs.entries()) {
            const own = pathClaims(byName.get(task)?.paths);
            expect([...claims.meeting(own)]).toEqual([]);
            claims.add(i, own);
          }
          const again = schedule(view, limits, now);
          expect(again.starts.map(({ task }) => task)).toEqual(starts.map(({ task }) => task));
          frontier ??= frontierOf(view.chart);
          for (const [task, { at }] of view.standings) if (at === 'done') frontier.finish(task);
          expect(schedule({ ...view, frontier }, limits, now).starts).toEqual(starts);
          const waits = again.waits();
          const over = tasks.filter(({ name }) => view.standings.get(name)?.at === 'done').length;
          expect(waits.length + legs.length + over).toBe(tasks.length);
          for (const { on, who } of waits) expect(on === 'time' || who.length > 0).toBe(true);
        }
      }),
      runs(150),
    );
  });

  test('answers for any view: what is not over, held or started waits, and no limit that was kept is broken', () => {
    fc.assert(
      fc.property(
        plans,
        fc.array(standing, { maxLength: 30 }),
        fc.constantFrom(...strategies),
        (tasks, drawn, strategy) => {
          const standings = new Map(drawn.map((one, i) => [`t${i}`, one]));
          const view: RunView = {
            chart: chartOf(tasks),
            crew: { ...crew, strategy, edges: [{ from: 'three', to: 'one' }] },
            standings,
          };
          const { starts, waitOf } = schedule(view, limits, 100);
          const held = drawn.flatMap((one) => (one.at === 'held' ? [one] : []));
          expect(held.length + starts.length).toBeLessThanOrEqual(Math.max(4, held.length));
          for (const { agent } of starts)
            expect([...held, ...starts].filter((leg) => leg.agent === agent).length).toBeLessThanOrEqual(
              crew.agents[agent]?.count ?? 1,
            );
          for (const { name } of tasks) {
            const { at } = standings.get(name) ?? { at: 'open' };
            const isWaiting =
              ['open', 'person', 'approved'].includes(at) && !starts.some(({ task }) => task === name);
            expect([name, waitOf(name) !== undefined]).toEqual([name, isWaiting]);
          }
        },
      ),
      runs(300),
    );
  });

  test('with 8 slots ends near the best that there can be, and never later than work and chain together', () => {
    const random = seeded(42);
    const crewOf8: Crew = { agents: { one: { lane: 'execute', runtime: ['a'], count: 8 } } };
    const ratios = Array.from({ length: 200 }, () => {
      const tasks = randomPlan(random);
      const estimates = tasks.map(({ estimate = 1 }) => estimate);
      const work = estimates.reduce((sum, one) => sum + one, 0);
      const chain = Math.max(...remainingPaths(graphOf(tasks), estimates));
      const { end } = runThrough(tasks, { crew: crewOf8 }, { limits: { parallel: 8 } });
      expect(end).toBeLessThanOrEqual(work / 8 + chain);
      return end / Math.max(chain, work / 8);
    }).toSorted((a, b) => a - b);
    expect(ratios[100]).toBeLessThanOrEqual(1.1);
  });
});

/** A plan of 20 to 150 tasks of any length, wide or narrow. */
function randomPlan(random: () => number): NamedTask[] {
  const count = 20 + Math.floor(random() * 130);
  const reach = 1 + Math.floor(random() * 40);
  const needsMax = 1 + Math.floor(random() * 3);
  return Array.from({ length: count }, (_, i): NamedTask => {
    const needs = Array.from({ length: Math.floor(random() * (needsMax + 1)) }, () =>
      Math.max(0, i - 1 - Math.floor(random() * reach)),
    );
    return {
      name: `t${i}`,
      goal: 'x',
      lane: 'execute',
      estimate: 1 + Math.floor(random() * 20),
      needs: i === 0 ? [] : [...new Set(needs)].map((need) => `t${need}`),
    };
  });
}

/** The same numbers at every run: a bound on a median holds for a sample, and not for any. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
