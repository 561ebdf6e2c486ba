/** What waits for a person in a store, of single tasks and of runs, and which tasks need one: lists, pages and the inbox ask here. */
import type { PlanWait } from '../../core/plan/plan-wait.ts';
import { askingIn, needsOf, RunsNow, startsWith, type RunNow } from './run-now.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { letBeHere } from '../../home/let-be-here.ts';
import type { Context } from '../../handoff/record/context.ts';
import { inboxOf, inboxOrder, type InboxItem } from '../../handoff/views/inbox.ts';

/** Of one run. What is left is told on its page. */
const itemsMax = 100;

export interface WholeInbox {
  readonly items: readonly InboxItem[];
  /** The tasks that need a person, runs among them. What failed is over: it is told, and calls for nobody. */
  readonly needing: ReadonlySet<TaskId>;
}

export async function wholeInbox(context: Context, runs = new RunsNow(context)): Promise<WholeInbox> {
  const isLetBe = letBeHere(context.store).has;
  const found = (await inboxOf(context)).filter(({ kind, task }) => kind !== 'failed' || !isLetBe(task));
  const told = new Set(found.map(({ task }) => task));
  const going = await runs.going();
  // Who supervises the run goes on with it; where nobody does, the run itself is what was left.
  const isTheirs = ({ kind, task }: InboxItem): boolean =>
    kind === 'left' && going.some(({ watch }) => watch.has(task));
  const items = found.filter((item) => !isTheirs(item));
  const ofRuns = going.flatMap(runInbox).filter(({ task }) => !told.has(task));
  const all = [...items, ...ofRuns].toSorted(inboxOrder);
  const calling = all.filter(({ kind }) => kind !== 'failed').map(({ task }) => task);
  return { items: all, needing: new Set([...calling, ...going.flatMap(askingIn)]) };
}

function runInbox(now: RunNow): InboxItem[] {
  const { state, watch } = now;
  return needsOf(now)
    .slice(0, itemsMax)
    .map(({ task, id, on, text, command }) => ({
      kind: kindOf(on),
      task: id,
      title: task.title ?? task.goal,
      status: watch.statuses.get(task.name) ?? 'open',
      text: `${task.name} of the run ${now.document.name} ${text}`,
      since: state.updatedAt,
      command,
      others: [`staffetta cancel ${id} --why WHY`],
      ...(on === 'start' ? { to: startsWith(task) } : {}),
    }));
}

function kindOf(on: PlanWait['on']): InboxItem['kind'] {
  return on === 'start' ? 'start' : on === 'person' ? 'escalated' : 'give';
}
