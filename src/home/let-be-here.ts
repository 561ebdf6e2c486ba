/** Failed tasks that a person lets be, on this machine: nothing happens to a task that is over, so its journal cannot say it. An empty file for each. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { TaskId } from '../core/journal/id.ts';
import type { Store } from '../ports/store.ts';
import { writePrivate } from '../process/private-file.ts';
import { homeOf } from './home.ts';

export interface LetBe {
  readonly has: (task: TaskId) => boolean;
  readonly note: (task: TaskId) => void;
}

const known = new WeakMap<object, Set<TaskId>>();

/** In a store that ends with the process, they do so too. */
export function letBeHere(store: Pick<Store, 'address'>): LetBe {
  const folder = homeOf(store.address)?.letBe;
  if (folder !== undefined)
    return {
      has: (task) => existsSync(join(folder, task)),
      note: (task) => writePrivate(join(folder, task), ''),
    };
  const own = known.get(store) ?? new Set();
  known.set(store, own);
  return { has: (task) => own.has(task), note: (task) => void own.add(task) };
}
