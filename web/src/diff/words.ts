/** Which words of a changed line changed. Bounded: past these, the whole line counts as changed. */
import { diffWordsWithSpace } from 'diff';
import type { DiffLine } from '../../../src/core/diff/parse.ts';

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** With these the slowest pair that was tried took 4 ms; with twice the characters and four times the edits, 50 ms. */
const charsMax = 1000;
const editsMax = 50;
/** Of a line that is mostly another one, marks would say nothing. */
const sameMin = 0.3;

const known = new WeakMap<DiffLine, readonly Range[]>();

export function changedWords(line: DiffLine): readonly Range[] {
  if (line.pair === undefined) return [];
  const found = known.get(line);
  if (found !== undefined) return found;
  const [old, now] = line.mark === '-' ? [line, line.pair] : [line.pair, line];
  const ranges = wordRanges(old.text, now.text);
  known.set(old, ranges.old);
  known.set(now, ranges.new);
  return line === old ? ranges.old : ranges.new;
}

export function wordRanges(
  old: string,
  now: string,
): { readonly old: readonly Range[]; readonly new: readonly Range[] } {
  const none = { old: [], new: [] };
  if (old.length > charsMax || now.length > charsMax) return none;
  const changes = diffWordsWithSpace(old, now, { maxEditLength: editsMax });
  if (changes === undefined) return none;
  const ranges: { readonly old: Range[]; readonly new: Range[] } = { old: [], new: [] };
  const at = { old: 0, new: 0 };
  let same = 0;
  for (const { value, added, removed } of changes) {
    const side = added ? 'new' : 'old';
    const { length } = value;
    if (added || removed) ranges[side].push({ from: at[side], to: at[side] + length });
    else same += value.trim().length;
    if (!added) at.old += length;
    if (!removed) at.new += length;
  }
  const longer = Math.max(old.trim().length, now.trim().length);
  return longer > 0 && same / longer < sameMin ? none : ranges;
}
