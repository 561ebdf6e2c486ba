import type { TaskState } from '../../core/task/state.ts';

/** `730000 of 1000000 rows (73 %)`. */
export function progressWords({ at, of, unit }: NonNullable<TaskState['progress']>): string {
  const whole = of === null ? '' : ` of ${of}`;
  const share = of === null || of === 0 ? '' : ` (${Math.floor((at / of) * 100)} %)`;
  return `${at}${whole}${unit === null ? '' : ` ${unit}`}${share}`;
}
