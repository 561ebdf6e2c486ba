/**
 * A run as it stands, for everybody who does not supervise it: from the journals alone, by the schedule that its supervisor goes by, and with
 * what of it waits for a person. Pages, lists and the inbox all read this. What is asked for again is worked out again only for what has moved.
 */
import { joinCommand } from '../../core/base/command-line.ts';
import { isStaffettaError, StaffettaError } from '../../core/base/error.ts';
import type { Digest } from '../../core/journal/digest.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { chartOf, type Chart } from '../../core/plan/chart.ts';
import { forPeople, waitWords, type PlanWait } from '../../core/plan/plan-wait.ts';
import type { RunDocument } from '../../core/plan/run-document.ts';
import { schedule, type Schedule } from '../../core/plan/schedule.ts';
import { plannedTasks, type NamedTask } from '../../core/plan/work-plan.ts';
import type { Address } from '../../core/task/address.ts';
import type { Status, TaskState } from '../../core/task/state.ts';
import type { Context } from '../../handoff/record/context.ts';
import { exhaustedHere } from '../../home/exhausted-here.ts';
import { load } from '../../handoff/record/load.ts';
import { Accounts } from '../../crew/accounts.ts';
import { limitsNow, scheduledView } from '../../crew/scheduled-view.ts';
import { plannedId } from '../../crew/run-names.ts';
import { readRun, type RunRecord } from '../../crew/run-record.ts';
import { RunWatch } from '../../crew/run-watch.ts';
import { routesOnRecord } from '../../crew/steering/front-door.ts';
import { runsGoing } from './crew-runs.ts';

/** Runs that are kept for the next question, and looked into when all are meant. */
const runsMax = 20;

export interface RunNow {
  readonly state: TaskState;
  readonly document: RunDocument;
  readonly tasks: readonly NamedTask[];
  readonly watch: RunWatch;
  readonly planned: Schedule;
  readonly paused: string | null;
  /** A cap is reached, and nobody has said whether to go on. */
  readonly capped: RunRecord['capped'];
  readonly kept: RunRecord['kept'];
  /** Names of tasks that have moved. Who makes something of them takes them out. */
  readonly moved: Set<string>;
}

/** What of a run waits for a person, and the one command that answers it. */
export interface RunNeed {
  readonly task: NamedTask;
  readonly id: TaskId;
  readonly on: PlanWait['on'];
  readonly text: string;
  readonly command: string;
}

interface Kept extends Pick<RunNow, 'document' | 'tasks' | 'watch' | 'moved'> {
  readonly plan: Digest | undefined;
  readonly chart: Chart;
}

export class RunsNow {
  readonly #context: Context;
  readonly #kept = new Map<TaskId, Kept>();
  readonly #records = new Map<TaskId, { readonly head: Digest; readonly record: RunRecord }>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(context: Context) {
    this.#context = context;
  }

  /** One question after the other: all of them move the same watches. */
  async at(run: TaskId): Promise<RunNow> {
    const mine = this.#last.then(async () => await this.#look(run));
    this.#last = mine.catch(() => this.#kept.delete(run));
    return await mine;
  }

  /** The latest of those that are not over. One that cannot be read keeps nobody from the others; its own page says why. */
  async going(): Promise<readonly RunNow[]> {
    const found: RunNow[] = [];
    for (const task of (await runsGoing(this.#context)).slice(0, runsMax))
      try {
        found.push(await this.at(task));
      } catch (error) {
        if (!isStaffettaError(error, 'corrupt') && !isStaffettaError(error, 'store-newer')) throw error;
      }
    return found;
  }

  async #look(run: TaskId): Promise<RunNow> {
    const { state } = await load(this.#context, run);
    const record = await this.#recordOf(state);
    const kept = await this.#keptOf(state, record);
    const { watch, document, tasks, chart, moved } = kept;
    for (const task of (await watch.changes()).tasks) moved.add(task);
    const { steering } = state;
    const { capped } = record;
    const paused = steering?.paused === true ? steering.why : null;
    const plan = { document, chart, unopened: [] };
    const live = [...watch.standings.values()].filter(({ at }) => at === 'held').length;
    const view = scheduledView({
      plan,
      watch,
      live: new Map(),
      resting: new Map(),
      exhausted: new Accounts(exhaustedHere(this.#context.store), record.exhausted).exhausted,
      routed: routesOnRecord(document, record.routed),
      paused: paused ?? capped?.why ?? null,
    });
    const limits = limitsNow(plan, steering, { legs: watch.spent.legs, live });
    const planned = schedule(view, limits, this.#context.clock.now());
    return { state, document, tasks, watch, planned, paused, capped, kept: record.kept, moved };
  }

  async #recordOf({ task, head }: TaskState): Promise<RunRecord> {
    const known = this.#records.get(task);
    if (known?.head === head) return known.record;
    const record = await readRun(this.#context, task);
    this.#records.delete(task);
    this.#records.set(task, { head, record });
    for (const [oldest] of this.#records) if (this.#records.size > runsMax) this.#records.delete(oldest);
    return record;
  }

  /** Made anew where the run has another plan. */
  async #keptOf({ task: run, steering }: TaskState, { documents }: RunRecord): Promise<Kept> {
    const known = this.#kept.get(run);
    if (known !== undefined && known.plan === steering?.plan) return known;
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
    const moved = new Set(tasks.map(({ name }) => name));
    const kept = { watch, document, plan: steering?.plan, tasks, chart, moved };
    this.#kept.delete(run);
    this.#kept.set(run, kept);
    for (const [oldest] of this.#kept) if (this.#kept.size > runsMax) this.#kept.delete(oldest);
    return kept;
  }
}

/** Of a run that goes on only when a person says how: the run itself, and those of its tasks that ask for one. */
export function askingIn(now: RunNow): readonly TaskId[] {
  const needs = needsOf(now).map(({ id }) => id);
  return needs.length === 0 && now.capped === null ? [] : [now.state.task, ...needs];
}

/** In the order of the plan. A cap that is reached is a question on the run itself. */
export function needsOf({ document, tasks, watch, planned }: RunNow): readonly RunNeed[] {
  const named = new Map(tasks.map((task) => [task.name, task]));
  return planned.stuck().flatMap((wait): RunNeed[] => {
    const task = named.get(wait.task);
    if (task === undefined || !forPeople.has(wait.on)) return [];
    const id = plannedId(document.name, wait.task);
    const command = answerTo(document.name, wait, watch.statuses.get(wait.task));
    return [{ task, id, on: wait.on, text: waitWords(wait), command }];
  });
}

/** The one command that answers a wait of a run. Capitals stand for what a person fills in. */
export function answerTo(run: string, { task, on }: PlanWait, status?: Status): string {
  switch (on) {
    case 'start':
      return joinCommand(['staffetta', 'steer', run, '--start', task]);
    case 'route':
      return joinCommand(['staffetta', 'steer', run, '--give', `${task}=AGENT`]);
    case 'lost-need':
    case 'nobody':
      return joinCommand(['staffetta', 'run', 'PLAN', '--name', run]);
    default: {
      const id = plannedId(run, task);
      return status === 'open' ? `staffetta offer ${id} --to WHO` : `staffetta show ${id}`;
    }
  }
}

/** Whom a task goes to once somebody has said that it should start. */
export function startsWith({ agent, lane }: NamedTask): Address {
  return agent === undefined ? `lane:${lane}` : `agent:${agent}`;
}
