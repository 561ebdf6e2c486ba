/**
 * A run as people look at it, from the journals alone: the supervisor's own process knows no more of it than anybody else. What is asked for
 * again and again is worked out again only for tasks that have moved.
 */
import { StaffettaError } from '../../core/base/error.ts';
import type { Digest } from '../../core/journal/digest.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { chartOf } from '../../core/plan/chart.ts';
import { waitWords, type PlanWait, type WaitKind } from '../../core/plan/plan-wait.ts';
import { parallelDefault } from '../../core/plan/room.ts';
import { runBranch, type RunDocument } from '../../core/plan/run-document.ts';
import type { PlanStanding } from '../../core/plan/run-view.ts';
import { schedule, type Schedule } from '../../core/plan/schedule.ts';
import { plannedTasks, type NamedTask } from '../../core/plan/work-plan.ts';
import { titleFrom } from '../../core/base/text.ts';
import type { Lane } from '../../core/task/actor.ts';
import type { Card } from '../../core/task/card.ts';
import { waitingPhase, type Spent, type Status, type TaskState } from '../../core/task/state.ts';
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

interface Kept {
  readonly head: Digest;
  readonly legs: RunRow['legs'];
  readonly verdicts: readonly VerdictMark[];
}

export class RunLooks {
  readonly #context: Context;
  readonly #kept = new Map<TaskId, Kept>();
  readonly #records = new Map<TaskId, { readonly head: Digest; readonly record: RunRecord }>();

  constructor(context: Context) {
    this.#context = context;
  }

  async at(run: TaskId): Promise<RunOverview> {
    const { state } = await load(this.#context, run);
    const record = await this.#recordOf(state);
    const document = record.documents.at(-1);
    if (document === undefined)
      throw new StaffettaError('wrong-state', `Task ${run} is no run.`, {
        details: { task: run },
        hint: 'Runs are the tasks in the supervise lane: staffetta ls --lane supervise --all',
      });
    const tasks = plannedTasks(document.plan, document.crew);
    const { planned, standings } = await this.#standing(state, record, document, tasks);
    const waits = new Map(planned.waits().map((wait) => [wait.task, wait]));
    const counts: Record<StandingWord, number> = {
      waiting: 0,
      'in work': 0,
      'needs you': 0,
      done: 0,
      stopped: 0,
    };
    const rows: RunRow[] = [];
    const spent: Counted = { tokens: 0, costs: new Map() };
    for (const task of tasks) {
      const row = await this.#row(document, task, {
        standing: standings.get(task.name),
        wait: waits.get(task.name),
      });
      counts[row.stands] += 1;
      add(spent, row.spent);
      if (rows.length < rowsMax) rows.push(row);
    }
    const { steering, leg } = state;
    return {
      run: document.name,
      task: run,
      goal: document.plan.goal,
      status: state.status,
      paused: steering?.paused === true ? steering.why : null,
      phase: waitingPhase(state) ?? null,
      parallel: steering?.parallel ?? document.crew.limits?.parallel ?? parallelDefault,
      supervisor: leg?.holder.name ?? null,
      branch: document.base === undefined ? null : runBranch(document.name),
      spent: spentOf(spent),
      counts,
      rows,
      more: tasks.length - rows.length,
      now: this.#context.clock.now(),
    };
  }

  async #recordOf({ task, head }: TaskState): Promise<RunRecord> {
    const known = this.#records.get(task);
    if (known?.head === head) return known.record;
    const record = await readRun(this.#context, task);
    this.#records.set(task, { head, record });
    return record;
  }

  async #standing(
    { steering, phases }: TaskState,
    { exhausted }: RunRecord,
    document: RunDocument,
    tasks: readonly NamedTask[],
  ): Promise<{ readonly planned: Schedule; readonly standings: ReadonlyMap<string, PlanStanding> }> {
    const watch = new RunWatch(this.#context, document.name);
    const chart = chartOf(tasks, document.plan.phases);
    await watch.know(
      tasks.map(({ name }) => name),
      chart,
    );
    const { frontier, standings } = watch;
    const { crew } = document;
    const limits = {
      ...crew.limits,
      ...(steering?.parallel === undefined || steering.parallel === null
        ? {}
        : { parallel: steering.parallel }),
    };
    const planned = schedule(
      {
        chart,
        crew,
        standings,
        exhausted,
        released: phases.filter(({ approved }) => approved !== undefined).map(({ name }) => name),
        ...(frontier === undefined ? {} : { frontier }),
        ...(steering?.paused === true ? { paused: steering.why } : {}),
      },
      limits,
      this.#context.clock.now(),
    );
    return { planned, standings };
  }

  async #row(
    { name: run }: RunDocument,
    planned: NamedTask,
    { standing, wait }: { readonly standing: PlanStanding | undefined; readonly wait: PlanWait | undefined },
  ): Promise<RunRow> {
    const task = plannedId(run, planned.name);
    const state = await findState(this.#context, task);
    const { legs, verdicts } = await this.#past(state);
    const { leg = null, offer = null, custody = null } = state ?? {};
    return {
      name: planned.name,
      task,
      title: planned.title ?? titleFrom(planned.goal),
      status: state?.status ?? null,
      stands: standsAs({ status: state?.status, isHeld: standing?.at === 'held', on: wait?.on }),
      needs: planned.needs ?? [],
      lane: leg?.lane ?? offer?.lane ?? custody?.lane ?? planned.lane ?? null,
      holder: leg?.holder.name ?? null,
      runtime: leg?.holder.runtime ?? null,
      wait: wait === undefined ? null : waitWords(wait),
      progress: state?.progress ?? null,
      spent: { tokens: state?.usage?.tokens ?? 0, costs: state?.usage?.costs ?? [] },
      commit: state?.integrated?.commit ?? null,
      legs,
      verdicts,
    };
  }

  async #past(state: TaskState | undefined): Promise<Pick<Kept, 'legs' | 'verdicts'>> {
    if (state === undefined || state.generation === 0) return { legs: [], verdicts: [] };
    const known = this.#kept.get(state.task);
    if (known?.head === state.head) return known;
    const legs = (await timeline(this.#context, state.task)).map(
      ({ generation, agent, lane, from, until, ended }) => ({ generation, agent, lane, from, until, ended }),
    );
    const verdicts = (await timelineMarks(this.#context, state.task)).flatMap(({ kind, at, by }) =>
      kind === 'approve' || kind === 'send-back' ? [{ at, by, approve: kind === 'approve' }] : [],
    );
    const kept = { head: state.head, legs, verdicts };
    this.#kept.set(state.task, kept);
    return kept;
  }
}

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

interface Counted {
  tokens: number;
  readonly costs: Map<string, number>;
}

function add(to: Counted, { tokens, costs }: Spent): void {
  to.tokens += tokens;
  for (const { amount, unit } of costs) to.costs.set(unit, (to.costs.get(unit) ?? 0) + amount);
}

function spentOf({ tokens, costs }: Counted): Spent {
  return { tokens, costs: [...costs].map(([unit, amount]) => ({ amount, unit })) };
}

/** The runs of a store, the latest first. */
export async function crewRuns(context: Context): Promise<Card[]> {
  const { cards } = await context.store.catalog.list({
    lane: 'supervise',
    limit: rowsMax,
    onDamaged: () => {},
  });
  const runs: Card[] = [];
  for (const card of cards)
    if ((await findState(context, card.task))?.steering?.plan !== undefined) runs.push(card);
  return runs;
}
