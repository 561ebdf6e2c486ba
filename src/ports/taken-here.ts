import type { TaskId } from '../core/journal/id.ts';

/** Tasks that were taken for work in one folder, as this machine has noted them. A note may be missing or old: nothing depends on one. */
export interface TakenHere {
  note(task: TaskId): void;
  forget(task: TaskId): void;
  /** Without this one; the newest, and not many. */
  others(than: TaskId): readonly TaskId[];
}
