/**
 * A unified diff as git writes it, read into files, hunks and lines. Nothing of the text is lost: `textOf` gives it back to the
 * character, whatever it was. A hunk ends when it has as many lines as its header says, so that no content can pass for a header.
 *
 * The head of a file is kept as it stands. What is no hunk after it, such as a binary patch, is kept as `rest`. A text that ends
 * early leaves its last hunk short, and `cut` says so.
 */
import { bare, namesInHeader, unquoteName } from './quoted.ts';

/** `' '` is on both sides. An empty mark is a line of context whose blank somebody took away. */
export type Mark = ' ' | '+' | '-' | '';

export interface DiffLine {
  readonly mark: Mark;
  readonly text: string;
  /** Null on the side that does not have it. */
  readonly old: number | null;
  readonly new: number | null;
  /** The remark after it that there is no line end, as it stands. */
  noEnd?: string;
  /** The line that it replaces, or that replaces it. */
  pair?: DiffLine;
  /** In a file of CRLF: it ends like the others, or it is new and ends with LF alone. */
  end?: 'usual' | 'bare';
}

export interface Hunk {
  /** All of it, with the ranges. */
  readonly header: string;
  /** What follows the ranges: the function it is in, mostly. */
  readonly about: string;
  readonly lines: DiffLine[];
  /** The text ended before it did. */
  cut: boolean;
}

export type FileStatus = 'modified' | 'added' | 'deleted' | 'renamed' | 'copied';

export interface FileDiff {
  path: string;
  /** Where a renamed or copied file came from. */
  from: string | null;
  status: FileStatus;
  oldMode: string | null;
  newMode: string | null;
  /** Per cent; null where git did not say. */
  similarity: number | null;
  binary: boolean;
  added: number;
  removed: number;
  /** Every line that was there before ended with CR and LF; of a new file, every line does. */
  crlf: boolean;
  readonly head: string[];
  readonly hunks: Hunk[];
  /** Lines after the head that are no hunk, and how many hunks come before them. */
  readonly rest: { readonly after: number; readonly text: string }[];
}

export interface ParsedDiff {
  /** Lines before the first file. */
  readonly before: readonly string[];
  readonly files: readonly FileDiff[];
  readonly cut: boolean;
  /** The last line had an end. */
  readonly ended: boolean;
}

const hunkHeader = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@(.*)$/s;

export function parseDiff(text: string): ParsedDiff {
  const before: string[] = [];
  const files: FileDiff[] = [];
  let hunk: Open | undefined;
  let ended = true;
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end === -1 ? text.length : end);
    at = end === -1 ? text.length : end + 1;
    ended = end !== -1;
    if (hunk !== undefined && takeLine(hunk, line)) continue;
    hunk = undefined;
    const file = files.at(-1);
    if (line.startsWith('diff --')) files.push(newFile(line));
    else if (file === undefined) before.push(line);
    else {
      const opened = openHunk(line);
      if (opened !== undefined) {
        hunk = opened;
        file.hunks.push(opened.hunk);
      } else if (file.hunks.length > 0 || file.rest.length > 0 || !takeHead(file, line))
        file.rest.push({ after: file.hunks.length, text: line });
    }
  }
  for (const file of files) finish(file);
  const cut = files.some(({ hunks }) => hunks.some((one) => one.cut)) || (!ended && text !== '');
  return { before, files, cut, ended };
}

interface Open {
  readonly hunk: Hunk;
  old: number;
  new: number;
  oldLeft: number;
  newLeft: number;
}

function openHunk(line: string): Open | undefined {
  const match = hunkHeader.exec(line);
  if (match === null) return undefined;
  const [, old, oldCount = '1', now, newCount = '1', about = ''] = match;
  return {
    hunk: { header: line, about: about.trim(), lines: [], cut: Number(oldCount) + Number(newCount) > 0 },
    old: Number(old),
    new: Number(now),
    oldLeft: Number(oldCount),
    newLeft: Number(newCount),
  };
}

/** False where the hunk is over. */
function takeLine(open: Open, line: string): boolean {
  const { lines } = open.hunk;
  const last = lines.at(-1);
  if (line.startsWith('\\') && last !== undefined && last.noEnd === undefined) {
    last.noEnd = line;
    return true;
  }
  const mark = markOf(line);
  if (mark === undefined) return false;
  const [isOld, isNew] = [mark !== '+', mark !== '-'];
  if ((isOld && open.oldLeft === 0) || (isNew && open.newLeft === 0)) return false;
  lines.push({ mark, text: line.slice(1), old: isOld ? open.old : null, new: isNew ? open.new : null });
  if (isOld) {
    open.old += 1;
    open.oldLeft -= 1;
  }
  if (isNew) {
    open.new += 1;
    open.newLeft -= 1;
  }
  open.hunk.cut = open.oldLeft + open.newLeft > 0;
  return true;
}

function markOf(line: string): Mark | undefined {
  const first = line[0];
  if (first === undefined) return '';
  return first === ' ' || first === '+' || first === '-' ? first : undefined;
}

function newFile(line: string): FileDiff {
  const names = line.startsWith('diff --git ') ? namesInHeader(line) : undefined;
  return {
    path: names?.new ?? unquoteName(line.replace(/^diff --\w+ /, '')),
    from: null,
    status: 'modified',
    oldMode: null,
    newMode: null,
    similarity: null,
    binary: false,
    added: 0,
    removed: 0,
    crlf: false,
    head: [line],
    hunks: [],
    rest: [],
  };
}

/** Each line of a head, by how it begins. */
const heads: readonly (readonly [string, (file: FileDiff, value: string) => void])[] = [
  ['old mode ', (file, value) => (file.oldMode = value)],
  ['new mode ', (file, value) => (file.newMode = value)],
  ['deleted file mode ', (file, value) => Object.assign(file, { status: 'deleted', oldMode: value })],
  ['new file mode ', (file, value) => Object.assign(file, { status: 'added', newMode: value })],
  ['similarity index ', (file, value) => (file.similarity = Number.parseInt(value, 10))],
  ['dissimilarity index ', () => {}],
  ['rename from ', (file, value) => Object.assign(file, { status: 'renamed', from: unquoteName(value) })],
  ['rename to ', (file, value) => (file.path = unquoteName(value))],
  ['copy from ', (file, value) => Object.assign(file, { status: 'copied', from: unquoteName(value) })],
  ['copy to ', (file, value) => (file.path = unquoteName(value))],
  ['index ', withMode],
  ['--- ', (file, value) => nameFile(file, value, file.status === 'deleted')],
  ['+++ ', (file, value) => nameFile(file, value, file.status !== 'deleted')],
  ['Binary files ', (file) => (file.binary = true)],
  ['GIT binary patch', (file) => (file.binary = true)],
];

function takeHead(file: FileDiff, line: string): boolean {
  const known = heads.find(([begin]) => line.startsWith(begin));
  if (known === undefined) return false;
  const [begin, take] = known;
  file.head.push(line);
  take(file, line.slice(begin.length));
  return true;
}

/** `index 12ab..34cd 100644`: the mode is there where it stays the same. */
function withMode(file: FileDiff, value: string): void {
  const mode = / (\d{6})$/.exec(value)?.[1];
  if (mode === undefined) return;
  file.oldMode ??= mode;
  file.newMode ??= mode;
}

function nameFile(file: FileDiff, value: string, counts: boolean): void {
  // A name with a blank in it has a tab after it.
  const name = value.replace(/\t$/, '');
  if (counts && name !== '/dev/null' && file.from === null) file.path = bare(unquoteName(name));
}

function finish(file: FileDiff): void {
  for (const { lines } of file.hunks) {
    for (const { mark } of lines) {
      if (mark === '+') file.added += 1;
      if (mark === '-') file.removed += 1;
    }
    pairUp(lines);
  }
  markEnds(file);
}

/** A file that always had CR at its line ends says nothing by having it still. What is shown then is where that changed. */
function markEnds(file: FileDiff): void {
  const lines = file.hunks.flatMap((hunk) => hunk.lines);
  const before = lines.filter(({ mark }) => mark !== '+');
  const whole = (before.length > 0 ? before : lines).filter(({ noEnd }) => noEnd === undefined);
  file.crlf = whole.length > 0 && whole.every(hasCr);
  if (!file.crlf) return;
  for (const line of lines) {
    if (hasCr(line)) {
      if (line.pair === undefined || hasCr(line.pair)) line.end = 'usual';
    } else if (line.mark === '+' && line.noEnd === undefined) line.end = 'bare';
  }
}

function hasCr({ text }: DiffLine): boolean {
  return text.endsWith('\r');
}

/** Of removed lines that added ones follow, the first belongs to the first, and so on. */
function pairUp(lines: readonly DiffLine[]): void {
  for (let at = 0; at < lines.length;) {
    const removed = runOf(lines, at, '-');
    const added = runOf(lines, at + removed, '+');
    for (let n = 0; n < Math.min(removed, added); n += 1) {
      const [old, now] = [lines[at + n], lines[at + removed + n]];
      if (old === undefined || now === undefined) continue;
      old.pair = now;
      now.pair = old;
    }
    at += Math.max(removed + added, 1);
  }
}

function runOf(lines: readonly DiffLine[], from: number, mark: Mark): number {
  let count = 0;
  while (lines[from + count]?.mark === mark) count += 1;
  return count;
}
