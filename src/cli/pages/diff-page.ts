/**
 * The diff of a packet at a terminal. The number before each line is what `review --comment PATH:LINE` takes: that of the new file, or,
 * with a minus before it, that of the old file for a line that was removed.
 */
import { counted } from '../../core/base/counted.ts';
import type { FileDiff, Hunk, DiffLine } from '../../core/diff/parse.ts';
import { printable } from '../../core/base/sanitize.ts';
import { line, type Paint } from '../frame/output.ts';

/** Wide enough for the last line of nearly every file. */
const numberWidth = 6;

const statusWords: Readonly<Record<FileDiff['status'], string>> = {
  modified: '',
  added: 'new',
  deleted: 'deleted',
  renamed: 'renamed',
  copied: 'copied',
};

/** Its name and what became of it, in one line. */
export function fileLine(file: FileDiff, paint: Paint): string {
  const { path, from, status, oldMode, newMode, binary } = file;
  const name = paint.bold(from === null ? line(path) : `${line(from)} → ${line(path)}`);
  const modes = oldMode !== null && newMode !== null && oldMode !== newMode;
  return [
    name,
    statusWords[status],
    binary ? 'binary' : numbers(file, paint),
    modes ? `mode ${line(oldMode)} → ${line(newMode)}` : '',
  ]
    .filter((part) => part !== '')
    .join('  ');
}

function numbers({ added, removed }: FileDiff, paint: Paint): string {
  return [
    ...(added === 0 ? [] : [paint.good(`+${added}`)]),
    ...(removed === 0 ? [] : [paint.bad(`-${removed}`)]),
  ].join(' ');
}

export function totalLine(files: readonly FileDiff[]): string {
  const sum = (of: 'added' | 'removed'): number => files.reduce((all, file) => all + file[of], 0);
  return `${counted(files.length, 'file')}, ${counted(sum('added'), 'line')} added, ${sum('removed')} removed`;
}

/** Line by line, so that a long one can be written as it is made. */
export function* fileLines(file: FileDiff, paint: Paint): Generator<string> {
  yield fileLine(file, paint);
  const said = restWords(file);
  if (said !== '') yield paint.dim(said);
  for (const hunk of file.hunks) yield* hunkLines(hunk, paint);
}

/** What is no hunk cannot be judged line by line. */
function restWords({ binary, status, hunks, rest }: FileDiff): string {
  if (binary) return 'Its content is not text, and is not shown.';
  if (hunks.length === 0)
    return status === 'added' || status === 'deleted' ? 'It is empty.' : 'No line of its content changed.';
  return rest.length === 0
    ? ''
    : `${counted(rest.length, 'line')} of the diff could not be read as a change.`;
}

function* hunkLines({ header, lines, cut }: Hunk, paint: Paint): Generator<string> {
  yield paint.dim(printable(header));
  for (const one of lines) {
    yield lineText(one, paint);
    if (one.noEnd !== undefined) yield paint.dim(`${' '.repeat(numberWidth)} ${printable(one.noEnd)}`);
  }
  if (cut) yield paint.warn('The diff ends here, in the middle of a change.');
}

function lineText({ mark, text, old, new: now }: DiffLine, paint: Paint): string {
  const number = (mark === '-' ? `-${old ?? ''}` : String(now ?? '')).padStart(numberWidth);
  const shown = `${mark === '' ? ' ' : mark} ${printable(text)}`;
  const painted = mark === '+' ? paint.good(shown) : mark === '-' ? paint.bad(shown) : shown;
  return `${paint.dim(number)} ${painted}`;
}
