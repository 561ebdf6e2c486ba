/** How far the work is, as it is told from one place to the next. */
import { defined } from '../core/base/defined.ts';
import type { ProgressMoved } from '../core/files/notes.ts';
import type { TaskState } from '../core/task/state.ts';

/** The whole and its unit are the same at every place, unless told; a cursor is only of its own. */
export function movedFrom(
  known: TaskState['progress'],
  { of, unit, ...moved }: ProgressMoved,
): ProgressMoved {
  const whole = of ?? known?.of ?? undefined;
  const isBeyond = whole !== undefined && moved.at > whole;
  return {
    ...moved,
    ...defined({ of: isBeyond ? undefined : whole, unit: unit ?? known?.unit ?? undefined }),
  };
}

/** What is on record is no news, and a file that nobody has kept up is behind it. */
export function isFurtherOn(known: TaskState['progress'], { at, of, unit, cursor }: ProgressMoved): boolean {
  if (known === null || at !== known.at) return at > (known?.at ?? -1);
  const { of: whole, unit: before, cursor: stood } = known;
  return (of ?? whole) !== whole || (unit ?? before) !== before || (cursor ?? stood) !== stood;
}
