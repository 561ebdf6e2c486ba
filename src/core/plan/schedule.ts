/**
 * What to start now, and for each task that is not started why. A pure function of how the run stands: the same view gives the same
 * answer for every caller.
 *
 * A task is ready when its needs are done, the phases before its own are, and its time has come. Ready tasks are gone through by priority,
 * then by the longest way that is left after them, then as in the plan; each starts if an agent has room (its count, its lane, its program,
 * an account that is not exhausted) and nobody is at work on the same files. Files are a task's own from its first leg until it is done:
 * another would start from a tree without its work. A task that has begun goes on unless somebody is in the same files this moment, so
 * that two that both began, because the plan was changed, do not wait for each other.
 *
 * A call goes through the tasks once, or, with a frontier, through those that are ready until there is no more room. What waits for what
 * is worked out only when it is asked for.
 */
import { assert } from '../base/assert.ts';
import { isResting } from '../task/lapse.ts';
import type { CrewLimits, Strategy } from './crew.ts';
import { agentsOf, type NamedAgent } from './fitting-agents.ts';
import { pathIndex, type PathIndex } from './path-index.ts';
import { forPeople, type PlanWait, type WaitKind } from './plan-wait.ts';
import { roomIn, type PlannedLeg, type NoRoom, type Room } from './room.ts';
import { isInFlight, planStanding, type OpenStanding, type PlanStanding, type RunView } from './run-view.ts';
import { candidatesFor, type Choosing } from './strategy.ts';

export interface Schedule {
  /** In the order in which they should be started. */
  readonly starts: readonly PlannedLeg[];
  /** Why a task that is neither over nor held nor started is not worked on, or what its holder waits for; undefined of any other. */
  readonly waitOf: (task: string) => PlanWait | undefined;
  /** Of all of them, in the order of the plan. */
  readonly waits: () => PlanWait[];
  /** Of those that only a person or an account can move. It looks at what has begun or could start, and not at all tasks. */
  readonly stuck: () => PlanWait[];
  /** Those that could start if the front door had said with whom. */
  readonly unrouted: () => string[];
}

export function schedule(given: RunView, limits: CrewLimits, now: number): Schedule {
  const view = { ...given, exhausted: exhaustedAt(given, now) };
  const strategy = view.crew.strategy ?? 'parallel';
  const run: Run = {
    view,
    now,
    strategy,
    room: roomIn(view, strategy === 'sequential' ? { ...limits, parallel: 1 } : limits),
    claims: claimsIn(view),
    closed: closedPhase(view),
    current: strategy === 'sequential' ? currentOf(view, now) : null,
    choosing: choosingIn(view),
    started: new Map(),
    refused: new Map(),
    taken: new Map(),
  };
  startAll(run);
  const waitOf = (task: number): PlanWait | undefined => {
    const { name } = taskAt(view, task);
    const wait = run.started.has(task) ? undefined : whyNot(run, task);
    return wait === undefined ? undefined : { task: name, ...wait };
  };
  return {
    starts: [...run.started.values()],
    waitOf: (name) => {
      const task = view.chart.graph.indexOf.get(name);
      return task === undefined ? undefined : waitOf(task);
    },
    waits: () => [...view.chart.tasks.keys()].flatMap((task) => waitOf(task) ?? []),
    stuck: () =>
      stuckIn(run)
        .flatMap((task) => waitOf(task) ?? [])
        .filter(({ on }) => stuckKinds.has(on)),
    unrouted: () =>
      [...run.refused].flatMap(([task, { on }]) => (on === 'routing' ? taskAt(view, task).name : [])),
  };
}

const stuckKinds: ReadonlySet<WaitKind> = new Set([...forPeople, 'account']);

/** Tasks that may wait for somebody outside: those that do by themselves, those after what is lost, and those that were tried in vain. */
function stuckIn({ view, refused }: Run): number[] {
  const { indexOf, dependents } = view.chart.graph;
  const tasks = new Set(refused.keys());
  for (const [name, standing] of view.standings) {
    const task = indexOf.get(name);
    if (task === undefined) continue;
    const { at } = standing;
    if (at === 'person' || (at === 'held' && standing.asked !== undefined)) tasks.add(task);
    if (at === 'failed' || at === 'cancelled')
      for (const dependent of dependents[task] ?? []) tasks.add(dependent);
  }
  return [...tasks].toSorted((one, two) => one - two);
}

interface Run {
  readonly view: RunView;
  readonly now: number;
  readonly strategy: Strategy;
  readonly room: Room;
  /** Of tasks in flight, with those that start now. */
  readonly claims: PathIndex;
  /** The first phase that is not over, and what it waits for; null where all are. */
  readonly closed: { readonly place: number; readonly wait: NoRoom } | null;
  /** The one that goes first where one goes after the other; null where any may. */
  readonly current: number | null;
  readonly choosing: Choosing & { readonly count: (agent: string) => void };
  readonly started: Map<number, PlannedLeg>;
  /** What was tried in vain, in the state in which it was tried. */
  readonly refused: Map<number, NoRoom>;
  /** For those that nobody has begun and that claim the same: who is in their files. Within a call nobody leaves. */
  readonly taken: Map<number, NoRoom>;
}

function startAll(run: Run): void {
  const { view, room } = run;
  if (view.paused !== undefined) return;
  const inOrder = view.frontier?.ready ?? view.chart.order;
  const order = run.strategy !== 'sequential' ? inOrder : run.current === null ? [] : [run.current];
  for (const task of order) {
    if (room.isFull()) return;
    const standing = standingAt(view, task);
    if (standing.at !== 'open') continue;
    const early = notReady(run, task, standing);
    // By hand each is somebody's to start; that a phase waits is told of the phase.
    if (early !== undefined && (run.strategy !== 'manual' || early.on !== 'start')) continue;
    const leg = early ?? legFor(run, task, standing);
    if ('on' in leg) {
      run.refused.set(task, leg);
      continue;
    }
    room.take(leg);
    run.choosing.count(leg.agent);
    run.claims.add(task, taskAt(view, task).claims);
    run.started.set(task, leg);
  }
}

function legFor(run: Run, task: number, standing: OpenStanding): PlannedLeg | NoRoom {
  const inTheWay = sameFiles(run, task, standing);
  if (inTheWay !== undefined) return inTheWay;
  const charted = taskAt(run.view, task);
  const candidates = candidatesFor(charted, standing, run.choosing);
  if ('on' in candidates) return candidates;
  let first: NoRoom | undefined;
  for (const agent of candidates) {
    const found = run.room.runtimeOf(agent, standing);
    if (!('on' in found)) return { task: charted.name, agent: agent.name, lane: agent.lane, ...found };
    first = sooner(first, found);
  }
  return first ?? { on: 'nobody', who: [], until: null };
}

/** Of several reasons one that ends by itself is told, and of these the one that ends first. */
function sooner(one: NoRoom | undefined, other: NoRoom): NoRoom {
  if (one === undefined) return other;
  return endOf(other) < endOf(one) ? other : one;
}

function endOf({ on, until }: NoRoom): number {
  return on === 'nobody' ? Infinity : (until ?? 0);
}

/** Why a task cannot start even with room; undefined where it can. */
function notReady(run: Run, task: number, standing: OpenStanding): NoRoom | undefined {
  const { view, now, closed, strategy } = run;
  const lost: string[] = [];
  const unmet: string[] = [];
  for (const need of view.chart.graph.needs[task] ?? []) {
    const { at } = standingAt(view, need);
    if (at === 'failed' || at === 'cancelled') lost.push(taskAt(view, need).name);
    else if (at !== 'done') unmet.push(taskAt(view, need).name);
  }
  if (lost.length > 0) return { on: 'lost-need', who: lost, until: null };
  if (unmet.length > 0) return { on: 'needs', who: unmet, until: null };
  const { name, phase } = taskAt(view, task);
  if (closed !== null && phase > closed.place) return closed.wait;
  if (isResting(standing.notBefore, now)) return { on: 'time', who: [], until: standing.notBefore };
  if (strategy === 'manual' && view.asked?.has(name) !== true) return { on: 'start', who: [], until: null };
  return undefined;
}

function sameFiles(run: Run, task: number, standing: OpenStanding): NoRoom | undefined {
  const { view, claims, started, taken } = run;
  const { sameClaims } = taskAt(view, task);
  const hasBegun = isInFlight(standing);
  const known = hasBegun ? undefined : taken.get(sameClaims);
  if (known !== undefined) return known;
  const others = new Set<string>();
  for (const { owner } of claims.meeting(taskAt(view, task).claims)) {
    if (owner === task) continue;
    if (hasBegun && !started.has(owner) && standingAt(view, owner).at !== 'held') continue;
    others.add(taskAt(view, owner).name);
  }
  if (others.size === 0) return undefined;
  const wait: NoRoom = { on: 'paths', who: [...others], until: null };
  if (!hasBegun) taken.set(sameClaims, wait);
  return wait;
}

function whyNot(run: Run, task: number): NoRoom | undefined {
  const { view, room, current } = run;
  const standing = standingAt(view, task);
  switch (standing.at) {
    case 'held':
      return standing.asked === undefined
        ? undefined
        : { on: 'person', who: [], until: null, why: standing.asked };
    case 'done':
    case 'failed':
    case 'cancelled':
      return undefined;
    case 'person':
      return { on: 'person', who: [], until: null, why: standing.why };
    case 'approved':
      return { on: 'queue', who: [], until: null };
    case 'open':
      break;
  }
  const early = notReady(run, task, standing);
  if (early !== undefined) return early;
  if (view.paused !== undefined) return { on: 'paused', who: [], until: null, why: view.paused };
  if (run.strategy === 'sequential' && current !== null && current !== task)
    return { on: 'turn', who: [taskAt(view, current).name], until: null };
  return run.refused.get(task) ?? { on: 'slots', who: room.holding(), until: null };
}

/** The task that was begun, or else the first that is ready, as the plan has them. */
function currentOf(view: RunView, now: number): number | null {
  const { tasks, graph } = view.chart;
  const begun = tasks.findIndex(({ name }) => isInFlight(planStanding(view, name)));
  if (begun !== -1) return begun;
  const closed = closedPhase(view);
  const first = tasks.findIndex(({ name, phase }, task) => {
    const standing = planStanding(view, name);
    return (
      standing.at === 'open' &&
      (closed === null || phase <= closed.place) &&
      !isResting(standing.notBefore, now) &&
      (graph.needs[task] ?? []).every((need) => standingAt(view, need).at === 'done')
    );
  });
  return first === -1 ? null : first;
}

function closedPhase(view: RunView): Run['closed'] {
  const { phases, tasks } = view.chart;
  if (phases.length === 0) return null;
  const left = phases.map((): boolean => false);
  for (const { name, phase } of tasks) {
    const { at } = planStanding(view, name);
    if (phase !== -1 && at !== 'done' && at !== 'cancelled') left[phase] = true;
  }
  for (const [place, { name, human }] of phases.entries()) {
    if (left[place] === true) return { place, wait: { on: 'phase', who: [name], until: null } };
    if (human === true && view.released?.includes(name) !== true)
      return {
        place,
        wait: { on: 'person', who: [name], until: null, why: `the phase ${name} has to be looked at` },
      };
  }
  return null;
}

/** What tasks in flight have to themselves. One that waits for others again would keep these from it. */
function claimsIn(view: RunView): PathIndex {
  const claims = pathIndex();
  const { graph } = view.chart;
  for (const [name, standing] of view.standings) {
    const task = graph.indexOf.get(name);
    if (task === undefined || !isInFlight(standing)) continue;
    const waits =
      standing.at === 'open' &&
      (graph.needs[task] ?? []).some((need) => standingAt(view, need).at !== 'done');
    if (!waits) claims.add(task, taskAt(view, task).claims);
  }
  return claims;
}

function choosingIn(view: RunView): Run['choosing'] {
  const now = new Map<string, number>();
  const agents: readonly NamedAgent[] = agentsOf(view.crew);
  return {
    view,
    agents,
    turnsOf: (agent) => (view.turns?.[agent] ?? 0) + (now.get(agent) ?? 0),
    count: (agent) => now.set(agent, (now.get(agent) ?? 0) + 1),
  };
}

function exhaustedAt({ exhausted = new Map() }: RunView, now: number): ReadonlyMap<string, number | null> {
  return new Map([...exhausted].filter(([, until]) => until === null || until > now));
}

function taskAt({ chart }: RunView, task: number): RunView['chart']['tasks'][number] {
  const found = chart.tasks[task];
  assert(found !== undefined, `there is no task ${task} in the chart`);
  return found;
}

function standingAt(view: RunView, task: number): PlanStanding {
  return planStanding(view, taskAt(view, task).name);
}
