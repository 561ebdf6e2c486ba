/** One damaged task must not stop the others: a caller that goes through many passes it over, remembers it, and says so at the end. */
import { isStaffettaError, type StaffettaError } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';

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

/** For lists: a card that is damaged is passed over as its task would be. Without a place to remember it, it is thrown. */
export function passingCards(passed: PassedOver | undefined): {
  readonly onDamaged?: (damaged: DamagedTask) => void;
} {
  if (passed === undefined) return {};
  return {
    onDamaged(damaged) {
      if (!passed.has(damaged.task)) passed.set(damaged.task, damaged);
    },
  };
}
