/** What does not change while a plan runs, worked out once: the order in which tasks should start, what each claims, its phase. */
import type { Lane } from '../task/actor.ts';
import { graphOf, remainingPaths, type PlanGraph } from './graph.ts';
import { pathClaims } from './path-index.ts';
import type { NamedTask, PlanPhase } from './work-plan.ts';

export interface Chart {
  readonly tasks: readonly ChartTask[];
  readonly graph: PlanGraph;
  /** Numbers of tasks, the one that should start first first: by priority, by the longest way that is left after it, as in the plan. */
  readonly order: readonly number[];
  readonly phases: readonly PlanPhase[];
}

export interface ChartTask {
  readonly name: string;
  readonly lane: Lane;
  readonly agent: string | undefined;
  readonly kind: string | undefined;
  readonly paths: readonly string[];
  /** What nobody else may change while it is worked on. An audit changes nothing. */
  readonly claims: readonly string[];
  /** The first task that claims the same, by its number. */
  readonly sameClaims: number;
  /** Its place among the phases; -1 where it is of none. */
  readonly phase: number;
}

type Charted = Pick<
  NamedTask,
  'name' | 'lane' | 'agent' | 'kind' | 'paths' | 'phase' | 'needs' | 'priority' | 'estimate'
>;

export function chartOf(tasks: readonly Charted[], phases: readonly PlanPhase[] = []): Chart {
  const graph = graphOf(tasks);
  const left = remainingPaths(
    graph,
    tasks.map(({ estimate = 1 }) => estimate),
  );
  const priority = tasks.map((task) => task.priority ?? 0);
  const order = [...tasks.keys()].sort(
    (a, b) => (priority[b] ?? 0) - (priority[a] ?? 0) || (left[b] ?? 0) - (left[a] ?? 0) || a - b,
  );
  const claiming = new Map<string, number>();
  return {
    tasks: tasks.map(({ name, lane, agent, kind, paths = [], phase }, task) => {
      const claims = lane === 'audit' ? [] : pathClaims(paths);
      const key = claims.join('\n');
      const sameClaims = claiming.get(key) ?? task;
      claiming.set(key, sameClaims);
      const place = phases.findIndex((one) => one.name === phase);
      return { name, lane, agent, kind, paths, claims, sameClaims, phase: place };
    }),
    graph,
    order,
    phases,
  };
}
