/**
 * The native records, as loosely as they can be taken. A session file is a log of operations, one JSON object a line:
 *
 *   {sessionId, projectHash, startTime, …}   header; `messages` in it are upserted (older versions kept the whole session so)
 *   {$set: {…}}                              changes fields; `messages` in it replaces the whole list
 *   {$rewindTo: id}                          takes back that message and all after it; an unknown id takes back everything
 *   {id, type, content, …}                   a message; a known id replaces the message of that id where it stands
 *
 * The order of the checks is the program's own: what has several of these marks is the first of them. Fields are read as own
 * properties only, so that a record with `__proto__` or `constructor` in it is a record like any other.
 */
import type { JsonObject } from '../../../core/transcript/step.ts';

export type Fields = Readonly<Record<string, unknown>>;

export type Operation =
  | { readonly op: 'header'; readonly fields: Fields; readonly messages: readonly unknown[] }
  | { readonly op: 'set'; readonly fields: Fields; readonly messages: readonly unknown[] | null }
  | { readonly op: 'rewind'; readonly to: string }
  | { readonly op: 'message'; readonly fields: Fields }
  | { readonly op: 'unknown' }
  | { readonly op: 'unreadable' };

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function operationOf(record: Uint8Array): Operation {
  const value = parsed(record);
  const fields = fieldsOf(value);
  if (fields === null) return { op: value === undefined ? 'unreadable' : 'unknown' };
  const to = textIn(fields, '$rewindTo');
  if (to !== null) return { op: 'rewind', to };
  if (textIn(fields, 'id') !== null) return { op: 'message', fields };
  const set = fieldsOf(own(fields, '$set'));
  if (set !== null) return { op: 'set', fields: set, messages: listIn(set, 'messages') };
  if (textIn(fields, 'sessionId') !== null)
    return { op: 'header', fields, messages: listIn(fields, 'messages') ?? [] };
  return { op: 'unknown' };
}

function parsed(record: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(record)) as unknown;
  } catch {
    return undefined;
  }
}

export function own(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

export function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

export function textIn(fields: Fields, name: string): string | null {
  const value = own(fields, name);
  return typeof value === 'string' ? value : null;
}

export function listIn(fields: Fields, name: string): readonly unknown[] | null {
  const value = own(fields, name);
  return Array.isArray(value) ? value : null;
}

export function countIn(fields: Fields, name: string): number | null {
  const value = own(fields, name);
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

export function timeIn(fields: Fields, name: string): number | null {
  const value = own(fields, name);
  if (typeof value !== 'string') return null;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : at;
}

/** Content is a text, a part, or a list of both. */
export function partsOf(content: unknown): Fields[] {
  const list: readonly unknown[] = Array.isArray(content) ? content : [content];
  return list.flatMap((part) => {
    if (typeof part === 'string') return [{ text: part }];
    const fields = fieldsOf(part);
    return fields === null ? [] : [fields];
  });
}

/** Deeper than any tool's arguments, and shallow enough for everything that walks them by recursion. */
const depthMax = 200;

/** Null where it is no object, or nested so deeply that writing it down again would fail. */
export function jsonObject(value: unknown): JsonObject | null {
  const fields = fieldsOf(value);
  return fields !== null && shallow(fields) ? (fields as JsonObject) : null;
}

export function jsonText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return shallow(value) ? JSON.stringify(value) : null;
}

function shallow(value: unknown): boolean {
  const open: [unknown, number][] = [[value, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [inner, depth] = next;
    if (typeof inner !== 'object' || inner === null) continue;
    if (depth > depthMax) return false;
    for (const below of Object.values(inner)) open.push([below, depth + 1]);
  }
  return true;
}
