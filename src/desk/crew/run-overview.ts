/**
 * A run as people look at it, from the journals alone: the supervisor's own process knows no more of it than anybody else. What is asked for
 * again and again is worked out again only for tasks that have moved.
 */
import { defined } from '../../core/base/defined.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { Digest } from '../../core/journal/digest.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { chartOf, type Chart } from '../../core/plan/chart.ts';
import { waitWords, type PlanWait, type WaitKind } from '../../core/plan/plan-wait.ts';
import { parallelDefault } from '../../core/plan/room.ts';
import { runBranch, type RunDocument } from '../../core/plan/run-document.ts';
import type { PlanStanding } from '../../core/plan/run-view.ts';
import { schedule, type Schedule } from '../../core/plan/schedule.ts';
import { plannedTasks, type NamedTask } from '../../core/plan/work-plan.ts';
import { titleFrom } from '../../core/base/text.ts';
import type { Lane } from '../../core/task/actor.ts';
import type { Card } from '../../core/task/card.ts';
import { isFinal, waitingPhase, type Spent, type Status, type TaskState } from '../../core/task/state.ts';
import { plannedId } from '../../crew/run-names.ts';
import { readRun, type RunRecord } from '../../crew/run-record.ts';
import { RunWatch } from '../../crew/run-watch.ts';
import type { Context } from '../../handoff/record/context.ts';
import { findState, load } from '../../handoff/record/load.ts';
import { timeline, type TimelineLeg } from '../../handoff/history/timeline.ts';
import { timelineMarks } from '../../handoff/history/timeline-marks.ts';

/** In plain words; the status says it exactly. */
export const standingWords = ['waiting', 'in work', 'needs you', 'done', 'stopped'] as const;
export type StandingWord = (typeof standingWords)[number];

export interface VerdictMark {
  readonly at: number;
  readonly by: string;
  readonly approve: boolean;
}

export interface RunRow {
  readonly name: string;
  readonly task: TaskId;
  readonly title: string;
  /** Null where the supervisor has not opened it yet. */
  readonly status: Status | null;
  readonly stands: StandingWord;
  readonly needs: readonly string[];
  readonly lane: Lane | null;
  readonly holder: string | null;
  readonly runtime: string | null;
  /** For whom or what it waits, in a sentence without its subject. */
  readonly wait: string | null;
  readonly progress: TaskState['progress'];
  readonly spent: Spent;
  readonly commit: string | null;
  readonly legs: readonly Pick<TimelineLeg, 'generation' | 'agent' | 'lane' | 'from' | 'until' | 'ended'>[];
  readonly verdicts: readonly VerdictMark[];
}

export interface RunOverview {
  readonly run: string;
  readonly task: TaskId;
  readonly goal: string;
  readonly status: Status;
  readonly paused: string | null;
  /** A phase that is over, and waits for a person to approve it. */
  readonly phase: string | null;
  readonly parallel: number;
  /** Tasks that somebody works on, that could start if there were room, and that wait to be integrated. */
  readonly working: number;
  readonly ready: number;
  readonly queue: number;
  /** It is not over, and goes on only when somebody outside does something. */
  readonly isStalled: boolean;
  /** Who supervises it; null where nobody does, and nothing starts. */
  readonly supervisor: string | null;
  /** Where what was approved is merged. */
  readonly branch: string | null;
  readonly spent: Spent;
  readonly counts: Readonly<Record<StandingWord, number>>;
  /** In the order of the plan, up to `rowsMax`. */
  readonly rows: readonly RunRow[];
  readonly more: number;
  readonly now: number;
}

const rowsMax = 1000;
/** Runs whose state is kept for the next question. */
const keptMax = 4;

/** What the journal of a task says by itself; how it stands depends on the others. */
type Facts = Omit<RunRow, 'stands' | 'wait'>;

interface Kept {
  readonly watch: RunWatch;
  readonly document: RunDocument;
  readonly plan: Digest | undefined;
  readonly tasks: readonly NamedTask[];
  readonly chart: Chart;
  readonly facts: Map<string, Facts>;
}

export class RunLooks {
  readonly #context: Context;
  readonly #kept = new Map<TaskId, Kept>();
  #record: { readonly head: Digest; readonly record: RunRecord } | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(context: Context) {
    this.#context = context;
  }

  /** One question after the other: all of them move the same watches. */
  async at(run: TaskId): Promise<RunOverview> {
    const mine = this.#last.then(async () => await this.#look(run));
    this.#last = mine.catch(() => this.#kept.delete(run));
    return await mine;
  }

  async #look(run: TaskId): Promise<RunOverview> {
    const { state } = await load(this.#context, run);
    const kept = await this.#keptOf(state);
    const { watch, document, tasks, facts } = kept;
    const changed = new Set((await watch.changes()).tasks);
    for (const task of tasks)
      if (changed.has(task.name) || !facts.has(task.name))
        facts.set(task.name, await this.#factsOf(document, task));
    const planned = await this.#schedule(state, kept);
    const all = planned.waits();
    const waits = new Map(all.map((wait) => [wait.task, wait]));
    const counts: Record<StandingWord, number> = {
      waiting: 0,
      'in work': 0,
      'needs you': 0,
      done: 0,
      stopped: 0,
    };
    const rows: RunRow[] = [];
    for (const { name } of tasks) {
      const known = facts.get(name);
      if (known === undefined) continue;
      const row = rowOf(known, watch.standings.get(name), waits.get(name));
      counts[row.stands] += 1;
      if (rows.length < rowsMax) rows.push(row);
    }
    const { steering, leg } = state;
    const working = [...watch.standings.values()].filter(({ at }) => at === 'held').length;
    const ready = planned.starts.length + all.filter(({ on }) => forRoom.has(on)).length;
    const queue = all.filter(({ on }) => on === 'queue').length;
    const goesOn = leg !== null && (working > 0 || ready > 0 || queue > 0);
    return {
      run: document.name,
      task: run,
      goal: document.plan.goal,
      status: state.status,
      paused: steering?.paused === true ? steering.why : null,
      phase: waitingPhase(state) ?? null,
      parallel: steering?.parallel ?? document.crew.limits?.parallel ?? parallelDefault,
      working,
      ready,
      queue,
      isStalled: !isFinal(state) && !goesOn,
      supervisor: leg?.holder.name ?? null,
      branch: document.base === undefined ? null : runBranch(document.name),
      spent: { tokens: watch.spent.tokens, costs: watch.spent.costs },
      counts,
      rows,
      more: tasks.length - rows.length,
      now: this.#context.clock.now(),
    };
  }

  /** Of the run that was asked for last. */
  async #recordOf({ task, head }: TaskState): Promise<RunRecord> {
    if (this.#record?.head !== head) this.#record = { head, record: await readRun(this.#context, task) };
    return this.#record.record;
  }

  /** Made anew where the run has another plan. */
  async #keptOf(state: TaskState): Promise<Kept> {
    const { task: run, steering } = state;
    const known = this.#kept.get(run);
    if (known !== undefined && known.plan === steering?.plan) return known;
    const { documents } = await this.#recordOf(state);
    const document = documents.at(-1);
    if (document === undefined)
      throw new StaffettaError('wrong-state', `Task ${run} is no run.`, {
        details: { task: run },
        hint: 'Runs are the tasks in the supervise lane: staffetta ls --lane supervise --all',
      });
    const tasks = plannedTasks(document.plan, document.crew);
    const chart = chartOf(tasks, document.plan.phases);
    const watch = new RunWatch(this.#context, document.name);
    await watch.begin();
    await watch.know(
      tasks.map(({ name }) => name),
      chart,
    );
    const kept = { watch, document, plan: steering?.plan, tasks, chart, facts: new Map<string, Facts>() };
    this.#kept.delete(run);
    this.#kept.set(run, kept);
    for (const [oldest] of this.#kept) if (this.#kept.size > keptMax) this.#kept.delete(oldest);
    return kept;
  }

  async #schedule(state: TaskState, { watch, document, chart }: Kept): Promise<Schedule> {
    const { crew } = document;
    const { steering, phases } = state;
    const parallel = steering?.parallel ?? undefined;
    const { exhausted } = await this.#recordOf(state);
    return schedule(
      {
        chart,
        crew,
        standings: watch.standings,
        exhausted,
        released: phases.filter(({ approved }) => approved !== undefined).map(({ name }) => name),
        ...defined({ frontier: watch.frontier }),
        ...(steering?.paused === true ? { paused: steering.why } : {}),
      },
      { ...crew.limits, ...defined({ parallel }) },
      this.#context.clock.now(),
    );
  }

  async #factsOf({ name: run }: RunDocument, planned: NamedTask): Promise<Facts> {
    const task = plannedId(run, planned.name);
    const state = await findState(this.#context, task);
    const { legs, verdicts } = await this.#past(state);
    const { leg = null, offer = null, custody = null } = state ?? {};
    return {
      name: planned.name,
      task,
      title: planned.title ?? titleFrom(planned.goal),
      status: state?.status ?? null,
      needs: planned.needs ?? [],
      lane: leg?.lane ?? offer?.lane ?? custody?.lane ?? planned.lane ?? null,
      holder: leg?.holder.name ?? null,
      runtime: leg?.holder.runtime ?? null,
      progress: state?.progress ?? null,
      spent: { tokens: state?.usage?.tokens ?? 0, costs: state?.usage?.costs ?? [] },
      commit: state?.integrated?.commit ?? null,
      legs,
      verdicts,
    };
  }

  async #past(state: TaskState | undefined): Promise<Pick<Facts, 'legs' | 'verdicts'>> {
    if (state === undefined || state.generation === 0) return { legs: [], verdicts: [] };
    const legs = (await timeline(this.#context, state.task)).map(
      ({ generation, agent, lane, from, until, ended }) => ({ generation, agent, lane, from, until, ended }),
    );
    const verdicts = (await timelineMarks(this.#context, state.task)).flatMap(({ kind, at, by }) =>
      kind === 'approve' || kind === 'send-back' ? [{ at, by, approve: kind === 'approve' }] : [],
    );
    return { legs, verdicts };
  }
}

function rowOf(facts: Facts, standing: PlanStanding | undefined, wait: PlanWait | undefined): RunRow {
  const { status } = facts;
  const isHeld = standing?.at === 'held';
  return {
    ...facts,
    stands: standsAs({ status: status ?? undefined, isHeld, on: wait?.on }),
    wait: wait === undefined ? null : waitWords(wait),
  };
}

/** What a task waits for that is ready otherwise. */
const forRoom: ReadonlySet<WaitKind> = new Set(['turn', 'paths', 'slots', 'agent', 'lane', 'runtime']);

const asking: ReadonlySet<WaitKind> = new Set(['person', 'lost-need', 'route', 'nobody']);

/** Of a task that is worked on, handed in or approved somebody else does something; of any other it is said what it waits for. */
export function standsAs({
  status,
  isHeld,
  on,
}: {
  readonly status: Status | undefined;
  readonly isHeld: boolean;
  readonly on: WaitKind | undefined;
}): StandingWord {
  if (status === 'done') return 'done';
  if (status === 'failed' || status === 'cancelled') return 'stopped';
  if (isHeld) return 'in work';
  if (on !== undefined && asking.has(on)) return 'needs you';
  return status === 'submitted' || status === 'approved' ? 'in work' : 'waiting';
}

/** The runs of a store, the latest first. */
export async function crewRuns(
  context: Context,
  among: { readonly statuses?: readonly Status[] } = {},
): Promise<Card[]> {
  const { cards } = await context.store.catalog.list({
    ...among,
    lane: 'supervise',
    limit: rowsMax,
    onDamaged: () => {},
  });
  const runs: Card[] = [];
  for (const card of cards)
    if ((await findState(context, card.task))?.steering?.plan !== undefined) runs.push(card);
  return runs;
}
