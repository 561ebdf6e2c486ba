/** What the first and last few kilobytes of a session tell: whose it is, what was said last, whether its turn came to an end. */
import { closeSync, readSync } from 'node:fs';
import { isStaffettaError } from '../../../core/base/error.ts';
import { saidIn } from './context.ts';
import { openQuietlySync } from '../open-quietly.ts';
import {
  fieldsIn,
  fieldsOf,
  listIn,
  parseRecord,
  textIn,
  timeIn,
  type Fields,
  type NativeRecord,
} from './schema.ts';

const headBytes = 8 * 1024;
const tailBytes = 16 * 1024;
/** The first line holds the whole system prompt. */
const firstLineBytesMax = 1024 * 1024;
const promptCharsMax = 160;

export interface Glance {
  readonly id: string | null;
  readonly folder: string | null;
  readonly startedAt: number | null;
  readonly parent: string | null;
  readonly version: string | null;
  readonly lastPrompt: string | null;
  /** Whether the last turn ended; null where nothing says. */
  readonly ended: boolean | null;
}

/** A text instead, where it cannot be understood: the reason. */
export function glance(path: string): Glance | string {
  let file;
  try {
    file = openQuietlySync(path);
  } catch (error) {
    return isStaffettaError(error)
      ? 'it is no file'
      : `it cannot be opened (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`;
  }
  try {
    const { descriptor, bytes } = file;
    const piece = (from: number, length: number): Buffer =>
      pieceOf(descriptor, from, Math.min(length, bytes - from));
    const meta = metaIn(piece);
    if (meta === null) return bytes === 0 ? 'it is empty' : 'it does not begin as a session of Codex does';
    const from = Math.max(0, bytes - tailBytes);
    const tail = piece(from, tailBytes).toString('utf8');
    return { ...meta, lastPrompt: promptIn(tail), ended: endedIn(tail, from === 0) };
  } catch (error) {
    return `it cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`;
  } finally {
    closeSync(file.descriptor);
  }
}

/** Used again for every file: a thousand sessions would need as many buffers. What is taken from it is copied or decoded at once. */
const scratch = Buffer.alloc(Math.max(headBytes, tailBytes));

function pieceOf(descriptor: number, from: number, length: number): Buffer {
  if (length <= 0) return Buffer.alloc(0);
  const buffer = length <= scratch.length ? scratch : Buffer.allocUnsafe(length);
  return buffer.subarray(0, readSync(descriptor, buffer, 0, length, from));
}

function metaIn(
  piece: (from: number, length: number) => Buffer,
): Omit<Glance, 'lastPrompt' | 'ended'> | null {
  const head = piece(0, headBytes);
  const whole = head.includes(10);
  const record =
    (whole ? null : withoutPrompt(head)) ??
    parseRecord(firstLineOf(whole ? head : piece(0, firstLineBytesMax)));
  if (record?.type !== 'session_meta') return null;
  const { payload } = record;
  const spawn = fieldsIn(fieldsIn(fieldsIn(payload, 'source'), 'subagent'), 'thread_spawn');
  return {
    id: textIn(payload, 'id') ?? textIn(payload, 'session_id'),
    folder: textIn(payload, 'cwd'),
    startedAt: timeIn(payload, 'timestamp') ?? record.at,
    version: textIn(payload, 'cli_version'),
    parent: textIn(payload, 'parent_thread_id') ?? textIn(spawn, 'parent_thread_id'),
  };
}

function firstLineOf(bytes: Buffer): Buffer {
  const end = bytes.indexOf(10);
  return end < 0 ? bytes : bytes.subarray(0, end);
}

/** The line up to the system prompt, closed. This name with its quotes can stand in no text: there they have backslashes. */
function withoutPrompt(head: Buffer): NativeRecord | null {
  const place = head.indexOf(',"base_instructions":');
  return place < 0 ? null : parseRecord(Buffer.concat([head.subarray(0, place), Buffer.from('}}')]));
}

const ends = ['"type":"task_complete"', '"type":"turn_aborted"'];
const begins = ['"type":"task_started"'];

function endedIn(tail: string, whole: boolean): boolean | null {
  const ended = Math.max(...ends.map((sign) => tail.lastIndexOf(sign)));
  const begun = Math.max(...begins.map((sign) => tail.lastIndexOf(sign)));
  // A turn that began before the tail is under way if the tail does not end it.
  if (ended < 0 && begun < 0) return whole ? null : false;
  return ended > begun;
}

const prompts = ['"type":"UserMessage"', '"user.text"', '"type":"user_message"', '"role":"user"'];

/** The last line with a user's words. Most signs also stand in lines that are none, so that a few are looked at. */
function promptIn(tail: string): string | null {
  for (const sign of prompts) {
    let place = tail.lastIndexOf(sign);
    for (let tries = 0; place >= 0 && tries < 8; tries++) {
      const begin = tail.lastIndexOf('\n', place);
      const end = tail.indexOf('\n', place);
      if (end >= 0) {
        const said = saidInLine(tail.slice(begin + 1, end));
        if (said !== null) return shortened(said);
      }
      place = begin <= 0 ? -1 : tail.lastIndexOf(sign, begin);
    }
  }
  return null;
}

function saidInLine(line: string): string | null {
  const record = parseRecord(Buffer.from(line));
  if (record === null) return null;
  const { type, payload } = record;
  if (type === 'response_item') {
    return saidIn(payload).find(({ source, text }) => source === 'user' && text !== '')?.text ?? null;
  }
  if (textIn(payload, 'type') === 'user_message') return textIn(payload, 'message');
  const item: Fields = fieldsIn(payload, 'item');
  if (textIn(item, 'type') !== 'UserMessage') return null;
  const texts = listIn(item, 'content').flatMap((part) => textIn(fieldsOf(part), 'text') ?? []);
  return texts.length === 0 ? null : texts.join('\n');
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const characters = Array.from(line.slice(0, promptCharsMax * 2));
  return characters.length > promptCharsMax ? `${characters.slice(0, promptCharsMax - 1).join('')}…` : line;
}
