/** What the runs of a store ask of a person, as items of the inbox. */
import type { TaskId } from '../../core/journal/id.ts';
import type { PlanWait } from '../../core/plan/plan-wait.ts';
import type { Context } from '../../handoff/record/context.ts';
import type { InboxItem } from '../../handoff/views/inbox.ts';
import { askingIn, needsOf, RunsNow, startsWith, type RunNow } from './run-now.ts';

/** Of one run. What is left is told on its page. */
const itemsMax = 100;

export interface RunAsks {
  readonly items: readonly InboxItem[];
  readonly asking: readonly TaskId[];
  /** Whether it is a task of a run that is going. */
  readonly watches: (task: TaskId) => boolean;
}

export async function asksOfRuns(context: Context, runs = new RunsNow(context)): Promise<RunAsks> {
  const going = await runs.going();
  return {
    items: going.flatMap(itemsOf),
    asking: going.flatMap(askingIn),
    watches: (task) => going.some(({ watch }) => watch.has(task)),
  };
}

function itemsOf(now: RunNow): InboxItem[] {
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
