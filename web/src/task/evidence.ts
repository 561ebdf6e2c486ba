/** Where what a claim rests on can be looked at. */
import type { Place } from '../shell/place.ts';

type TaskPlace = Extract<Place, { page: 'task' }>;

/** Undefined for a name of no known kind. */
export function evidencePlace(task: string, id: string): TaskPlace | undefined {
  if (/^s\d+$/.test(id)) return { page: 'task', task, view: 'history', at: id };
  if (/^[jrd]\d+$/.test(id)) return { page: 'task', task, view: 'journal', at: id };
  if (!id.startsWith('file:')) return undefined;
  // A place in a file is named by its lines; the diff is by files.
  const path = id.slice('file:'.length).replace(/(?::\d+(?:-\d+)?)+$/, '');
  return { page: 'task', task, view: 'diff', at: path };
}

export function evidenceWords(id: string): string {
  const kinds: Readonly<Record<string, string>> = {
    s: 'Step of the reasoning',
    j: 'Entry of the journal',
    r: 'Run',
    d: 'Decision',
  };
  return id.startsWith('file:')
    ? `File ${id.slice(5)}`
    : `${kinds[id[0] ?? ''] ?? 'Evidence'} ${id.slice(1)}`;
}
