/**
 * Foreign JSON, as loosely as it can be taken: every field may be absent or of another kind. Fields are read as own properties
 * only, so that `__proto__` or `constructor` is a name like any other.
 */
import type { JsonObject } from './step.ts';

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

export function own(fields: Fields | null, name: string): unknown {
  return fields !== null && Object.hasOwn(fields, name) ? fields[name] : undefined;
}

export function partIn(fields: Fields | null, name: string): Fields | null {
  return fieldsOf(own(fields, name));
}

export function textIn(fields: Fields | null, name: string): string | null {
  const value = own(fields, name);
  return typeof value === 'string' ? value : null;
}

/** Of the first name that has one. */
export function textAt(fields: Fields | null, ...names: readonly string[]): string | null {
  for (const name of names) {
    const found = textIn(fields, name);
    if (found !== null) return found;
  }
  return null;
}

export function listIn(fields: Fields | null, name: string): readonly unknown[] | null {
  const value = own(fields, name);
  return Array.isArray(value) ? (value as readonly unknown[]) : null;
}

export function partsIn(fields: Fields | null, name: string): readonly Fields[] {
  return (listIn(fields, name) ?? []).map(fieldsOf).filter((part) => part !== null);
}

/** Whole and not negative. */
export function countIn(fields: Fields | null, name: string): number | null {
  const value = own(fields, name);
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** Milliseconds since 1970, from a date as text or from a number. */
export function timeIn(fields: Fields | null, name: string): number | null {
  const value = own(fields, name);
  const at = typeof value === 'string' ? Date.parse(value) : value;
  return typeof at === 'number' && Number.isFinite(at) ? at : null;
}

/** Deeper than any tool's arguments, and shallow enough for everything that walks them by recursion. */
const depthMax = 200;

export function isShallow(value: unknown): boolean {
  const open: [unknown, number][] = [[value, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [inner, depth] = next;
    if (typeof inner !== 'object' || inner === null) continue;
    if (depth > depthMax) return false;
    for (const below of Object.values(inner)) open.push([below, depth + 1]);
  }
  return true;
}

/** Null where it is no object, or nested so deeply that writing it down again would fail. */
export function jsonObject(value: unknown): JsonObject | null {
  const fields = fieldsOf(value);
  return fields !== null && isShallow(fields) ? (fields as JsonObject) : null;
}

/** A text as it is, anything else as JSON; null where it has none or is nested too deeply. */
export function looseText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return value !== undefined && isShallow(value) ? JSON.stringify(value) : null;
}

/** An object that stands in a text, as the arguments of a call often do. */
export function objectFrom(text: string): JsonObject | null {
  try {
    return jsonObject(JSON.parse(text));
  } catch {
    return null;
  }
}
