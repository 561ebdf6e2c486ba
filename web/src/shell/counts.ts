/** How much waits for a person, shown beside the links to it. */
import { signal } from '@preact/signals';
import type { TaskList } from '../../../src/server/contract.ts';
import { get } from '../api/client.ts';
import { onChange, onOpening } from '../api/live.ts';

export const counts = signal<{ readonly reviews?: number; readonly attention?: number }>({});

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
    counts.value = {
      reviews: submitted.tasks.length,
      attention: stopped.tasks.length + silent.tasks.length,
    };
  } catch {
    // Shown where it matters: the pages themselves ask too.
  }
}
