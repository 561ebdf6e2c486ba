/**
 * What is known of the program's records, loosely: a field is looked at where it is used, and one that is missing or of another
 * type is as if it were not there. Nothing here throws for what a database holds.
 *
 * The stored native form is described in capture.ts.
 */
import type { Json, JsonObject } from '../../../core/transcript/step.ts';

export interface NativeSession {
  readonly type: 'session';
  readonly id: string;
  readonly data: JsonObject;
}
export interface MessageRecord {
  readonly type: 'message';
  readonly id: string;
  readonly created: number | null;
  readonly data: JsonObject;
}
export interface PartRecord {
  readonly type: 'part';
  readonly id: string;
  readonly message: string;
  readonly data: JsonObject;
}
export type NativeRecord = NativeSession | MessageRecord | PartRecord;

const decoder = new TextDecoder();

/** Null for what is no record of ours. */
export function parseRecord(bytes: Uint8Array): NativeRecord | null {
  const value = objectOf(parseJson(decoder.decode(bytes)));
  if (value === null) return null;
  const id = textOf(field(value, 'id'));
  const data = objectOf(field(value, 'data'));
  if (id === null || data === null) return null;
  const type = field(value, 'type');
  if (type === 'session') return { type, id, data };
  if (type === 'message') return { type, id, created: numberOf(field(value, 'created')), data };
  const message = textOf(field(value, 'message'));
  return type === 'part' && message !== null ? { type, id, message, data } : null;
}

/** Undefined for what is no JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Own fields only: `__proto__` and `constructor` are names like any other. */
export function field(object: JsonObject | null, name: string): Json | undefined {
  return object !== null && Object.hasOwn(object, name) ? object[name] : undefined;
}

export function objectOf(value: Json | undefined): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

export function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

export function numberOf(value: Json | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** Along a path of names; undefined as soon as one is missing. */
export function dig(object: JsonObject | null, ...names: readonly string[]): Json | undefined {
  let value: Json | undefined = object ?? undefined;
  for (const name of names) value = field(objectOf(value), name);
  return value;
}

/** Deeper values would break code that walks them by recursion, JSON.stringify among it. */
const depthMax = 200;

/** An object that can be handed on safely: not too deep, and without a field that would set a prototype when it is copied. */
export function safeObject(value: JsonObject): JsonObject | null {
  const waiting: { readonly value: Json; readonly depth: number }[] = [{ value, depth: 1 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue;
    if (next.depth > depthMax || Object.hasOwn(next.value, '__proto__')) return null;
    for (const inner of Object.values(next.value)) {
      waiting.push({ value: inner, depth: next.depth + 1 });
    }
  }
  return value;
}
