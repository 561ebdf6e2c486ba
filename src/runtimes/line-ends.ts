/** The first and the last lines of a session file, for a list of sessions that reads no more than it must (RT2). */
import { codeOf, endsOf, type Ends } from './open-quietly.ts';

const headBytes = 16 * 1024;
const promptLengthMax = 200;
const newline = 10;

export interface LineFile {
  readonly path: string;
  readonly bytes: number;
  readonly isFile: boolean;
}

export interface EndRecords<T> {
  readonly records: readonly T[];
  /** Why no more than a pointer can be given. */
  readonly pointerOnly: string | null;
}

/** `recordOf` gives null for what is no record. */
export function endRecords<T>(
  file: LineFile,
  tailBytes: number,
  recordOf: (line: Buffer) => T | null,
): EndRecords<T> {
  const ends = readEnds(file, tailBytes);
  if (typeof ends === 'string') return { records: [], pointerOnly: ends };
  const records = linesAt(ends).flatMap((line) => recordOf(line) ?? []);
  if (file.bytes === 0) return { records, pointerOnly: 'It is empty.' };
  // The first record may be longer than what is read here.
  const isRecord = file.bytes > headBytes || records.length > 0;
  return { records, pointerOnly: isRecord ? null : 'None of its lines is a record.' };
}

/** The ends of the file, or why there are none. */
function readEnds({ path, isFile }: LineFile, tailBytes: number): Ends | string {
  if (!isFile) return 'It is not a file.';
  try {
    return endsOf(path, headBytes, tailBytes);
  } catch (error) {
    return codeOf(error) === 'ENOENT'
      ? 'It was deleted.'
      : `It cannot be read (${codeOf(error) ?? 'unknown'}).`;
  }
}

function linesAt({ head, tail, bytes }: Ends): Buffer[] {
  return bytes <= head.length ? linesIn(head) : [...linesIn(head).slice(0, -1), ...linesIn(tail).slice(1)];
}

function linesIn(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let from = 0;
  for (let to = bytes.indexOf(newline); to >= 0; to = bytes.indexOf(newline, from)) {
    lines.push(bytes.subarray(from, to));
    from = to + 1;
  }
  return [...lines, bytes.subarray(from)];
}

export function firstOf<T, V>(records: readonly T[], get: (record: T) => V | null): V | null {
  for (const record of records) {
    const value = get(record);
    if (value !== null) return value;
  }
  return null;
}

/** A prompt as a list of sessions shows it; null where it says nothing. */
export function promptLine(text: string): string | null {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line === '') return null;
  return line.length > promptLengthMax ? `${line.slice(0, promptLengthMax - 1).toWellFormed()}…` : line;
}
