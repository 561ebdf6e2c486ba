/** What waits for a person in a store: of single tasks, and of runs what only the whole of one shows. */
import type { PlanWait } from '../../core/plan/plan-wait.ts';
import { needsOf, RunsNow, startsWith, type RunNow } from './run-now.ts';
import type { Context } from '../../handoff/record/context.ts';
import { inboxOf, inboxOrder, type InboxItem } from '../../handoff/views/inbox.ts';

/** Of one run. What is left is told on its page. */
const itemsMax = 100;

export async function wholeInbox(
  context: Context,
  runs = new RunsNow(context),
): Promise<readonly InboxItem[]> {
  const items = await inboxOf(context);
  const told = new Set(items.map(({ task }) => task));
  const going = await runs.going();
  // Who supervises the run goes on with it; where nobody does, the run itself is what was left.
  const isTheirs = ({ kind, task }: InboxItem): boolean =>
    kind === 'left' && going.some(({ watch }) => watch.has(task));
  const ofRuns = going.flatMap(runInbox).filter(({ task }) => !told.has(task));
  return [...items.filter((item) => !isTheirs(item)), ...ofRuns].toSorted(inboxOrder);
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
