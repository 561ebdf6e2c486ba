/**
 * What was said in a session last and how often it was spoken to (RT14): what its steps say, without making all of them. Lines that
 * are neither by a person nor near the end are skimmed. Where that leaves a doubt about the last message, all is read.
 */
import { lastSaid, toldOf, type Told } from '../../core/transcript/told.ts';
import type { Step } from '../../core/transcript/step.ts';
import type { SessionPlace } from '../../ports/runtime.ts';
import { capturedLineMax } from '../capture-lines.ts';
import { allOf } from '../open-quietly.ts';
import { RecordReader } from './read/read.ts';
import { leftOut, recordIn, recordOf, type Fields } from './read/schema.ts';
import { skim } from './read/skim.ts';

/** So many lines at the end are read: a message is mostly among the first few, and seldom before many. */
const linesRead = [4, 40, Number.POSITIVE_INFINITY];

export function tellSession({ path }: SessionPlace): Told {
  const bytes = allOf(path);
  const text = bytes.toString('latin1');
  // A last line without its end is not taken, as it is not captured.
  const ends: number[] = [];
  for (let to = text.indexOf('\n'); to >= 0; to = text.indexOf('\n', to + 1)) ends.push(to);
  for (const count of linesRead) {
    const steps = stepsOf({ bytes, text, ends }, Math.max(0, ends.length - count));
    if (steps !== null) return toldOf(steps);
  }
  return toldOf([]);
}

interface Lines {
  readonly bytes: Buffer;
  /** A character for each byte. */
  readonly text: string;
  readonly ends: readonly number[];
}

/** Null where the last message may be in what was skimmed. */
function stepsOf({ bytes, text, ends }: Lines, readFrom: number): readonly Step[] | null {
  const reader = new RecordReader();
  let from = 0;
  let place = 0;
  let readPlace = 0;
  for (const [index, to] of ends.entries()) {
    const isRead = index >= readFrom;
    if (index === readFrom) readPlace = place;
    const line = text.slice(from, to);
    const skimmed = skim(line);
    if (skimmed !== null && (skimmed.type === 'user' || !isRead)) reader.pass(skimmed);
    else if (line.length <= capturedLineMax && !isRequestLog(line)) {
      // Only of what is read the words matter; the others keep their bytes.
      const isPlain = !isRead && line.startsWith('{');
      const record = isPlain ? recordIn(line) : recordOf(bytes.subarray(from, to));
      if (!isLeftOut(record)) reader.takeRecord(record, place);
    }
    from = to + 1;
    place += 1;
  }
  const { steps } = reader.transcript();
  if (readFrom === 0) return steps;
  const last = lastSaid(steps);
  return last === undefined || last.record < readPlace || reader.isUnsure(last.record) ? null : steps;
}

/** The log repeats everything that was sent, and is most of a session that has it. */
function isRequestLog(line: string): boolean {
  return line.startsWith('{"type":"api-request"') || line.startsWith('{"type":"api-request-');
}

function isLeftOut(record: Fields | null): boolean {
  return record !== null && leftOut(record) !== null;
}
