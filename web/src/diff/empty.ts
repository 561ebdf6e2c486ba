import type { FileDiff } from '../../../src/core/diff/parse.ts';

/** What is said of a file in place of lines, where there are none to show. */
export function emptyWords({
  binary,
  status,
  oldMode,
  newMode,
  rest,
}: Pick<FileDiff, 'binary' | 'status' | 'oldMode' | 'newMode' | 'rest'>): string {
  if (binary) return 'A binary file: its content is not shown.';
  if (rest.length > 0) return `Not shown: ${rest[0]?.text ?? ''}`;
  const mode = oldMode !== newMode && oldMode !== null && newMode !== null;
  if (status === 'copied') return mode ? 'A copy; only its mode is another.' : 'A copy without changes.';
  const changed = [...(status === 'renamed' ? ['name'] : []), ...(mode ? ['mode'] : [])];
  return changed.length === 0 ? 'An empty file.' : `Only its ${changed.join(' and ')} changed.`;
}
