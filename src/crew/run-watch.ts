/**
 * How the tasks of a run stand, kept up with the feed of the store: no matter who changes them, a leg of this supervisor, a person at another
 * terminal or a supervisor before this one. It can be thrown away and made again from the journals.
 */
import type { TaskId } from '../core/journal/id.ts';
import { openEntry } from '../core/journal/sealed.ts';
import { frontierOf, type MovingFrontier } from '../core/plan/frontier.ts';
import type { Chart } from '../core/plan/chart.ts';
import type { PlanStanding } from '../core/plan/run-view.ts';
import { finalStatuses, isFinal, type Status, type TaskState } from '../core/task/state.ts';
import type { Context } from '../handoff/record/context.ts';
import { feedTail } from '../handoff/record/feed-tail.ts';
import { findState } from '../handoff/record/load.ts';
import type { RunSpent } from './steering/run-caps.ts';
import { plannedId, runId } from './run-names.ts';
import { standingInRun } from './standing.ts';

const pageEntries = 256;

type Spent = Omit<RunSpent, 'ms'>;
const nothing: Spent = { legs: 0, tokens: 0, costs: [] };

export class RunWatch {
  readonly run: TaskId;
  readonly #context: Context;
  readonly #name: string;
  readonly #names = new Map<TaskId, string>();
  readonly #statuses = new Map<string, Status>();
  readonly #workedIn = new Map<TaskId, { seq: number; runtimes: string[] }>();
  readonly #standings = new Map<string, PlanStanding>();
  readonly #changed = new Set<string>();
  readonly #spent = new Map<TaskId, Spent>();
  readonly #costs = new Map<string, number>();
  #legs = 0;
  #tokens = 0;
  #frontier: MovingFrontier | undefined;
  #position = 0;
  /** What is new here, or has moved up to the position, and was not looked at yet. */
  readonly #touched = new Set<TaskId>();
  #finals = 0;
  #integrated: TaskState['integrated'];
  #runState: TaskState | undefined;

  constructor(context: Context, name: string) {
    this.#context = context;
    this.#name = name;
    this.run = runId(name);
  }

  get runState(): TaskState | undefined {
    return this.#runState;
  }

  /** A task of the plan, or of one before. */
  has(task: TaskId): boolean {
    return this.#names.has(task);
  }

  /** Somebody has ended the run, or a later holder has it. */
  isOutOfHands(generation: number): boolean {
    const state = this.#runState;
    return state !== undefined && (isFinal(state) || state.generation > generation);
  }

  /** Of tasks that are open in the store, by their names in the plan. */
  get statuses(): ReadonlyMap<string, Status> {
    return this.#statuses;
  }

  /** By all tasks that the run ever had, over their lives. */
  get spent(): Omit<RunSpent, 'ms'> {
    const costs = [...this.#costs].map(([unit, amount]) => ({ unit, amount }));
    return { legs: this.#legs, tokens: this.#tokens, costs };
  }

  #count({ task, generation: legs, usage }: TaskState): void {
    const before = this.#spent.get(task) ?? nothing;
    const now: Spent = { legs, tokens: usage?.tokens ?? 0, costs: usage?.costs ?? [] };
    this.#legs += now.legs - before.legs;
    this.#tokens += now.tokens - before.tokens;
    for (const [sign, { costs }] of [[-1, before] as const, [1, now] as const])
      for (const { unit, amount } of costs)
        this.#costs.set(unit, Math.round(((this.#costs.get(unit) ?? 0) + sign * amount) * 1e6) / 1e6);
    this.#spent.set(task, now);
  }

  /** Tasks whose status is another than when this was last asked. */
  takeChanged(): readonly string[] {
    const changed = [...this.#changed];
    this.#changed.clear();
    return changed;
  }

  /** Of tasks that somebody has begun, or that wait for somebody; of any other the plan says all. */
  get standings(): ReadonlyMap<string, PlanStanding> {
    return this.#standings;
  }

  /** Every task of the plan is over. */
  get isOver(): boolean {
    return this.#names.size > 0 && this.#finals === this.#names.size;
  }

  /** The commit that was integrated last. */
  get integrated(): string | null {
    return this.#integrated?.commit ?? null;
  }

  get frontier(): MovingFrontier | undefined {
    return this.#frontier;
  }

  /** From here on what is written is seen; what was before is asked for once, by `know`. */
  async begin(): Promise<void> {
    this.#position = await feedTail(this.#context.store.catalog);
    await this.#lookAt(this.run);
  }

  /** Tasks of the plan, and in which order they could start; and what earlier plans had. What is known of them stays known. */
  async know(names: readonly string[], chart: Chart, earlier: readonly string[] = []): Promise<void> {
    for (const name of [...names, ...earlier]) {
      const task = plannedId(this.#name, name);
      if (this.#names.has(task)) continue;
      this.#names.set(task, name);
      this.#touched.add(task);
    }
    await this.#lookAtTouched();
    // What an earlier plan had, and nobody opened, there never was.
    const wanted = new Set(names);
    for (const [task, name] of this.#names)
      if (!wanted.has(name) && !this.#statuses.has(name)) this.#names.delete(task);
    const done = [...this.#statuses].filter(([, status]) => status === 'done').map(([name]) => name);
    this.#frontier = frontierOf(chart, done);
  }

  /** The names of tasks that changed since it was last asked, and whether the run itself did. */
  async changes(): Promise<{ readonly tasks: readonly string[]; readonly run: boolean }> {
    for (;;) {
      const page = await this.#context.store.catalog.feed(this.#position, pageEntries);
      for (const { task, position } of page) {
        this.#position = position;
        if (task === this.run || this.#names.has(task)) this.#touched.add(task);
      }
      if (page.length < pageEntries) break;
    }
    const touched = new Set(this.#touched);
    await this.#lookAtTouched();
    return {
      run: touched.has(this.run),
      tasks: [...touched].flatMap((task) => this.#names.get(task) ?? []),
    };
  }

  /** What cannot be read now is looked at the next time: nobody tells of it again. */
  async #lookAtTouched(): Promise<void> {
    for (const task of this.#touched) {
      await this.#lookAt(task);
      this.#touched.delete(task);
    }
  }

  async #lookAt(task: TaskId): Promise<void> {
    const state = await findState(this.#context, task);
    if (task === this.run) {
      this.#runState = state;
      return;
    }
    const name = this.#names.get(task);
    if (state === undefined || name === undefined) return;
    this.#count(state);
    if (isFinal(state) && !isFinalStatus(this.#statuses.get(name))) this.#finals += 1;
    if (this.#statuses.get(name) !== state.status) this.#changed.add(name);
    this.#statuses.set(name, state.status);
    if (state.status === 'done') {
      const { integrated = this.#integrated } = state;
      if ((integrated?.at ?? 0) >= (this.#integrated?.at ?? 0)) this.#integrated = integrated;
      this.#standings.delete(name);
      this.#workedIn.delete(task);
      this.#frontier?.finish(name);
    } else if (isUntouched(state)) this.#standings.delete(name);
    else this.#standings.set(name, standingInRun(state, await this.#workedInOf(state)));
  }

  /** Somebody else than its holder has ended its leg. */
  isEndedOutside(name: string): boolean {
    const standing = this.#standings.get(name);
    const isHandedOn = standing?.at === 'open' && standing.from !== undefined;
    return !isHandedOn && endedOutside.has(this.#statuses.get(name) ?? 'held');
  }

  /** As it stands now. */
  async stateOf(name: string): Promise<TaskState | undefined> {
    return await findState(this.#context, plannedId(this.#name, name));
  }

  /** Read from the journal where it matters: for work that somebody has begun, and another may go on with or look at. */
  async #workedInOf({ task, seq, authors, status }: TaskState): Promise<readonly string[]> {
    if (authors.length === 0 || status === 'held' || status === 'done') return [];
    const known = this.#workedIn.get(task) ?? { seq: 0, runtimes: [] };
    while (known.seq <= seq) {
      const page = await this.#context.store.journal.read(task, known.seq, pageEntries);
      if (page.length === 0) break;
      for (const stored of page) {
        const { by, events } = openEntry(stored);
        known.seq = stored.seq + 1;
        if (by.runtime === undefined || !events.some(({ type }) => type === 'leg-started')) continue;
        known.runtimes = [...known.runtimes.filter((one) => one !== by.runtime), by.runtime];
      }
    }
    this.#workedIn.set(task, known);
    return known.runtimes;
  }
}

/** How a task stands after somebody else than its holder has ended a leg; an agent that hands in goes on to the end of its turn. */
const endedOutside: ReadonlySet<Status> = new Set([
  'cancelled',
  'escalated',
  'declined',
  'open',
  'offered',
  'blocked',
]);

/** As the plan has opened it. */
function isUntouched({ status, offer, authors, offers }: TaskState): boolean {
  return (
    (status === 'blocked' || status === 'offered') && authors.length === 0 && offers === 1 && offer !== null
  );
}

function isFinalStatus(status: Status | undefined): boolean {
  return status !== undefined && finalStatuses.includes(status);
}
