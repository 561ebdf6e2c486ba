/** Fields of a record that may hold anything: read as own properties only, so that one with `__proto__` or `constructor` in it is a record like any other. */
import type { JsonObject } from '../core/transcript/step.ts';

export type Fields = Readonly<Record<string, unknown>>;

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
