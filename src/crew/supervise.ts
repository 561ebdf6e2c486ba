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
import { agentsOf } from '../core/plan/fitting-agents.ts';
import { endsByItself } from '../core/plan/plan-wait.ts';
import type { PlannedLeg } from '../core/plan/room.ts';
import type { RunDocument } from '../core/plan/run-document.ts';
import { schedule, type Schedule } from '../core/plan/schedule.ts';
import type { NamedTask } from '../core/plan/work-plan.ts';
import { waitingPhase } from '../core/task/state.ts';
import type { UntilAsked } from '../handoff/record/afterwards.ts';
import { idle, type KeptLease } from '../handoff/record/keep-lease.ts';
import type { Leg } from '../handoff/verbs/leg.ts';
import { leave } from '../handoff/verbs/leave.ts';
import { Accounts } from './accounts.ts';
import type { CarriedLeg, RunSight, SuperviseOptions } from './run-sight.ts';
import { advancePhases, arePhasesOver, phasesOver } from './run-phases.ts';
import { stepsOf } from './run-steps.ts';
import { endedBefore, endSilent, lostRun, takeRun, type EndOfRun, type TakenRun } from './take-run.ts';
import { baseFor, clearLeftTrees, clearTree, firstInPlan, mergeApproved } from './merge-queue.ts';
import { openSome, readPlanInForce, type PlanInForce } from './plan-in-force.ts';
import { carryReview } from './review.ts';
import { FrontDoor } from './steering/front-door.ts';
import { holdToCaps } from './steering/run-caps.ts';
import { plannedId } from './run-names.ts';
import { limitsNow, nextTime, scheduledView, slower } from './scheduled-view.ts';
import { Resting } from './resting.ts';
import type { RunWatch } from './run-watch.ts';
import { leavingUntilIdle, type CrewSite } from './site.ts';
import { Quiet } from './quiet.ts';
import { LegSigns } from './turns.ts';
import { unlessBusy } from './unless-busy.ts';
import { whyFailed } from './why-failed.ts';
import { carryWork, type LegOver } from './work-leg.ts';

const pollMsDefault = 150;

export async function supervise(
  given: CrewSite,
  name: string,
  options: SuperviseOptions = {},
): Promise<EndOfRun> {
  const taken = await takeRun(given, name, { pollMs: pollMsDefault, ...options });
  if ('how' in taken) return taken;
  await given.ground?.integrate.clear(name);
  const { site, later } = leavingUntilIdle(given);
  return await new Supervisor(site, { name, options, later, ...taken }).run();
}

class Supervisor {
  readonly #site: CrewSite;
  readonly #name: string;
  readonly #options: SuperviseOptions;
  /** Freeing those that waited for a task that is done: they are started without it where there is room. */
  readonly #later: UntilAsked;
  readonly #watch: RunWatch;
  readonly #leg: Leg;
  readonly #lease: KeptLease;
  readonly #live = new Map<string, CarriedLeg>();
  readonly #turns: Record<string, number> = {};
  readonly #accounts: Accounts;
  readonly #resting: Resting;
  readonly #door: FrontDoor;
  #plan: PlanInForce | undefined;
  #merging: Promise<void> | undefined;
  /** A ring that comes while it works ends its next wait. */
  #bell = new AbortController();
  readonly #ring = (): void => this.#bell.abort('rung');
  readonly #quiet: Quiet;
  readonly #failed: RunSight['failed'][number][] = [];
  /** Why caps keep everything from starting. */
  #capped: string | null = null;
  #failure: { readonly error: Error } | undefined;

  constructor(
    site: CrewSite,
    given: TakenRun & {
      readonly name: string;
      readonly options: SuperviseOptions;
      readonly later: UntilAsked;
    },
  ) {
    this.#site = site;
    this.#name = given.name;
    this.#resting = new Resting(site.context, given.name);
    this.#options = given.options;
    this.#later = given.later;
    this.#accounts = new Accounts(site.exhausted);
    this.#watch = given.watch;
    this.#leg = given.leg;
    this.#lease = given.lease;
    this.#quiet = new Quiet(site.context.clock, given.options);
    this.#door = new FrontDoor(site, given.leg, this.#ring);
  }

  async run(): Promise<EndOfRun> {
    const signal = this.#options.signal ?? new AbortController().signal;
    signal.addEventListener('abort', this.#ring);
    this.#lease.lost.addEventListener('abort', this.#ring);
    try {
      for (;;) {
        if (this.#failure !== undefined) throw this.#failure.error;
        if (this.#isLost()) throw lostRun(this.#name);
        if (signal.aborted) break;
        const end = await unlessBusy(async () => await this.#once());
        const over = end === undefined ? undefined : await unlessBusy(async () => await this.#finish(end));
        if (over !== undefined) return over;
        await this.#wait();
      }
      await this.#stopLegs();
      return await this.#putDown('It was told to stop.', 'stopped');
    } catch (error) {
      await this.#stopLegs();
      const end = this.#isLost() ? await endedBefore(this.#site, this.#watch) : undefined;
      if (end !== undefined) return end;
      // Else the next one would wait out the lease of one that has given up. Where the store is what fails, it has to.
      if (!this.#isLost()) await this.#putDown(whyFailed(error), 'stopped').catch(() => {});
      throw error;
    } finally {
      signal.removeEventListener('abort', this.#ring);
      await this.#stopLegs();
      await this.#later.settled();
      await this.#lease.release();
    }
  }

  /** By who keeps the lease, or by the journal: beside its successor it would be refused, and put tasks before a person for that. */
  #isLost(): boolean {
    return this.#lease.lost.aborted || this.#watch.isOutOfHands(this.#leg.generation);
  }

  async #once(): Promise<EndOfRun['how'] | undefined> {
    await this.#look();
    if (this.#isLost()) throw lostRun(this.#name);
    await this.#openSome();
    await this.#lapseSilent();
    await this.#advance();
    const planned = await this.#scheduleWithin();
    await this.#door.admit(this.#planned(), planned.unrouted());
    this.#startMerge();
    for (const leg of planned.starts) this.#start(leg);
    this.#tell(planned);
    return this.#endOf(planned);
  }

  /** Caps are looked at when something would start. */
  async #scheduleWithin(): Promise<Schedule> {
    this.#capped = null;
    const planned = this.#schedule();
    const { runState, spent } = this.#watch;
    if (planned.starts.length === 0 || runState === undefined) return planned;
    const used = { ...spent, legs: spent.legs + this.#legsBegun(), ms: this.#msUsed() };
    this.#capped = await holdToCaps(this.#site.context, { leg: this.#leg, runState, spent: used });
    return this.#capped === null ? planned : this.#schedule();
  }

  /** Those that the journals do not show yet. */
  #legsBegun(): number {
    return [...this.#live.values()].filter(({ isReview, wasHeld }) => !isReview && !wasHeld).length;
  }

  #msUsed(): number {
    const since = this.#watch.runState?.leg?.since ?? Infinity;
    return this.#planned().ms + Math.max(0, this.#site.context.clock.now() - since);
  }

  async #look(): Promise<boolean> {
    const { run, tasks } = await this.#watch.changes();
    if (this.#plan === undefined || this.#watch.runState?.steering?.plan !== this.#plan.digest) {
      this.#plan = await readPlanInForce(this.#site.context, this.#leg, this.#watch);
      this.#door.know(this.#plan.document, this.#plan.routed);
      this.#accounts.know(this.#plan.exhausted);
    }
    for (const task of tasks) this.#stopIfTaken(task);
    return run || tasks.length > 0;
  }

  /** Somebody outside has ended the leg of an agent that works here: it stops before another begins in its tree. */
  #stopIfTaken(task: string): void {
    const live = this.#live.get(task);
    if (live === undefined || live.isReview) return;
    if (this.#watch.statuses.get(task) === 'held') live.wasHeld = true;
    else if (live.wasHeld && this.#watch.isEndedOutside(task)) live.stop.abort();
  }

  async #openSome(): Promise<void> {
    const plan = this.#planned();
    await openSome(this.#site.context, plan);
    if (plan.unopened.length > 0) this.#ring();
    await this.#look();
  }

  /** What a dead predecessor left is given back, and can be started in the same look. */
  async #lapseSilent(): Promise<void> {
    const silent = [...this.#watch.standings].filter(
      ([task, { at }]) => at === 'held' && !this.#live.has(task),
    );
    for (const [task] of silent) await endSilent(this.#site, plannedId(this.#name, task));
    if (silent.length > 0) await this.#look();
  }

  #schedule(): Schedule {
    const plan = this.#planned();
    const view = scheduledView({
      plan,
      watch: this.#watch,
      live: this.#live,
      resting: this.#resting.times,
      exhausted: this.#accounts.exhausted,
      turns: this.#turns,
      routed: this.#door.routed,
      paused: this.#pausedBy,
    });
    const legs = this.#watch.spent.legs + this.#legsBegun();
    const limits = limitsNow(plan, this.#watch.runState?.steering, { legs, live: this.#live.size });
    return schedule(view, limits, this.#site.context.clock.now());
  }

  get #pausedBy(): string | null {
    const steering = this.#watch.runState?.steering;
    return steering?.paused === true ? steering.why : this.#capped;
  }

  #planned(): PlanInForce {
    if (this.#plan !== undefined) return this.#plan;
    throw lostRun(this.#name);
  }

  async #advance(): Promise<void> {
    const { document, tasks } = this.#planned();
    const { runState, statuses } = this.#watch;
    const { phases } = document.plan;
    if (phases === undefined || runState === undefined) return;
    await advancePhases(this.#leg, { phases, runState, isOver: phasesOver(tasks.values(), statuses) });
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
    this.#live.set(planned.task, { ...planned, signs, isReview, stop, over, wasHeld: false });
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
      const base = await baseFor(this.#site, document, this.#watch.integrated);
      const start = { document, planned, agent, state, base, signs: given.signs, told: given.stop.signal };
      const over = given.isReview ? await carryReview(this.#site, start) : await carryWork(this.#site, start);
      if (given.isReview && over.failed !== null) await this.#resting.failed(planned.task, over.failed);
      else this.#resting.began(planned.task);
      await this.#note(planned, over);
    } catch (error) {
      await this.#rest(planned.task, error, (why) => this.#failed.push({ ...planned, why }));
    }
  }

  async #rest(task: string, error: unknown, tell?: (why: string) => void): Promise<void> {
    await this.#resting.refuse(task, error, tell).catch((failure: unknown) => {
      this.#failure ??= { error: failure instanceof Error ? failure : new Error(String(failure)) };
    });
  }

  async #note(planned: PlannedLeg, over: LegOver): Promise<void> {
    if (over.failed !== null) this.#failed.push({ ...planned, why: over.failed });
    const named = { ...planned, id: plannedId(this.#name, planned.task) };
    const steps = stepsOf(named, over, this.#site.context.clock.now());
    this.#accounts.note(steps);
    if (steps.length > 0) await this.#leg.carry(steps);
  }

  #startMerge(): void {
    if (this.#merging !== undefined) return;
    const { document, chart, tasks } = this.#planned();
    const due = [...this.#watch.standings].flatMap(([name, { at }]) =>
      at === 'approved' && this.#resting.isDue(name) ? name : [],
    );
    const next = tasks.get(firstInPlan(chart, due) ?? '');
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
      const { integrated } = this.#watch;
      await mergeApproved(this.#site, { document, task, state, held: this.#leg, integrated });
      this.#resting.began(task.name);
      await clearTree(this.#site, { run: this.#name, task: task.name, leg: this.#leg });
    } catch (error) {
      await this.#rest(task.name, error);
    }
  }

  #tell(planned: Schedule): void {
    const { runState } = this.#watch;
    const sight: RunSight = {
      document: this.#planned().document,
      statuses: this.#watch.statuses,
      changed: this.#watch.takeChanged(),
      live: [...this.#live.values()],
      failed: this.#failed.splice(0),
      waits: planned.waits,
      stuck: planned.stuck,
      paused: this.#pausedBy,
      phase: (runState === undefined ? undefined : waitingPhase(runState)) ?? null,
    };
    this.#quiet.see(sight);
    this.#options.onChange?.(sight);
  }

  #endOf(planned: Schedule): EndOfRun['how'] | undefined {
    const isAsking = [...this.#live.values()].every(({ signs }) => signs.asked !== null);
    if (this.#merging !== undefined || this.#door.isAsking || !isAsking) return undefined;
    if (this.#live.size === 0 && this.#watch.isOver) {
      const { tasks } = this.#planned();
      if ([...this.#watch.statuses].some(([name, status]) => status === 'failed' && tasks.has(name)))
        return 'failed';
      if (arePhasesOver(this.#planned().document.plan.phases, this.#watch.runState)) return 'done';
    }
    if (this.#options.untilIdle !== true || planned.starts.length > 0 || !this.#later.isEmpty)
      return undefined;
    return planned.waits().some(endsByItself) ? undefined : 'idle';
  }

  async #finish(how: EndOfRun['how']): Promise<EndOfRun> {
    // An agent that waits for an answer is put down: it asks again when the run goes on.
    if (how === 'idle') await this.#stopLegs();
    if (how === 'idle') return await this.#putDown('Nothing moves before a person does.', how);
    await this.#watch.changes();
    const { statuses, integrated } = this.#watch;
    await clearLeftTrees(this.#site, { document: this.#planned().document, leg: this.#leg, integrated });
    const failed = [...statuses].flatMap(([name, status]) => (status === 'failed' ? name : []));
    if (how === 'failed') await this.#leg.fail(`These tasks failed: ${failed.join(', ')}`);
    else await this.#leg.complete({ claims: { done: ['Every task of the plan is done.'] } });
    return { how, statuses };
  }

  async #stopLegs(): Promise<void> {
    for (const { stop } of this.#live.values()) stop.abort();
    const legs = [...this.#live.values()].map(({ over }) => over);
    await Promise.allSettled([...legs, this.#merging, this.#door.close()]);
  }

  async #putDown(why: string, how: EndOfRun['how']): Promise<EndOfRun> {
    await leave(this.#site.context, this.#leg, { to: 'lane:supervise', trigger: 'user', why, outside: true });
    await this.#watch.changes();
    return { how, statuses: this.#watch.statuses };
  }

  /** Until something rings, something changes in the store, or a known time comes. */
  async #wait(): Promise<void> {
    const { context } = this.#site;
    const until = this.#nextTime();
    // Who works here rings; others are looked for less often the longer nothing comes from them.
    for (let pollMs = this.#options.pollMs ?? pollMsDefault; ; pollMs = slower(pollMs)) {
      const ms = Math.min(pollMs, until - context.clock.now());
      await idle(context, Math.max(1, ms), this.#bell.signal);
      if (this.#bell.signal.aborted) {
        this.#bell = new AbortController();
        return;
      }
      if (!this.#later.isEmpty) return await this.#later.settled();
      this.#quiet.look();
      if (context.clock.now() >= until) return;
      if ((await unlessBusy(async () => await this.#look())) === true) return;
    }
  }

  #nextTime(): number {
    const { ms } = this.#watch.runState?.steering?.caps ?? {};
    const now = this.#site.context.clock.now();
    const capped = ms === undefined || this.#capped !== null ? [] : [now + ms - this.#msUsed()];
    const times = [...this.#accounts.exhausted.values(), ...this.#resting.times.values(), ...capped];
    return nextTime(this.#watch.standings, { now, times, isLive: (task) => this.#live.has(task) });
  }
}
