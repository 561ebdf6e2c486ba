import type { TaskId } from '../../core/journal/id.ts';
import type { Context } from '../../handoff/record/context.ts';
import { resolveTask } from '../../handoff/record/load.ts';
import { UsageError } from '../frame/usage.ts';

/** Tasks by their ids or beginnings of them. One that is named twice is a slip: another was meant. */
export async function resolvedNeeds(context: Context, given: readonly string[]): Promise<TaskId[]> {
  const tasks: TaskId[] = [];
  for (const each of given) {
    const task = await resolveTask(context, each);
    if (tasks.includes(task))
      throw new UsageError(`Task ${task} is named twice.`, 'Name each task that is needed once.');
    tasks.push(task);
  }
  return tasks;
}
