import canonicalize from 'canonicalize';
import { assert } from '../base/assert.ts';
import { StaffettaError } from '../base/error.ts';

/**
 * RFC 8785 canonical JSON. Equal values give equal bytes, so a digest of the text is a digest of the value.
 * Lone surrogates are refused: they have no UTF-8 form and would not survive a round trip. So are numbers that JSON lacks.
 *
 * Plain values, which is nearly all that is ever sealed, are written here, four times as fast as by the library. Whatever is
 * not plain goes to the library: what must be refused, what has a `toJSON`, what is deep or goes round in circles.
 */
export function canonical(value: unknown): string {
  const plain = plainText(value, 0);
  if (plain !== undefined) return plain;
  let text: string | undefined;
  try {
    text = canonicalize(value);
  } catch (cause) {
    throw new StaffettaError('invalid-input', `The value has no JSON form: ${(cause as Error).message}.`, {
      cause,
      hint: 'Send well-formed Unicode and finite numbers.',
    });
  }
  assert(text !== undefined, 'canonical form of a value that JSON cannot hold');
  return text;
}

const depthMax = 32;
/** Up to this many fields, sorting by insertion is faster. */
const fewFields = 24;
/** Field names are few and come again and again. */
const quotedMax = 512;
const quoted = new Map<string, string>();

/** Short, and without anything that JSON escapes. */
const bare = /^[ !#-[\]-~]{0,100}$/;

/** Undefined where the value is not plain. */
function plainText(value: unknown, depth: number): string | undefined {
  switch (typeof value) {
    case 'string':
      if (bare.test(value)) return `"${value}"`;
      return value.isWellFormed() ? JSON.stringify(value) : undefined;
    case 'number':
      return Number.isFinite(value) ? `${value}` : undefined;
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      if (depth === depthMax || 'toJSON' in value) return undefined;
      return Array.isArray(value) ? arrayText(value, depth + 1) : objectText(value, depth + 1);
    default:
      return undefined;
  }
}

function arrayText(values: readonly unknown[], depth: number): string | undefined {
  let text = '[';
  for (let i = 0; i < values.length; i += 1) {
    const item = plainText(values[i], depth);
    if (item === undefined) return undefined;
    text += i === 0 ? item : `,${item}`;
  }
  return `${text}]`;
}

function objectText(object: object, depth: number): string | undefined {
  // What JSON writes by other rules than its fields has another prototype: a boxed number, for one.
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  const keys = inOrder(Object.keys(object));
  let text = '{';
  for (const key of keys) {
    const value = (object as Readonly<Record<string, unknown>>)[key];
    if (value === undefined) continue;
    const name = fieldText(key);
    const item = plainText(value, depth);
    if (name === undefined || item === undefined) return undefined;
    text += text.length === 1 ? name + item : `,${name}${item}`;
  }
  return `${text}}`;
}

function fieldText(key: string): string | undefined {
  const known = quoted.get(key);
  if (known !== undefined) return known;
  if (!key.isWellFormed()) return undefined;
  const text = `${JSON.stringify(key)}:`;
  if (quoted.size < quotedMax && key.length <= 32) quoted.set(key, text);
  return text;
}

/** By UTF-16 units, which is how texts compare. */
function inOrder(keys: string[]): string[] {
  if (keys.length > fewFields) return keys.sort();
  for (let i = 1; i < keys.length; i += 1) {
    const key = keys[i] ?? '';
    let at = i;
    for (; at > 0 && (keys[at - 1] ?? '') > key; at -= 1) keys[at] = keys[at - 1] ?? '';
    keys[at] = key;
  }
  return keys;
}
