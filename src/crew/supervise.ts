/**
 * The supervisor of a run. A run is a task in the supervise lane: its journal is the run's record, its lease makes the supervisor single, and
 * lapse and take are the restart. All that is decided here comes from the journals; what this process knows besides is who works for it.
 *
 *   look      what changed in the store, by anybody
 *   open      tasks of the plan that are not there yet, some at a time
 *   merge     what is approved, one after the other
 *   start     what the schedule says
 *   wait      until a leg ends, something changes, or a time comes
 */
import { StaffettaError, isStaffettaError } from '../core/base/error.ts';
import type { CrewLimits } from '../core/plan/crew.ts';
import { agentsOf } from '../core/plan/fitting-agents.ts';
import type { PlannedLeg } from '../core/plan/room.ts';
import type { RunDocument } from '../core/plan/run-document.ts';
import type { PlanStanding, RunView } from '../core/plan/run-view.ts';
import { schedule, type Schedule } from '../core/plan/schedule.ts';
import type { NamedTask } from '../core/plan/work-plan.ts';
import { waitingPhase } from '../core/task/state.ts';
import { idle, type KeptLease } from '../handoff/record/keep-lease.ts';
import type { Leg } from '../handoff/verbs/leg.ts';
import { leave } from '../handoff/verbs/leave.ts';
import { lapseIfOver } from '../handoff/verbs/recover.ts';
import type { LiveLeg, RunSight } from './run-sight.ts';
import { advancePhases, arePhasesOver, isSettled } from './run-phases.ts';
import { stepsOf } from './run-steps.ts';
import { takeOver, takeRun, type EndOfRun, type TakenRun } from './take-run.ts';
import { baseFor, clearLeftTrees, clearTree, mergeApproved } from './merge-queue.ts';
import { openSome, readPlanInForce, type PlanInForce } from './plan-in-force.ts';
import { carryReview } from './review.ts';
import { plannedId } from './run-names.ts';
import { Resting } from './resting.ts';
import type { RunWatch } from './run-watch.ts';
import type { CrewSite } from './site.ts';
import { LegSigns } from './turns.ts';
import { carryWork, type LegOver } from './work-leg.ts';

const pollMsDefault = 150;
/** How often it is looked whether a holder that is not of this process is still there. */
const silentMs = 2000;

export interface SuperviseOptions {
  readonly pollMs?: number;
  /** The legs that are on are put down, with what they did, and the run is left to the next supervisor. */
  readonly signal?: AbortSignal;
  /** Also ends where nothing moves before a person does. */
  readonly untilIdle?: boolean;
  /** Told whenever something may look different. */
  readonly onChange?: (sight: RunSight) => void;
}

export async function supervise(
  site: CrewSite,
  name: string,
  options: SuperviseOptions = {},
): Promise<EndOfRun> {
  const taken = await takeRun(site, name, { pollMs: pollMsDefault, ...options });
  return 'how' in taken ? taken : await new Supervisor(site, { name, options, ...taken }).run();
}

interface Live extends LiveLeg {
  readonly stop: AbortController;
  readonly over: Promise<void>;
}

class Supervisor {
  readonly #site: CrewSite;
  readonly #name: string;
  readonly #options: SuperviseOptions;
  readonly #watch: RunWatch;
  readonly #leg: Leg;
  readonly #lease: KeptLease;
  readonly #live = new Map<string, Live>();
  readonly #turns: Record<string, number> = {};
  readonly #exhausted = new Map<string, number>();
  readonly #resting: Resting;
  #plan: PlanInForce | undefined;
  #merging: Promise<void> | undefined;
  #bell = Promise.withResolvers<void>();
  #failure: { readonly error: Error } | undefined;

  constructor(
    site: CrewSite,
    given: TakenRun & { readonly name: string; readonly options: SuperviseOptions },
  ) {
    this.#site = site;
    this.#name = given.name;
    this.#resting = new Resting(site.context, given.name);
    this.#options = given.options;
    this.#watch = given.watch;
    this.#leg = given.leg;
    this.#lease = given.lease;
  }

  async run(): Promise<EndOfRun> {
    const signal = this.#options.signal ?? new AbortController().signal;
    signal.addEventListener('abort', this.#ring);
    this.#lease.lost.addEventListener('abort', this.#ring);
    try {
      for (;;) {
        if (this.#failure !== undefined) throw this.#failure.error;
        if (this.#lease.lost.aborted) throw lost(this.#name);
        if (signal.aborted) return await this.#stop();
        const end = await this.#once();
        if (end !== undefined) return await this.#finish(end);
        await this.#wait();
      }
    } finally {
      signal.removeEventListener('abort', this.#ring);
      await this.#stopLegs();
      await this.#lease.release();
    }
  }

  async #once(): Promise<EndOfRun['how'] | undefined> {
    try {
      await this.#look();
      await this.#openSome();
      await this.#lapseSilent();
      await this.#advance();
    } catch (error) {
      // A store that is busy now will not be for ever.
      if (!isStaffettaError(error) || !error.retryable) throw error;
      return undefined;
    }
    this.#startMerge();
    const planned = this.#schedule();
    for (const leg of planned.starts) this.#start(leg);
    this.#tell(planned);
    return this.#endOf(planned);
  }

  readonly #ring = (): void => this.#bell.resolve();

  /** Says whether anything changed. */
  async #look(): Promise<boolean> {
    const { run, tasks } = await this.#watch.changes();
    if (this.#plan === undefined || this.#watch.runState?.steering?.plan !== this.#plan.digest) {
      const isFirst = this.#plan === undefined;
      this.#plan = await readPlanInForce(this.#site.context, this.#leg, this.#watch);
      if (isFirst) for (const [account, until] of this.#plan.exhausted) this.#exhausted.set(account, until);
    }
    return run || tasks.length > 0;
  }

  async #openSome(): Promise<void> {
    const plan = this.#planned();
    await openSome(this.#site.context, plan);
    if (plan.unopened.length > 0) this.#ring();
    await this.#watch.changes();
  }

  /** Who holds a task for nobody that lives here is waited for as long as its lease says. */
  async #lapseSilent(): Promise<void> {
    for (const [task, standing] of this.#watch.standings)
      if (standing.at === 'held' && !this.#live.has(task)) {
        const id = plannedId(this.#name, task);
        if (!(await takeOver(this.#site, id))) await lapseIfOver(this.#site.context, id);
      }
  }

  #schedule(): Schedule {
    const view = this.#view();
    const steered = this.#watch.runState?.steering?.parallel ?? undefined;
    const limits: CrewLimits = {
      ...this.#plan?.document.crew.limits,
      ...(steered === undefined ? {} : { parallel: steered }),
    };
    return schedule(view, limits, this.#site.context.clock.now());
  }

  #view(): RunView {
    const { document, chart, unopened } = this.#planned();
    const standings = new Map<string, PlanStanding>(this.#watch.standings);
    for (const [task, { agent, lane, runtime }] of this.#live)
      standings.set(task, { at: 'held', agent, lane, runtime });
    for (const { name } of unopened) standings.set(name, { at: 'open', notBefore: Infinity });
    for (const [task, until] of this.#resting.times) {
      const standing = standings.get(task) ?? { at: 'open' };
      if (standing.at === 'open')
        standings.set(task, { ...standing, notBefore: Math.max(until, standing.notBefore ?? 0) });
    }
    const steering = this.#watch.runState?.steering;
    return {
      chart,
      crew: document.crew,
      standings,
      exhausted: this.#exhausted,
      turns: this.#turns,
      released: this.#released(),
      ...(this.#watch.frontier === undefined ? {} : { frontier: this.#watch.frontier }),
      ...(steering?.paused === true ? { paused: steering.why } : {}),
    };
  }

  #planned(): PlanInForce {
    if (this.#plan === undefined) throw lost(this.#name);
    return this.#plan;
  }

  /** Phases of the plan that a person has looked at are phases of the run that a person has approved. */
  #released(): readonly string[] {
    return (this.#watch.runState?.phases ?? [])
      .filter(({ approved }) => approved !== undefined)
      .map(({ name }) => name);
  }

  async #advance(): Promise<void> {
    const { document, tasks } = this.#planned();
    const { runState } = this.#watch;
    if (document.plan.phases === undefined || runState === undefined) return;
    const open = new Set<string>();
    for (const { name, phase } of tasks.values())
      if (phase !== undefined && !isSettled(this.#watch.statuses.get(name))) open.add(phase);
    const isOver = (phase: string): boolean => !open.has(phase);
    await advancePhases(this.#leg, { phases: document.plan.phases, runState, isOver });
  }

  #start(planned: PlannedLeg): void {
    const { document } = this.#planned();
    const stop = new AbortController();
    const signs = new LegSigns(this.#site.context.clock);
    const isReview = this.#watch.statuses.get(planned.task) === 'submitted';
    this.#turns[planned.agent] = (this.#turns[planned.agent] ?? 0) + 1;
    const over = this.#carry(document, planned, { stop, signs, isReview }).finally(() => {
      this.#live.delete(planned.task);
      this.#ring();
    });
    this.#live.set(planned.task, { ...planned, signs, isReview, stop, over });
  }

  async #carry(
    document: RunDocument,
    planned: PlannedLeg,
    given: { readonly stop: AbortController; readonly signs: LegSigns; readonly isReview: boolean },
  ): Promise<void> {
    try {
      const state = await this.#watch.stateOf(planned.task);
      const agent = agentsOf(document.crew).find(({ name }) => name === planned.agent);
      if (state === undefined || agent === undefined) return;
      const base = await baseFor(this.#site, document);
      const start = { document, planned, agent, state, base, signs: given.signs, told: given.stop.signal };
      const over = given.isReview ? await carryReview(this.#site, start) : await carryWork(this.#site, start);
      this.#resting.began(planned.task);
      await this.#note(planned, over);
    } catch (error) {
      await this.#rest(planned.task, error);
    }
  }

  async #rest(task: string, error: unknown): Promise<void> {
    try {
      if (!isStaffettaError(error)) throw error;
      await this.#resting.refuse(task, error);
    } catch (failure) {
      this.#failure ??= { error: failure instanceof Error ? failure : new Error(String(failure)) };
    }
  }

  async #note(planned: PlannedLeg, over: LegOver): Promise<void> {
    const now = this.#site.context.clock.now();
    const steps = stepsOf({ ...planned, id: plannedId(this.#name, planned.task) }, over, now);
    for (const { what, runtime, agent, until } of steps)
      if (what === 'exhausted' && until !== undefined) this.#exhausted.set(runtime ?? agent ?? '', until);
    if (steps.length > 0) await this.#leg.carry(steps);
  }

  /** In the order of the plan, one at a time. */
  #startMerge(): void {
    if (this.#merging !== undefined) return;
    const { document, chart, tasks } = this.#planned();
    const placeOf = (task: string): number => chart.graph.indexOf.get(task) ?? Infinity;
    const due = [...this.#watch.standings]
      .filter(([name, { at }]) => at === 'approved' && this.#resting.isDue(name))
      .map(([name]) => name);
    const [first] = due.toSorted((one, two) => placeOf(one) - placeOf(two));
    const next = first === undefined ? undefined : tasks.get(first);
    if (next === undefined) return;
    this.#merging = this.#mergeOne(document, next).finally(() => {
      this.#merging = undefined;
      this.#ring();
    });
  }

  async #mergeOne(document: RunDocument, task: NamedTask): Promise<void> {
    try {
      const state = await this.#watch.stateOf(task.name);
      if (state?.status !== 'approved') return;
      await mergeApproved(this.#site, { document, task, state, held: this.#leg });
      this.#resting.began(task.name);
      await clearTree(this.#site, { run: this.#name, task: task.name, leg: this.#leg });
    } catch (error) {
      await this.#rest(task.name, error);
    }
  }

  #tell(planned: Schedule): void {
    const { document } = this.#planned();
    const { runState } = this.#watch;
    this.#options.onChange?.({
      document,
      statuses: this.#watch.statuses,
      changed: this.#watch.takeChanged(),
      live: [...this.#live.values()],
      waits: planned.waits,
      stuck: planned.stuck,
      paused: runState?.steering?.paused === true ? runState.steering.why : null,
      phase: (runState === undefined ? undefined : waitingPhase(runState)) ?? null,
    });
  }

  #endOf(planned: Schedule): EndOfRun['how'] | undefined {
    const isAsking = [...this.#live.values()].every(({ signs }) => signs.asked !== null);
    if (this.#merging !== undefined || !isAsking) return undefined;
    if (this.#live.size === 0 && this.#watch.isOver) {
      if ([...this.#watch.statuses.values()].includes('failed')) return 'failed';
      if (arePhasesOver(this.#planned().document.plan.phases, this.#watch.runState)) return 'done';
    }
    if (this.#options.untilIdle !== true || planned.starts.length > 0) return undefined;
    const waits = planned.waits();
    return waits.every(({ on, until }) => until === null && on !== 'queue') ? 'idle' : undefined;
  }

  async #finish(how: EndOfRun['how']): Promise<EndOfRun> {
    const statuses = this.#watch.statuses;
    // An agent that waits for an answer is put down: it asks again when the run goes on.
    if (how === 'idle') await this.#stopLegs();
    await this.#watch.changes();
    if (how === 'idle') return await this.#putDown('Nothing moves before a person does.', how);
    const failed = [...statuses].flatMap(([name, status]) => (status === 'failed' ? [name] : []));
    await clearLeftTrees(this.#site, { run: this.#name, leg: this.#leg });
    if (how === 'failed') await this.#leg.fail(`These tasks failed: ${failed.join(', ')}`);
    else await this.#leg.complete({ claims: { done: ['Every task of the plan is done.'] } });
    return { how, statuses };
  }

  async #stop(): Promise<EndOfRun> {
    await this.#stopLegs();
    return await this.#putDown('It was told to stop.', 'stopped');
  }

  async #stopLegs(): Promise<void> {
    for (const { stop } of this.#live.values()) stop.abort();
    await Promise.allSettled([...[...this.#live.values()].map(({ over }) => over), this.#merging]);
  }

  async #putDown(why: string, how: EndOfRun['how']): Promise<EndOfRun> {
    await leave(this.#site.context, this.#leg, {
      to: 'lane:supervise',
      trigger: 'user',
      why,
      outside: true,
    });
    return { how, statuses: this.#watch.statuses };
  }

  /** Until something rings, something changes in the store, or a known time comes. */
  async #wait(): Promise<void> {
    const { context } = this.#site;
    const until = this.#nextTime();
    for (;;) {
      const over = new AbortController();
      const ms = Math.min(this.#options.pollMs ?? pollMsDefault, until - context.clock.now());
      const polled = idle(context, Math.max(1, ms), over.signal).then(() => false);
      const rang = await Promise.race([this.#bell.promise.then(() => true), polled]);
      over.abort();
      if (rang) {
        this.#bell = Promise.withResolvers<void>();
        return;
      }
      if (context.clock.now() >= until || (await this.#look())) return;
    }
  }

  /** When something could start that cannot now, by what is known; and when to look after those who hold what for nobody here. */
  #nextTime(): number {
    const now = this.#site.context.clock.now();
    const times = [...this.#exhausted.values(), ...this.#resting.times.values()];
    for (const [task, standing] of this.#watch.standings) {
      if (standing.at === 'open' && standing.notBefore !== undefined) times.push(standing.notBefore);
      if (standing.at === 'held' && !this.#live.has(task)) times.push(now + silentMs);
    }
    return Math.min(Infinity, ...times.filter((time) => time > now));
  }
}

function lost(name: string): StaffettaError {
  return new StaffettaError('stale-generation', `Another supervisor has the run ${name} now.`, {
    hint: `See how it goes on: staffetta run --name ${name}`,
  });
}
