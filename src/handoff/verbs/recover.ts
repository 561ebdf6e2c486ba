import { defined } from '../../core/base/defined.ts';
import { systemActor } from '../../core/task/actor.ts';
import type { Command } from '../../core/task/command.ts';
import { isStaffettaError, type ErrorCode } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { isExpired, isFarAhead } from '../../core/task/lapse.ts';
import { takeableStatuses } from '../../core/task/state.ts';
import type { Hint } from '../../ports/mailbox.ts';
import type { Context } from '../record/context.ts';
import { passingCards, passingOver, type DamagedTask, type PassedOver } from '../record/damage.ts';
import { hintFor } from '../record/hints.ts';
import { pageSize, stateAt } from '../record/load.ts';
import { isClockOff } from '../record/silence.ts';
import { cardsWith, freeAll } from './needs.ts';
import { record, type Recorded } from '../record/record.ts';

export interface Recovery {
  /** Legs whose holder fell silent; the work is on offer again, or in the dead letters. */
  readonly lapsed: readonly TaskId[];
  readonly expired: readonly TaskId[];
  /** Their needs are met: they can be taken. */
  readonly freed: readonly TaskId[];
  /** What they wait for failed or was cancelled: a person has to decide. */
  readonly escalated: readonly TaskId[];
  /** Offers whose wake-up call was missing, or may have been, and was sent again. */
  readonly hinted: number;
  readonly dead: readonly TaskId[];
  /** Leases that were left alone because this clock may be the wrong one. */
  readonly doubted: readonly DoubtedLease[];
  /** Tasks that cannot be read, and were left as they are. */
  readonly damaged: readonly DamagedTask[];
}

export interface DoubtedLease {
  readonly task: TaskId;
  readonly holder: string | null;
  readonly leaseUntil: number;
  /** Some clock set it further ahead than a lease may be; or it is over by a clock that is not the store's. */
  readonly why: 'far-ahead' | 'clock-off';
}

export interface RecoverOptions {
  /** Say what would be put right, and change nothing. */
  readonly dryRun?: boolean;
  /** End every lease that is further ahead than a lease may be, even if this clock is behind the journal. */
  readonly endDoubted?: boolean;
}

/**
 * Puts right what a crash left: idempotent, safe to run anywhere and at any time, by several at once. A damaged task is named, and
 * keeps nobody from putting the others right.
 */
export async function recover(context: Context, options: RecoverOptions = {}): Promise<Recovery> {
  const dryRun = options.dryRun === true;
  const passed: PassedOver = new Map();
  const trial: Trial = { dryRun, passed };
  const { lapsed, doubted } = await lapseHeld(context, trial, options.endDoubted === true);
  const expired = await expireOffers(context, trial);
  const refreshed = await freeAll(context, { dryRun, passed });
  let hinted = 0;
  for await (const task of withoutHint(context, passed)) {
    const hint = await passingOver(passed, task, async () => await standingHint(context, task));
    if (hint === undefined) continue;
    if (!dryRun) await context.store.mailbox.send(hint);
    hinted += 1;
  }
  const dead = [...lapsed, ...expired]
    .filter((done) => done.state.dead !== null)
    .map((done) => done.state.task);
  return {
    lapsed: lapsed.map(taskOf),
    expired: expired.map(taskOf),
    ...refreshed,
    hinted,
    dead,
    doubted,
    damaged: [...passed.values()],
  };
}

/** Those that nobody may be woken for; where the store cannot tell, all that are on offer. */
async function* withoutHint(context: Context, passed: PassedOver): AsyncGenerator<TaskId> {
  const { catalog } = context.store;
  if (catalog.unhinted === undefined) {
    for await (const { task } of cardsWith(context, takeableStatuses, { passed })) yield task;
    return;
  }
  for (let after: TaskId | undefined; ;) {
    const page: readonly TaskId[] = await catalog.unhinted(after, pageSize);
    yield* page;
    after = page.at(-1);
    if (page.length < pageSize) return;
  }
}

async function standingHint(context: Context, task: TaskId): Promise<Hint | undefined> {
  const head = await context.store.journal.head(task);
  return head === undefined ? undefined : hintFor(await stateAt(context, head));
}

/** Held tasks whose lease is further ahead than a lease may be, by this clock. */
export async function* leasesFarAhead(context: Context, passed?: PassedOver): AsyncGenerator<DoubtedLease> {
  for await (const { task, holder, leaseUntil } of cardsWith(context, ['held'], { passed })) {
    if (leaseUntil !== null && isFarAhead(leaseUntil, context.clock.now()))
      yield { task, holder, leaseUntil, why: 'far-ahead' };
  }
}

/** Every held task is looked at once: where a look is paid for, two would cost twice as much. */
async function lapseHeld(
  context: Context,
  trial: Trial,
  endDoubted: boolean,
): Promise<{ readonly lapsed: Recorded[]; readonly doubted: DoubtedLease[] }> {
  const lapsed: Recorded[] = [];
  const doubted: DoubtedLease[] = [];
  for await (const { task, holder, leaseUntil } of cardsWith(context, ['held'], { passed: trial.passed })) {
    if (leaseUntil === null) continue;
    const isFar = isFarAhead(leaseUntil, context.clock.now());
    if (!isFar && !isExpired(leaseUntil, context.clock.now())) continue;
    context.reached('recover:listed');
    if (!isFar && isClockOff(context)) {
      doubted.push({ task, holder, leaseUntil, why: 'clock-off' });
      continue;
    }
    const command = { type: 'lapse', ...(isFar ? { endDoubted } : {}) } as const;
    const recorded = await attempt(context, task, command, trial);
    if (recorded !== undefined) lapsed.push(recorded);
    else if (trial.passed?.has(task) !== true && (await isInForce(context, task, leaseUntil)))
      doubted.push({ task, holder, leaseUntil, why: isFar ? 'far-ahead' : 'clock-off' });
  }
  return { lapsed, doubted };
}

/** Nobody renewed or ended it meanwhile: a store that has a clock of its own did not let it be ended. */
async function isInForce(context: Context, task: TaskId, until: number): Promise<boolean> {
  return (await context.store.journal.head(task))?.lease?.until === until;
}

function taskOf(recorded: Recorded): TaskId {
  return recorded.state.task;
}

interface Trial {
  readonly dryRun?: boolean;
  /** Without it, the first damaged task is thrown. */
  readonly passed?: PassedOver;
}

/** Ends the legs whose lease is over. A renewal that arrives in between wins. */
export async function lapseExpired(context: Context, trial: Trial): Promise<Recorded[]> {
  const { dryRun } = trial;
  const done: Recorded[] = [];
  if (isClockOff(context)) return done;
  let cursor: string | undefined;
  for (;;) {
    const { cards, next } = await context.store.catalog.list({
      leaseBefore: context.clock.now(),
      limit: pageSize,
      ...passingCards(trial.passed),
      ...defined({ cursor }),
    });
    if (cards.length === 0) return done;
    context.reached('recover:listed');
    let moved = 0;
    for (const card of cards) {
      const recorded = await attempt(context, card.task, { type: 'lapse' }, trial);
      if (recorded === undefined) continue;
      moved += 1;
      done.push(recorded);
    }
    // What was end is on the list no more; what was only looked at still is.
    if (dryRun === true) cursor = next;
    if (dryRun === true ? next === undefined : moved === 0) return done;
  }
}

/** Ends one leg if its lease is over, and says whether it did. */
export async function lapseIfOver(context: Context, task: TaskId): Promise<boolean> {
  return !isClockOff(context) && (await attempt(context, task, { type: 'lapse' }, {})) !== undefined;
}

async function expireOffers(context: Context, trial: Trial): Promise<Recorded[]> {
  const done: Recorded[] = [];
  const now = context.clock.now();
  for await (const card of cardsWith(context, takeableStatuses, {
    passed: trial.passed,
    offerBefore: now,
  })) {
    const recorded = await attempt(context, card.task, { type: 'expire' }, trial);
    if (recorded !== undefined) done.push(recorded);
  }
  return done;
}

/** Somebody else may have been here a moment ago: then there is nothing left to do. */
const overtaken: ReadonlySet<ErrorCode> = new Set(['lease-live', 'wrong-state', 'unknown-task']);

async function attempt(
  context: Context,
  task: TaskId,
  command: Command,
  { dryRun = false, passed }: Trial,
): Promise<Recorded | undefined> {
  const end = async (): Promise<Recorded> => {
    const recorded = await record(context, {
      task,
      call: { by: systemActor, dryRun },
      request: null,
      prepare: () => ({ command }),
    });
    context.reached('recover:recorded');
    return recorded;
  };
  try {
    return passed === undefined ? await end() : await passingOver(passed, task, end);
  } catch (error) {
    if (isStaffettaError(error) && overtaken.has(error.code)) return undefined;
    throw error;
  }
}
