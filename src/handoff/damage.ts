/** One damaged task must not stop the others: whoever goes through many passes it over, remembers it, and says so at the end. */
import { isStaffettaError, type StaffettaError } from '../core/error.ts';
import type { TaskId } from '../core/id.ts';

export interface DamagedTask {
  readonly task: TaskId;
  readonly why: string;
}

/** What was passed over, each task once. */
export type PassedOver = Map<TaskId, DamagedTask>;

export function isDamage(error: unknown): error is StaffettaError {
  return isStaffettaError(error, 'corrupt') || isStaffettaError(error, 'blob-missing');
}

/** Undefined where the task is damaged. */
export async function passingOver<T>(
  passed: PassedOver,
  task: TaskId,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!isDamage(error)) throw error;
    if (!passed.has(task)) passed.set(task, { task, why: error.message });
    return undefined;
  }
}
