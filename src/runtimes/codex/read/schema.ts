/**
 * The shapes of Codex' native records, as loosely as they can be read. A session is a file of lines,
 *
 *   {timestamp, ordinal?, type, payload, metadata?}
 *
 * of which `response_item` is what the model sees and `event_msg` what the screen shows: most things are written twice, and only
 * the first is the conversation. Anything may be missing, of another type or unknown; nothing here throws.
 */
import type { Json, JsonObject } from '../../../core/transcript/step.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface NativeRecord {
  /** Milliseconds since 1970. */
  readonly at: number | null;
  readonly ordinal: number | null;
  readonly type: string;
  readonly payload: Fields;
}

/** Deeper arguments are kept as text: what others do with a value may recurse. */
const depthMax = 100;
const none: Fields = Object.freeze({});
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

export function parseRecord(bytes: Uint8Array): NativeRecord | null {
  const fields = fieldsOf(parsed(utf8.decode(bytes)));
  const type = textIn(fields, 'type');
  if (type === null) return null;
  return {
    at: timeIn(fields, 'timestamp'),
    ordinal: numberIn(fields, 'ordinal'),
    type,
    payload: fieldsIn(fields, 'payload'),
  };
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An object's own fields; of anything else, none. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : none;
}

function own(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

export function fieldsIn(fields: Fields, name: string): Fields {
  return fieldsOf(own(fields, name));
}

export function has(fields: Fields, name: string): boolean {
  return own(fields, name) !== undefined;
}

/** Well formed: half a surrogate pair could not be stored. */
export function textIn(fields: Fields, name: string): string | null {
  const value = own(fields, name);
  return typeof value === 'string' ? value.toWellFormed() : null;
}

export function numberIn(fields: Fields, name: string): number | null {
  const value = own(fields, name);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

export function listIn(fields: Fields, name: string): readonly unknown[] {
  const value = own(fields, name);
  return Array.isArray(value) ? value : [];
}

export function textsIn(fields: Fields, name: string): readonly string[] {
  return listIn(fields, name).filter((item) => typeof item === 'string');
}

export function timeIn(fields: Fields, name: string): number | null {
  const value = own(fields, name);
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

/** A thread's id. Only such a one may become part of a path or a command. */
export function isThreadId(value: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(value);
}

export interface Arguments {
  readonly args: JsonObject;
  readonly raw?: string;
  /** They nest too deeply to be written again, and are not here. */
  readonly lost?: true;
}

/** The arguments of a call as an object; where they are none, or one that is too deep, as they were. */
export function argumentsOf(value: unknown): Arguments {
  const text = typeof value === 'string' ? value : written(value);
  if (text === null) return { args: {}, raw: '', lost: true };
  const object = depthOf(text) > depthMax ? undefined : parsed(text);
  if (typeof object !== 'object' || object === null || Array.isArray(object)) {
    return { args: {}, raw: text.toWellFormed() };
  }
  return { args: wellFormed(object as JsonObject) as JsonObject };
}

function written(value: unknown): string | null {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return null;
  }
}

/** How deep brackets nest in a text of JSON. Counts too many where a text holds brackets, which does no harm. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let place = 0; place < text.length; place++) {
    const code = text.codePointAt(place);
    if (code === 0x7b || code === 0x5b) deepest = Math.max(deepest, ++depth);
    else if (code === 0x7d || code === 0x5d) depth--;
  }
  return deepest;
}

function wellFormed(value: Json): Json {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  // Entries are defined and not assigned, so that a field named __proto__ stays a field.
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name.toWellFormed(), wellFormed(item)]),
  );
}
