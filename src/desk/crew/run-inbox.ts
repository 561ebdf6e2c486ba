/** What waits for a person in a store, of single tasks and of runs, and which tasks need one: lists, pages and the inbox ask here. */
import type { TaskId } from '../../core/journal/id.ts';
import { letBeHere } from '../../home/let-be-here.ts';
import type { Context } from '../../handoff/record/context.ts';
import { inboxOf, inboxOrder, type GoesOnIn, type InboxItem } from '../../handoff/views/inbox.ts';
import { programAfter } from '../sessions/installed-programs.ts';
import { runsGoing } from './crew-runs.ts';
import type { RunAsks } from './run-asks.ts';
import type { RunsNow } from './run-now.ts';

export interface WholeInbox {
  readonly items: readonly InboxItem[];
  /** The tasks that need a person, runs among them. What failed is over: it is told, and calls for nobody. */
  readonly needing: ReadonlySet<TaskId>;
}

/** `programs`: coding agents that can be started here; commands name one of them. */
export async function wholeInbox(
  context: Context,
  runs?: RunsNow,
  programs: readonly string[] = [],
): Promise<WholeInbox> {
  const goesOnIn: GoesOnIn = ({ agent, isSpent }) => programAfter(agent, programs, { isSpent });
  const isLetBe = letBeHere(context.store).has;
  const found = (await inboxOf(context, goesOnIn)).filter(
    ({ kind, task }) => kind !== 'failed' || !isLetBe(task),
  );
  const told = new Set(found.map(({ task }) => task));
  const ofRuns = await asksIn(context, runs);
  // Who supervises the run goes on with it; where nobody does, the run itself is what was left.
  const items = found.filter(({ kind, task }) => kind !== 'left' || ofRuns?.watches(task) !== true);
  const all = [...items, ...(ofRuns?.items ?? []).filter(({ task }) => !told.has(task))].toSorted(inboxOrder);
  const calling = all.filter(({ kind }) => kind !== 'failed').map(({ task }) => task);
  return { items: all, needing: new Set([...calling, ...(ofRuns?.asking ?? [])]) };
}

/** All that working out a run takes is loaded where there is one. */
async function asksIn(context: Context, runs: RunsNow | undefined): Promise<RunAsks | undefined> {
  if (runs === undefined && (await runsGoing(context)).length === 0) return undefined;
  const { asksOfRuns } = await import('./run-asks.ts');
  return await asksOfRuns(context, runs);
}
