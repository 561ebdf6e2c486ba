/**
 * A transcript that somebody gave, told by its shape. It is a JSON list of messages, an object that has one, a document of ATIF,
 * or a JSON object a line. Messages are asked by every shape whether they fit; the shape wins that is sure of most of them. A
 * message that any shape would take (a role and a text) reads the same in all. The first few hundred say it for all that follow.
 *
 * Its records are what stands where messages stand: the members of the list, the steps of ATIF, the lines that are not blank. Each
 * has its place whether or not it is a message, so that a better reader never moves the others.
 *
 * Nothing that bytes hold makes it throw. A document of more than 64 MiB is not taken apart; of lines, those of more than
 * 32 MiB are left out and counted.
 */
import { isAtif, readAtif } from '../atif-read.ts';
import { fieldsOf, listIn, partIn, textAt, textIn, type Fields } from '../../transcript/loose-json.ts';
import { bareFacts } from '../../transcript/bare-facts.ts';
import { StepList } from '../../transcript/step-list.ts';
import type { Transcript } from '../../transcript/step.ts';
import { fitsAiSdk, readAiSdk } from './ai-sdk.ts';
import { fitsCline, readCline } from './cline.ts';
import { fitsCursor, readCursor } from './cursor.ts';
import type { Fit, Member } from './fit.ts';
import { fitsKiro, readKiro } from './kiro.ts';
import { fitsLangChain, readLangChain } from './langchain.ts';
import { fitsOpenAiAgents, itemsOfRun, readOpenAiAgents } from './openai-agents.ts';

export const shapeNames = [
  'atif',
  'ai-sdk',
  'openai-agents',
  'langchain',
  'cline',
  'cursor',
  'kiro',
] as const;
export type ShapeName = (typeof shapeNames)[number];

export interface Shaped {
  readonly shape: ShapeName;
  readonly transcript: Transcript;
}

/** A transcript whose shape is known, before its messages are read. */
export interface Apart {
  readonly shape: ShapeName;
  /** Without lines that hold no JSON. */
  readonly members: readonly Member[];
  readonly records: number;
  read(): Transcript;
}

interface MessageShape {
  readonly name: ShapeName;
  readonly fits: (value: unknown) => Fit;
  readonly read: (members: readonly Member[], list: StepList) => void;
}

const messageShapes: readonly MessageShape[] = [
  { name: 'ai-sdk', fits: fitsAiSdk, read: readAiSdk },
  { name: 'openai-agents', fits: fitsOpenAiAgents, read: readOpenAiAgents },
  { name: 'langchain', fits: fitsLangChain, read: readLangChain },
  { name: 'cline', fits: fitsCline, read: readCline },
  { name: 'cursor', fits: fitsCursor, read: readCursor },
  { name: 'kiro', fits: fitsKiro, read: readKiro },
];

export const documentBytesMax = 64 * 1024 * 1024;
export const lineBytesMax = 32 * 1024 * 1024;

/** Null where the bytes have no shape that is known here. */
export function detectShape(bytes: Uint8Array): Shaped | null {
  const apart = takeApart(bytes);
  return apart === null ? null : { shape: apart.shape, transcript: apart.read() };
}

/** Null where the bytes have no shape that is known here. */
export function takeApart(bytes: Uint8Array): Apart | null {
  const lines = new Lines(bytes);
  if (lines.areJson()) return apartLines(lines);
  const value = bytes.length > documentBytesMax || !mayBeJson(bytes) ? undefined : parsed(bytes);
  return value === undefined ? apartLines(lines) : apartDocument(value);
}

export function readByShape(bytes: Uint8Array): Transcript | null {
  return takeApart(bytes)?.read() ?? null;
}

/**
 * For records of which nobody said what program wrote them. Without a shape each is told as the text that it is, in nobody's name;
 * what is no text has no step, and an omission says so.
 */
export function readRecordsByShape(records: Iterable<Uint8Array>): Transcript {
  const all = [...records];
  const [only] = all;
  const read = readByShape(all.length === 1 && only !== undefined ? only : joined(all));
  if (read !== null) return read;
  const list = new StepList();
  for (const [place, record] of all.entries()) {
    const text = plainText(record);
    list.record = place;
    if (text === null) list.losses.add('transcript-unread', 'bytes that are no text');
    else if (text.trim() !== '') list.begin('system').texts.push(text);
  }
  return list.transcript(bareFacts('unknown'));
}

const strictDecoder = new TextDecoder('utf-8', { fatal: true });

/** Null for bytes that are no text, or more than a document may have. */
function plainText(bytes: Uint8Array): string | null {
  if (bytes.length > documentBytesMax || bytes.includes(0)) return null;
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return null;
  }
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

function apartDocument(value: unknown): Apart | null {
  const fields = fieldsOf(value);
  if (fields !== null && isAtif(fields)) {
    const members = membersOf(listIn(fields, 'steps') ?? []);
    const read = (): Transcript => readAtif(fields) ?? noSteps('atif');
    return { shape: 'atif', members, records: members.length, read };
  }
  const list = Array.isArray(value) ? (value as readonly unknown[]) : fields === null ? null : listOf(fields);
  return list === null
    ? null
    : apartList(membersOf(list), { records: list.length, session: sessionOf(fields) });
}

function apartLines(lines: Lines): Apart | null {
  const members = lines.members();
  return apartList(members, { records: lines.count, losses: (list) => lines.losses(list) });
}

function membersOf(values: readonly unknown[]): readonly Member[] {
  return values.map((value, place) => ({ place, value }));
}

function noSteps(runtime: string): Transcript {
  return new StepList().transcript(bareFacts(runtime));
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

interface Around {
  readonly records: number;
  readonly session?: string;
  /** Counts what no member says. */
  readonly losses?: (list: StepList) => void;
}

function apartList(members: readonly Member[], { records, session = '', losses }: Around): Apart | null {
  const shape = shapeOf(members);
  if (shape === undefined) return null;
  const read = (): Transcript => {
    const list = new StepList();
    shape.read(members, list);
    losses?.(list);
    return list.transcript(bareFacts(shape.name, session));
  };
  return { shape: shape.name, members, records, read };
}

/** So many messages are enough to say the shape of all, where one of them is sure or most are none. */
const sayingMin = 256;

/** Undefined where they have none that is known here. */
function shapeOf(members: readonly Member[]): MessageShape | undefined {
  for (let count = sayingMin; count < members.length; count *= 2) {
    const { shape, isSure } = bestOf(members.slice(0, count));
    if (shape === undefined || isSure) return shape;
  }
  return bestOf(members).shape;
}

/** What the first lines say of all that follow: null that they have no shape, undefined where it takes more of them to say. */
export function shapeOfHead(bytes: Uint8Array): ShapeName | null | undefined {
  const lines = new Lines(bytes.subarray(0, bytes.lastIndexOf(newline) + 1));
  const members = lines.areJson() ? lines.members(sayingMin) : [];
  const { shape, isSure } = bestOf(members);
  if (members.length < sayingMin || (shape !== undefined && !isSure)) return undefined;
  return shape?.name ?? null;
}

interface Best {
  readonly shape: MessageShape | undefined;
  /** Nothing else looks like one of them. */
  readonly isSure: boolean;
}

/** Half of the values at least must fit: a list of other things may hold something that looks like a message. */
function bestOf(members: readonly Member[]): Best {
  let best: Best = { shape: undefined, isSure: false };
  let bestScore = 0;
  for (const shape of messageShapes) {
    const fits = members.map(({ value }) => shape.fits(value));
    const sure = fits.filter((fit) => fit === 'sure').length;
    const fitting = sure + fits.filter((fit) => fit === 'maybe').length;
    const score = fitting * 2 < members.length ? 0 : sure * (members.length + 1) + fitting;
    if (score > bestScore) {
      best = { shape, isSure: sure > 0 };
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
  /** Lines that are not blank, once the members were taken. */
  count = 0;
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

  /** All of them, or so many. */
  members(max = Number.POSITIVE_INFINITY): readonly Member[] {
    const members: Member[] = [];
    for (const line of this.#lines()) {
      if (members.length >= max) break;
      const place = this.count;
      this.count += 1;
      const value = line.length > lineBytesMax || !mayBeJson(line) ? undefined : parsed(line);
      if (value !== undefined) members.push({ place, value });
      else if (line.length > lineBytesMax) this.#tooLarge += 1;
      else this.#unreadable += 1;
    }
    return members;
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
      const end = bytes.indexOf(newline, from);
      const to = end === -1 ? bytes.length : end;
      const line = bytes.subarray(from, to);
      if (line.some((byte) => byte > 32)) yield line;
      from = to + 1;
    }
  }
}

const newline = 10;
const openBrace = 123;
/** What a list, an object or a text of JSON begins with, and the mark of a byte order, which is read over. */
const jsonBegins: ReadonlySet<number | undefined> = new Set(Buffer.from('\uFEFF{["'));
const plainValue = /^\s*(?:true|false|null|-?\d[\d.eE+-]*)\s*$/;
const plainBytesMax = 400;

/** Texts and lines of prose are many, and an error for each is dear: a fifth of what it takes to hand a page over. */
function mayBeJson(bytes: Uint8Array): boolean {
  if (jsonBegins.has(bytes.find((byte) => byte > 32))) return true;
  return bytes.length <= plainBytesMax && plainValue.test(decoder.decode(bytes));
}
