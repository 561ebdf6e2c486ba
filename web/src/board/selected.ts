/** The tasks that something is to be done with together. */
import { signal } from '@preact/signals';

export const selected = signal<ReadonlySet<string>>(new Set());

export function toggle(task: string): void {
  const next = new Set(selected.peek());
  if (!next.delete(task)) next.add(task);
  selected.value = next;
}
