/** How much waits for a person, shown beside the links to it. */
import { signal } from '@preact/signals';
import type { TaskList } from '../../../src/server/contract/contract.ts';
import { get } from '../api/client.ts';
import { onChange, onOpening } from '../api/live.ts';
import { atLeast } from '../parts/said.ts';

/** Nothing is said of nothing. */
export const counts = signal<{
  readonly reviews?: string | undefined;
  readonly attention?: string | undefined;
}>({});

const everyMs = 2000;
let timer: ReturnType<typeof setTimeout> | undefined;

export function followCounts(): void {
  onChange(later);
  onOpening(later);
  void count();
}

function later(): void {
  timer ??= setTimeout(() => {
    timer = undefined;
    void count();
  }, everyMs);
}

async function count(): Promise<void> {
  try {
    const [submitted, stopped, silent] = await Promise.all([
      get<TaskList>('/api/tasks', { status: ['submitted'], limit: 100 }),
      // What failed is over, and stands on the page without calling for anybody.
      get<TaskList>('/api/tasks', { status: ['escalated', 'lapsed', 'declined'], limit: 100 }),
      get<TaskList>('/api/tasks', { status: ['held'], lapsed: true, limit: 100 }),
    ]);
    counts.value = { reviews: countOf(submitted), attention: countOf(stopped, silent) };
  } catch {
    // Shown where it matters: the pages themselves ask too.
  }
}

function countOf(...lists: readonly TaskList[]): string | undefined {
  const count = lists.reduce((sum, { tasks }) => sum + tasks.length, 0);
  return count === 0
    ? undefined
    : atLeast(
        count,
        lists.some(({ next }) => next !== null),
      );
}
