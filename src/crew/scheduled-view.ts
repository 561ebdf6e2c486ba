/** What the schedule is asked about: how the journals say that the run stands, overlaid with who works for this process. */
import { defined, filled } from '../core/base/defined.ts';
import type { CrewLimits } from '../core/plan/crew.ts';
import { parallelDefault } from '../core/plan/room.ts';
import type { PlanStanding, RunView } from '../core/plan/run-view.ts';
import type { Steering } from '../core/task/state.ts';
import type { PlanInForce } from './plan-in-force.ts';
import type { LiveLeg } from './run-sight.ts';
import type { RunWatch } from './run-watch.ts';

export interface ViewNow extends Pick<RunView, 'exhausted' | 'turns' | 'routed'> {
  readonly plan: Pick<PlanInForce, 'document' | 'chart' | 'unopened'>;
  readonly watch: RunWatch;
  readonly live: ReadonlyMap<string, LiveLeg>;
  /** Tasks that are not to be tried again before a time. */
  readonly resting: ReadonlyMap<string, number>;
  /** Why nothing is to start; null where it is. */
  readonly paused: string | null;
}

export function scheduledView(now: ViewNow): RunView {
  const { plan, watch, live, resting, paused, exhausted, turns, routed } = now;
  const { document, chart, unopened } = plan;
  const standings = new Map<string, PlanStanding>(watch.standings);
  for (const [task, { agent, lane, runtime, signs }] of live) {
    const known = standings.get(task);
    const asking = signs.asked === null ? undefined : `${agent} asks whether it may: ${signs.asked}`;
    const asked = (known?.at === 'held' ? known.asked : undefined) ?? asking;
    standings.set(task, { at: 'held', agent, lane, runtime, ...defined({ asked }) });
  }
  for (const { name } of unopened) standings.set(name, { at: 'open', notBefore: Infinity });
  for (const [task, until] of resting) {
    const standing = standings.get(task) ?? { at: 'open' };
    if (standing.at === 'open')
      standings.set(task, { ...standing, notBefore: Math.max(until, standing.notBefore ?? 0) });
  }
  return {
    chart,
    crew: document.crew,
    standings,
    ...defined({ exhausted, turns, routed }),
    // Phases of the plan that a person has looked at are phases of the run that a person has approved.
    released: (watch.runState?.phases ?? [])
      .filter(({ approved }) => approved !== undefined)
      .map(({ name }) => name),
    ...defined({ frontier: watch.frontier }),
    ...filled({ paused }),
    // What a person has given to somebody, or has begun, was asked for.
    ...(document.crew.strategy === 'manual'
      ? { asked: new Map([...watch.standings.keys()].map((task) => [task, null])) }
      : {}),
  };
}

/** Of the crew, as somebody steered it; and no more legs than the run's caps leave, also where several could start at once. */
export function limitsNow(
  { document }: Pick<PlanInForce, 'document'>,
  steering: Steering | undefined,
  { legs, live }: { readonly legs: number; readonly live: number },
): CrewLimits {
  const { limits } = document.crew;
  const most = steering?.parallel ?? limits?.parallel ?? parallelDefault;
  const left = (steering?.caps?.legs ?? Infinity) - legs;
  return { ...limits, parallel: left > 0 ? Math.min(most, live + left) : most };
}

/** How often it is looked whether a holder that is not of this process is still there. */
const silentMs = 2000;

/** When something could start that cannot now, by what is known; and when to look after those who hold what for nobody here. */
export function nextTime(
  standings: ReadonlyMap<string, PlanStanding>,
  given: {
    readonly now: number;
    readonly times: readonly number[];
    readonly isLive: (task: string) => boolean;
  },
): number {
  const { now, isLive } = given;
  const times = [...given.times];
  for (const [task, standing] of standings) {
    if (standing.at === 'open' && standing.notBefore !== undefined) times.push(standing.notBefore);
    if (standing.at === 'held' && !isLive(task)) times.push(now + silentMs);
  }
  return Math.min(Infinity, ...times.filter((time) => time > now));
}

/** How long to wait for the next look at the store, where the last one showed nothing. */
export function slower(pollMs: number): number {
  return Math.max(pollMs, Math.min(2 * pollMs, 1000));
}
