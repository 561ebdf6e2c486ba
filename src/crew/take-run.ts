/** How a supervisor comes to its run: takes it, waits for one that is at it, takes over from one that is gone, or finds it ended. */
import { isStaffettaError, StaffettaError } from '../core/base/error.ts';
import type { TaskId } from '../core/journal/id.ts';
import { chartOf } from '../core/plan/chart.ts';
import { plannedTasks } from '../core/plan/work-plan.ts';
import { isFinal, type Status } from '../core/task/state.ts';
import { idle, keepLease, type KeptLease } from '../handoff/record/keep-lease.ts';
import { findState } from '../handoff/record/load.ts';
import { Leg } from '../handoff/verbs/leg.ts';
import { leave } from '../handoff/verbs/leave.ts';
import { lapseIfOver } from '../handoff/verbs/recover.ts';
import { accept } from '../handoff/verbs/take.ts';
import { crewActor } from './run-names.ts';
import { readRun } from './run-record.ts';
import type { RunEars } from './run-sight.ts';
import { RunWatch } from './run-watch.ts';
import type { CrewSite } from './site.ts';
import { cancelLeft } from './steering/steer-run.ts';
import { unlessBusy } from './unless-busy.ts';

/**
 * Renewed while the supervisor lives: as long as a successor waits after a crash of another machine. One on the same machine sees that the
 * process is gone and waits for nothing, and a supervisor that ends in good order hands the run back. A store that is far away has longer leases: answers
 * that are late, and clocks that are not the same, must not end a supervisor that works.
 */
const runLeaseMsMin = 20_000;

export interface TakenRun {
  readonly watch: RunWatch;
  readonly leg: Leg;
  readonly lease: KeptLease;
}

export interface EndOfRun {
  readonly how: 'done' | 'failed' | 'cancelled' | 'idle' | 'stopped';
  readonly statuses: ReadonlyMap<string, Status>;
}

export async function takeRun(
  site: CrewSite,
  name: string,
  {
    pollMs,
    signal = new AbortController().signal,
    onHeld = () => {},
  }: { readonly pollMs: number; readonly signal?: AbortSignal } & Pick<RunEars, 'onHeld'>,
): Promise<TakenRun | EndOfRun> {
  const { context } = site;
  const leaseMs = Math.max(runLeaseMsMin, context.store.leaseMs ?? 0);
  const watch = new RunWatch(context, name);
  let isTold = false;
  for (;;) {
    try {
      if (watch.runState === undefined) await watch.begin();
      await takeOver(site, watch.run);
      const by = { ...crewActor, session: site.session };
      const taken = await accept(context, watch.run, { leaseMs }, { by });
      const leg = await Leg.startedBy(context, taken);
      if (taken.state.leg?.acknowledged === false) await leg.acknowledge();
      const lease = keepLease(context, { task: leg.task, generation: leg.generation, leaseMs });
      return { watch, leg, lease };
    } catch (error) {
      const end = await unlessBusy(async () => await endedBefore(site, watch));
      if (end !== undefined) return end;
      const passes = isStaffettaError(error) && (error.code === 'held' || error.retryable);
      if (!passes) throw error;
      if (signal.aborted)
        throw new StaffettaError('interrupted', `Interrupted before the run ${name} could be taken.`, {
          hint: `Somebody else may have it. See how it goes on: staffetta ls --lane supervise`,
        });
      if (error.code === 'held' && !isTold) onHeld();
      isTold ||= error.code === 'held';
      await idle(context, pollMs, signal);
    }
  }
}

/** Of a run that somebody else has brought to its end; undefined while it goes on. Of one that was cancelled nothing is left to go on. */
export async function endedBefore({ context }: CrewSite, watch: RunWatch): Promise<EndOfRun | undefined> {
  const state = await findState(context, watch.run);
  if (state === undefined || !isFinal(state)) return undefined;
  if (state.status === 'cancelled')
    await cancelLeft(context, watch.run, { why: 'Its run was cancelled.', by: crewActor });
  const document = (await readRun(context, watch.run)).documents.at(-1);
  if (document !== undefined) {
    const tasks = plannedTasks(document.plan, document.crew);
    await watch.know(
      tasks.map(({ name }) => name),
      chartOf(tasks, document.plan.phases),
    );
  }
  await watch.changes();
  const { status } = state;
  return { how: status === 'done' || status === 'cancelled' ? status : 'failed', statuses: watch.statuses };
}

/**
 * A leg whose supervisor is gone goes on offer again at once, in its holder's name. That is a change of hands and no failed attempt: the work
 * did nothing wrong.
 */
async function takeOver(site: CrewSite, task: TaskId): Promise<boolean> {
  const state = await findState(site.context, task);
  const { leg } = state ?? {};
  if (leg === undefined || leg === null) return false;
  const { generation, holder, lane } = leg;
  const { session } = holder;
  if (session === undefined || session === site.session) return false;
  if ((await site.isGone?.(session, { task, generation })) !== true) return false;
  const to = lane === 'supervise' ? 'lane:supervise' : (`agent:${holder.name}` as const);
  const why = 'The process that worked on it is gone.';
  try {
    await leave(site.context, { task, generation, holder }, { to, trigger: 'crash', why, outside: true });
    return true;
  } catch (error) {
    if (isStaffettaError(error)) return false;
    throw error;
  }
}

/** Who holds a task for nobody that lives here is waited for as long as its lease says. */
export async function endSilent(site: CrewSite, task: TaskId): Promise<void> {
  if (!(await takeOver(site, task))) await lapseIfOver(site.context, task);
}

export function lostRun(name: string): StaffettaError {
  return new StaffettaError('stale-generation', `Another supervisor has the run ${name} now.`, {
    hint: `See how it goes on: staffetta run --name ${name}`,
  });
}
