import { defined } from '../../core/base/defined.ts';
import type { LostNeed } from '../../core/task/command.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { TaskState } from '../../core/task/state.ts';
import { systemActor } from '../../core/task/actor.ts';
import { isStaffettaError, StaffettaError } from '../../core/base/error.ts';
import { limits } from '../../core/base/limits.ts';
import type { CardQuery, ListedCard, Waiting } from '../../ports/journal.ts';
import type { Context } from '../record/context.ts';
import { passingCards, passingOver, type PassedOver } from '../record/damage.ts';
import { load, pageSize, stateAt, unknownTask } from '../record/load.ts';
import { record } from '../record/record.ts';

/** What became of needs: done, or failed and cancelled, which will never be done. */
export interface EndedNeeds {
  readonly met: readonly TaskId[];
  readonly lost: readonly LostNeed[];
  /** Those that do not exist: not yet imported, or removed. */
  readonly missing: readonly TaskId[];
}

async function endedNeeds(context: Context, needs: readonly TaskId[]): Promise<EndedNeeds> {
  const met: TaskId[] = [];
  const lost: LostNeed[] = [];
  const missing: TaskId[] = [];
  for (const need of needs) {
    const head = await context.store.journal.head(need);
    if (head === undefined) {
      missing.push(need);
      continue;
    }
    const { status } = await stateAt(context, head);
    if (status === 'done') met.push(need);
    if (status === 'failed' || status === 'cancelled') lost.push({ need, status });
  }
  return { met, lost, missing };
}

/** Which of these tasks are done. A need that does not exist is refused: it could never be met. */
export async function metNeeds(context: Context, needs: readonly TaskId[]): Promise<readonly TaskId[]> {
  const { met, missing } = await endedNeeds(context, needs);
  const [first] = missing;
  if (first !== undefined) throw unknownTask(first);
  return met;
}

export async function lostNeeds(
  context: Context,
  needs: readonly TaskId[] = [],
): Promise<readonly LostNeed[]> {
  return (await endedNeeds(context, needs)).lost;
}

/** Which of them are done, for a caller that names them now. With a need that is lost it would make a task that nobody can ever take. */
export async function metNeedsOrRefuse(
  context: Context,
  needs: readonly TaskId[],
): Promise<readonly TaskId[]> {
  const { met, lost: all, missing } = await endedNeeds(context, needs);
  const [gone] = missing;
  if (gone !== undefined) throw unknownTask(gone);
  const [lost] = all;
  if (lost === undefined) return met;
  throw new StaffettaError('needs-unmet', `No task can wait for ${lost.need}: it is ${lost.status}.`, {
    details: { unmet: [lost.need], lost: [lost] },
    hint: 'Leave it out of the needs, or name a task that can still be done.',
  });
}

/** What became of a task that waited: freed, or put before a person because what it waits for will not come. */
export type Refreshed = 'freed' | 'escalated';

/**
 * Tells a blocked task which of its needs are met now. Returns what changed, if anything did. A task that is over or gone by the
 * time it is looked at, or whose need is gone, is no reason to stop: others wait too.
 */
export async function refreshNeeds(
  context: Context,
  task: TaskId,
  dryRun = false,
): Promise<Refreshed | undefined> {
  try {
    const { state } = await load(context, task);
    const { met, lost } = await endedNeeds(context, state.unmet);
    if (lost.length > 0) return await askAbout(context, task, lost, dryRun);
    return (await recordMet(context, task, { met, dryRun })) ? 'freed' : undefined;
  } catch (error) {
    if (isStaffettaError(error, 'unknown-task') || isStaffettaError(error, 'wrong-state')) return undefined;
    throw error;
  }
}

/** Needs that one entry has room for, beside what else it may say. */
export const metAtOnce = limits.eventsMax - 12;

/** Says whether anything was written. */
export async function recordMet(
  context: Context,
  task: TaskId,
  { met, dryRun = false }: { readonly met: readonly TaskId[]; readonly dryRun?: boolean },
): Promise<boolean> {
  let isNews = false;
  for (let from = 0; from < met.length; from += metAtOnce) {
    const needs = met.slice(from, from + metAtOnce);
    const { entry } = await record(context, {
      task,
      call: { by: systemActor, dryRun },
      request: null,
      prepare: () => ({ command: { type: 'need-met', needs } }),
    });
    isNews ||= entry !== null;
  }
  return isNews;
}

/** Nothing will free the task by itself: a person has to decide. */
async function askAbout(
  context: Context,
  task: TaskId,
  lost: readonly LostNeed[],
  dryRun: boolean,
): Promise<Refreshed | undefined> {
  const recorded = await record(context, {
    task,
    call: { by: systemActor, dryRun },
    request: null,
    prepare: (state) => {
      // Amended meanwhile, or in somebody's hands: then it does not wait, or not for these.
      const unmet = new Set(state?.status === 'blocked' ? state.unmet : []);
      const waits = lost.filter(({ need }) => unmet.has(need));
      if (waits.length === 0) return { command: { type: 'need-met', needs: [] } };
      const told = waits.slice(0, toldMax).map(({ need, status }) => `${need} is ${status}`);
      const more = waits.length > toldMax ? `, and ${waits.length - toldMax} more` : '';
      const text = `What it waits for will not come: ${told.join(', ')}${more}.`;
      return { command: { type: 'escalate', reason: 'need-failed', text } };
    },
  });
  return recorded.entry === null ? undefined : 'escalated';
}

/** Lost needs that a person is told by name. */
const toldMax = 50;

/** As many as a call frees on its way; a completion that waited for 10,000 would not come back for seconds. */
const freedAtOnce = 64;

/**
 * After a task is over: free those that waited for it, or ask a person about them. What is left, because they are too many or
 * because this process dies, stands in the index, and the next agent that looks for work finds it there.
 */
export async function freeDependents(context: Context, need: TaskId): Promise<void> {
  const free = async (): Promise<void> => {
    const waits = await context.store.catalog.waits({ need, over: true, limit: freedAtOnce });
    // `recover` names those that are damaged.
    await refreshEach(context, waits, { passed: new Map() });
  };
  if (context.afterwards === undefined) await free();
  else context.afterwards.add(free);
}

/** Frees some of those that wait for anything that is over, and says whether there were any. */
export async function freeSome(context: Context, passed: PassedOver): Promise<boolean> {
  const waits = await context.store.catalog.waits({ over: true, limit: freedAtOnce });
  const { freed, escalated } = await refreshEach(context, waits, { passed });
  return freed.length + escalated.length > 0;
}

interface Trial {
  readonly dryRun?: boolean;
  readonly passed: PassedOver;
}

/** All of them, and also the blocked tasks that the index does not know. */
export async function freeAll(context: Context, trial: Trial): Promise<Record<Refreshed, TaskId[]>> {
  return await refreshEach(context, allOver(context, trial.passed), trial);
}

async function* allOver(context: Context, passed: PassedOver): AsyncGenerator<Pick<Waiting, 'task'>> {
  yield* waitsOver(context);
  yield* cardsWith(context, ['blocked'], { waitsForNone: true, passed });
}

async function* waitsOver(context: Context): AsyncGenerator<Waiting> {
  let after: Waiting | undefined;
  do {
    const page = await context.store.catalog.waits({ over: true, limit: pageSize, ...defined({ after }) });
    yield* page;
    after = page.at(-1);
  } while (after !== undefined);
}

/** Tasks whose needs are all met, though nobody has told them yet: an agent that asks for one is given it. Nothing is written. */
export async function* freeable(context: Context, passed: PassedOver): AsyncGenerator<TaskState> {
  const seen = new Set<TaskId>();
  for await (const { task } of waitsOver(context)) {
    if (seen.has(task)) continue;
    seen.add(task);
    const state = await passingOver(passed, task, async () => {
      const head = await context.store.journal.head(task);
      return head === undefined ? undefined : await stateAt(context, head);
    });
    if (state?.status !== 'blocked') continue;
    const { met } = await endedNeeds(context, state.unmet);
    if (met.length === state.unmet.length) yield state;
  }
}

async function refreshEach(
  context: Context,
  waits: AsyncIterable<Pick<Waiting, 'task'>> | Iterable<Waiting>,
  { dryRun = false, passed }: Trial,
): Promise<Record<Refreshed, TaskId[]>> {
  const refreshed: Record<Refreshed, TaskId[]> = { freed: [], escalated: [] };
  const seen = new Set<TaskId>();
  for await (const { task } of waits) {
    if (seen.has(task)) continue;
    seen.add(task);
    context.reached('done:needs-listed');
    const what = await passingOver(passed, task, async () => await refreshNeeds(context, task, dryRun));
    if (what !== undefined) refreshed[what].push(task);
  }
  return refreshed;
}

export async function* cardsWith(
  context: Context,
  statuses: readonly ListedCard['status'][],
  {
    passed,
    ...filters
  }: Pick<CardQuery, 'for' | 'holder' | 'oldestFirst' | 'waitsForNone' | 'offerBefore'> & {
    readonly passed?: PassedOver | undefined;
  } = {},
): AsyncGenerator<ListedCard> {
  let cursor: string | undefined;
  do {
    const page = await context.store.catalog.list({
      statuses,
      limit: pageSize,
      ...filters,
      ...passingCards(passed),
      ...defined({ cursor }),
    });
    yield* page.cards;
    cursor = page.next;
  } while (cursor !== undefined);
}
