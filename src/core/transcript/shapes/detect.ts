/**
 * A transcript that somebody gave, told by its shape. It is a JSON list of messages, an object that has one, a document of ATIF,
 * or a JSON object a line. Every message is asked by every shape whether it fits; the shape wins that is sure of most of them. A
 * message that any shape would take (a role and a text) reads the same in all.
 *
 * Nothing that bytes hold makes it throw. A document of more than 64 MiB is not taken apart; of lines, those of more than
 * 32 MiB are left out and counted.
 */
import { isAtif, readAtif } from '../atif-read.ts';
import { fieldsOf, listIn, partIn, textAt, textIn, type Fields } from '../loose-json.ts';
import { bareFacts } from '../bare-facts.ts';
import { StepList } from '../step-list.ts';
import type { Transcript } from '../step.ts';
import { fitsAiSdk, readAiSdk } from './ai-sdk.ts';
import type { Fit } from './fit.ts';
import { fitsLangChain, readLangChain } from './langchain.ts';
import { fitsOpenAiAgents, itemsOfRun, readOpenAiAgents } from './openai-agents.ts';

export const shapeNames = ['atif', 'ai-sdk', 'openai-agents', 'langchain'] as const;
export type ShapeName = (typeof shapeNames)[number];

export interface Shaped {
  readonly shape: ShapeName;
  readonly transcript: Transcript;
}

interface MessageShape {
  readonly name: ShapeName;
  readonly fits: (value: unknown) => Fit;
  readonly read: (values: readonly unknown[], list: StepList) => void;
}

const messageShapes: readonly MessageShape[] = [
  { name: 'ai-sdk', fits: fitsAiSdk, read: readAiSdk },
  { name: 'openai-agents', fits: fitsOpenAiAgents, read: readOpenAiAgents },
  { name: 'langchain', fits: fitsLangChain, read: readLangChain },
];

export const documentBytesMax = 64 * 1024 * 1024;
export const lineBytesMax = 32 * 1024 * 1024;

/** Null where the bytes have no shape that is known here. */
export function detectShape(bytes: Uint8Array): Shaped | null {
  const lines = new Lines(bytes);
  if (lines.areJson()) return shapedList(lines.values(), new StepList(), lines);
  const value = bytes.length > documentBytesMax ? undefined : parsed(bytes);
  return value === undefined ? shapedList(lines.values(), new StepList(), lines) : shapedDocument(value);
}

export function readByShape(bytes: Uint8Array): Transcript | null {
  return detectShape(bytes)?.transcript ?? null;
}

/** For records of which nobody said what program wrote them. Without a shape they have no steps, and an omission says so. */
export function readRecordsByShape(records: Iterable<Uint8Array>): Transcript {
  const all = [...records];
  const [only] = all;
  const read = readByShape(all.length === 1 && only !== undefined ? only : joined(all));
  if (read !== null) return read;
  const list = new StepList();
  list.losses.add('transcript-unread', 'bytes of no shape that is known here', all.length);
  return list.transcript(bareFacts('unknown'));
}

function joined(records: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(records.reduce((sum, { length }) => sum + length + 1, 0));
  let at = 0;
  for (const record of records) {
    bytes.set(record, at);
    at += record.length;
    bytes[at] = 10;
    at += 1;
  }
  return bytes;
}

function shapedDocument(value: unknown): Shaped | null {
  const fields = fieldsOf(value);
  if (fields !== null && isAtif(fields)) {
    const transcript = readAtif(fields);
    return transcript === null ? null : { shape: 'atif', transcript };
  }
  const list = Array.isArray(value) ? (value as readonly unknown[]) : fields === null ? null : listOf(fields);
  return list === null ? null : shapedList(list, new StepList(), null, sessionOf(fields));
}

const listNames = ['messages', 'items', 'history', 'input', 'output', 'newItems'] as const;

/** Where an object keeps its messages; the object itself where it may be one. */
function listOf(fields: Fields): readonly unknown[] | null {
  const run = itemsOfRun(fields);
  if (run !== null) return run;
  for (const around of [fields, partIn(fields, 'values'), partIn(fields, 'channel_values')])
    for (const name of listNames) {
      const found = listIn(around, name);
      if (found !== null) return found;
    }
  return [fields];
}

function sessionOf(fields: Fields | null): string {
  if (fields === null || textIn(fields, 'role') !== null) return '';
  return textAt(fields, 'id', 'chatId', 'threadId', 'thread_id', 'sessionId', 'session_id') ?? '';
}

function shapedList(
  values: readonly unknown[],
  list: StepList,
  lines: Lines | null,
  session = '',
): Shaped | null {
  const shape = bestOf(values);
  if (shape === undefined) return null;
  shape.read(values, list);
  lines?.losses(list);
  return { shape: shape.name, transcript: list.transcript(bareFacts(shape.name, session)) };
}

/** Half of the values at least must fit: a list of other things may hold something that looks like a message. */
function bestOf(values: readonly unknown[]): MessageShape | undefined {
  let best: MessageShape | undefined;
  let bestScore = 0;
  for (const shape of messageShapes) {
    const fits = values.map(shape.fits);
    const sure = fits.filter((fit) => fit === 'sure').length;
    const fitting = sure + fits.filter((fit) => fit === 'maybe').length;
    const score = fitting * 2 < values.length ? 0 : sure * (values.length + 1) + fitting;
    if (score > bestScore) {
      best = shape;
      bestScore = score;
    }
  }
  return best;
}

const decoder = new TextDecoder();

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes)) as unknown;
  } catch {
    return undefined;
  }
}

/** Bytes as lines, each parsed by itself. */
class Lines {
  readonly #bytes: Uint8Array;
  #tooLarge = 0;
  #unreadable = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The first line is an object, and it is not the only one. */
  areJson(): boolean {
    let first: boolean | undefined;
    for (const line of this.#lines()) {
      if (first === true) return true;
      if (line.length > lineBytesMax || line[0] !== openBrace) return false;
      first = fieldsOf(parsed(line)) !== null;
      if (!first) return false;
    }
    return false;
  }

  values(): readonly unknown[] {
    const values: unknown[] = [];
    for (const line of this.#lines()) {
      const value = line.length > lineBytesMax ? undefined : parsed(line);
      if (value !== undefined) values.push(value);
      else if (line.length > lineBytesMax) this.#tooLarge += 1;
      else this.#unreadable += 1;
    }
    return values;
  }

  losses(list: StepList): void {
    if (this.#tooLarge > 0)
      list.losses.add(
        'record-too-large',
        `a line of more than ${lineBytesMax / 1024 / 1024} MiB`,
        this.#tooLarge,
      );
    if (this.#unreadable > 0)
      list.losses.add(
        'record-unreadable',
        'a line that is no JSON, as a torn write leaves it',
        this.#unreadable,
      );
  }

  *#lines(): Generator<Uint8Array> {
    const bytes = this.#bytes;
    for (let from = 0; from < bytes.length;) {
      const end = bytes.indexOf(10, from);
      const to = end === -1 ? bytes.length : end;
      const line = bytes.subarray(from, to);
      if (line.some((byte) => byte > 32)) yield line;
      from = to + 1;
    }
  }
}

const openBrace = 123;
