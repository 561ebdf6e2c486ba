/** A run as people look at it: each task with who works on it, who did, and what it waits for. */
import type { TaskId } from '../../core/journal/id.ts';
import { forPeople, waitWords, type PlanWait, type WaitKind } from '../../core/plan/plan-wait.ts';
import { parallelDefault } from '../../core/plan/room.ts';
import { runBranch, type RunDocument } from '../../core/plan/run-document.ts';
import type { PlanStanding } from '../../core/plan/run-view.ts';
import type { NamedTask } from '../../core/plan/work-plan.ts';
import { titleFrom } from '../../core/base/text.ts';
import type { Lane } from '../../core/task/actor.ts';
import type { Address } from '../../core/task/address.ts';
import { isFinal, waitingPhase, type Spent, type Status, type TaskState } from '../../core/task/state.ts';
import type { TaskBudget } from '../../core/contract/terms.ts';
import { plannedId } from '../../crew/run-names.ts';
import { RunsNow, startsWith, type RunNow } from './run-now.ts';
import type { RunRecord } from '../../crew/run-record.ts';
import type { RunWatch } from '../../crew/run-watch.ts';
import type { Context } from '../../handoff/record/context.ts';
import { findState } from '../../handoff/record/load.ts';
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
  /** When that ends by itself, where it is known. */
  readonly until: number | null;
  /** Nobody has said that it should start: whom it would go to then. */
  readonly startsWith: Address | null;
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
  /** A cap is reached, and a person is asked whether to go on. */
  readonly capped: RunRecord['capped'];
  /** What all of it may use, before a person is asked. */
  readonly caps: TaskBudget | null;
  /** A phase that is over, and waits for a person to approve it. */
  readonly phase: string | null;
  readonly parallel: number;
  /** Tasks that somebody works on, that could start if there were room, and that wait to be integrated. */
  readonly working: number;
  readonly ready: number;
  readonly queue: number;
  /** Tasks that wait for a person. */
  readonly needing: number;
  /** It is not over, and goes on only when somebody outside does something. */
  readonly isStalled: boolean;
  /** Who supervises it; null where nobody does, and nothing starts. */
  readonly supervisor: string | null;
  /** Where what was approved is merged. */
  readonly branch: string | null;
  /** Trees that were not taken away: where each is, and what is left there. */
  readonly kept: readonly string[];
  readonly spent: Spent;
  readonly counts: Readonly<Record<StandingWord, number>>;
  /** In the order of the plan, up to `rowsMax`. */
  readonly rows: readonly RunRow[];
  readonly more: number;
  readonly now: number;
}

const rowsMax = 1000;

/** What the journal of a task says by itself; how it stands depends on the others. */
type Facts = Omit<RunRow, 'stands' | 'wait' | 'until' | 'startsWith'>;

export class RunLooks {
  readonly now: RunsNow;
  readonly #context: Context;
  readonly #facts = new WeakMap<RunWatch, Map<string, Facts>>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(context: Context) {
    this.#context = context;
    this.now = new RunsNow(context);
  }

  /** One question after the other: all of them take what has moved. */
  async at(run: TaskId): Promise<RunOverview> {
    const mine = this.#last.then(async () => await this.#of(await this.now.at(run)));
    this.#last = mine.catch(() => {});
    return await mine;
  }

  /** Of runs that are not over. */
  async going(): Promise<readonly RunOverview[]> {
    const found: RunOverview[] = [];
    for (const { state } of await this.now.going()) found.push(await this.at(state.task));
    return found;
  }

  async #of({
    state,
    document,
    tasks,
    watch,
    planned,
    paused,
    capped,
    kept,
    moved,
  }: RunNow): Promise<RunOverview> {
    const facts = this.#facts.get(watch) ?? new Map<string, Facts>();
    this.#facts.set(watch, facts);
    for (const task of tasks)
      if (moved.delete(task.name) || !facts.has(task.name))
        facts.set(task.name, await this.#factsOf(document, task));
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
    for (const task of tasks) {
      const known = facts.get(task.name);
      if (known === undefined) continue;
      const wait = waits.get(task.name);
      const starts = wait?.on === 'start' ? startsWith(task) : null;
      const row = { ...rowOf(known, watch.standings.get(task.name), wait), startsWith: starts };
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
      task: state.task,
      goal: document.plan.goal,
      status: state.status,
      paused,
      capped,
      caps: steering?.caps ?? null,
      phase: waitingPhase(state) ?? null,
      parallel: steering?.parallel ?? document.crew.limits?.parallel ?? parallelDefault,
      working,
      ready,
      queue,
      needing: counts['needs you'],
      isStalled: !isFinal(state) && !goesOn,
      supervisor: leg?.holder.name ?? null,
      kept,
      branch: document.base === undefined ? null : runBranch(document.name),
      spent: { tokens: watch.spent.tokens, costs: watch.spent.costs },
      counts,
      rows,
      more: tasks.length - rows.length,
      now: this.#context.clock.now(),
    };
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

function rowOf(facts: Facts, standing: PlanStanding | undefined, wait: PlanWait | undefined) {
  const { status } = facts;
  const isHeld = standing?.at === 'held';
  return {
    ...facts,
    stands: standsAs({ status: status ?? undefined, isHeld, on: wait?.on }),
    wait: wait === undefined ? null : waitWords(wait),
    until: wait?.until ?? null,
  };
}

/** What a task waits for that is ready otherwise. */
const forRoom: ReadonlySet<WaitKind> = new Set(['turn', 'paths', 'slots', 'agent', 'lane', 'runtime']);

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
  if (on !== undefined && forPeople.has(on)) return 'needs you';
  if (isHeld) return 'in work';
  return status === 'submitted' || status === 'approved' ? 'in work' : 'waiting';
}
