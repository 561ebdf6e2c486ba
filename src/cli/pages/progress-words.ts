import type { TaskState } from '../../core/task/state.ts';
import { line } from '../frame/output.ts';

/** `730000 of 1000000 rows (73 %)`. */
export function progressWords({ at, of, unit }: NonNullable<TaskState['progress']>): string {
  const whole = of === null ? '' : ` of ${of}`;
  const share = of === null || of === 0 ? '' : ` (${Math.floor((at / of) * 100)} %)`;
  return `${at}${whole}${unit === null ? '' : ` ${unit}`}${share}`;
}

/** After a sentence about the task: where it goes on, if that is known. */
export function placeWords({ progress }: TaskState): string {
  if (progress === null) return '';
  const cursor = progress.cursor === null ? '' : `, with ${line(progress.cursor)}`;
  return ` It goes on at ${line(progressWords(progress))}${cursor}.`;
}
