/** Who opens the tasks of a run, and under which ids: starting the same run again, from anywhere, finds the same tasks. */
import { taskIdForKey, type TaskId } from '../core/journal/id.ts';
import type { Actor } from '../core/task/actor.ts';

export const crewActor: Actor = { name: 'crew', kind: 'agent', lane: 'supervise' };

export function runKey(run: string): string {
  return `run/${run}`;
}

export function runId(run: string): TaskId {
  return taskIdForKey(crewActor.name, runKey(run));
}

export function plannedKey(run: string, task: string): string {
  return `run/${run}/${task}`;
}

/** The run that such a key names. */
export function runInKey(key: string): string | undefined {
  return /^run\/([^/]+)/.exec(key)?.[1];
}

export function plannedId(run: string, task: string): TaskId {
  return taskIdForKey(crewActor.name, plannedKey(run, task));
}
