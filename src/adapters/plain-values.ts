/**
 * Values of a framework as JSON, and back as they were. What JSON has no place for (bytes, addresses, times, `undefined`, numbers that are
 * none) stands in an object with the key `$`; a value that has such a key itself is wrapped. Whatever else is no plain value is
 * refused by its place: written down half, it would come back as something else.
 */
import { StaffettaError } from '../core/base/error.ts';

const mark = '$';
const depthMax = 200;

export function toPlain(value: unknown, place: string): unknown {
  return written(value, place, 0);
}

function written(value: unknown, place: string, depth: number): unknown {
  if (depth > depthMax) throw unwritable(place, 'is nested too deeply, or in itself');
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : marked('number', Object.is(value, -0) ? '-0' : String(value));
    case 'undefined':
      return marked('undefined', null);
    case 'object':
      return value === null ? null : writtenObject(value, place, depth);
    default:
      throw unwritable(place, `is a ${typeof value}`);
  }
}

function writtenObject(value: object, place: string, depth: number): unknown {
  if (Array.isArray(value))
    return Array.from(value, (one: unknown, i) => written(one, `${place}[${i}]`, depth + 1));
  if (value instanceof Uint8Array) return marked('bytes', Buffer.from(value).toString('base64'));
  if (value instanceof ArrayBuffer) return marked('buffer', Buffer.from(value).toString('base64'));
  if (value instanceof URL) return marked('url', value.href);
  if (value instanceof Date) return marked('date', value.getTime());
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    throw unwritable(place, `is a ${value.constructor.name || 'class of its own'}`);
  const fields = Object.entries(value).map(
    ([name, one]) => [name, written(one, `${place}.${name}`, depth + 1)] as const,
  );
  const plain = Object.fromEntries(fields);
  return Object.hasOwn(plain, mark) ? marked('object', plain) : plain;
}

function marked(kind: string, of: unknown): unknown {
  return { [mark]: kind, of };
}

export function fromPlain(plain: unknown): unknown {
  if (Array.isArray(plain)) return plain.map(fromPlain);
  if (typeof plain !== 'object' || plain === null) return plain;
  if (!Object.hasOwn(plain, mark)) return fieldsFrom(plain);
  const { [mark]: kind, of } = plain as { readonly [mark]: unknown; readonly of?: unknown };
  switch (kind) {
    case 'undefined':
      return undefined;
    case 'number':
      return Number(of);
    case 'bytes':
      return bytesFrom(of);
    case 'buffer':
      return bytesFrom(of).buffer;
    case 'url':
      return new URL(String(of));
    case 'date':
      return new Date(Number(of));
    case 'object':
      return fieldsFrom(of as object);
    default:
      throw new StaffettaError('corrupt', `A value of an unknown kind ${JSON.stringify(kind)} was kept.`, {
        hint: 'It may be from a newer version of Staffetta.',
      });
  }
}

function fieldsFrom(plain: object): unknown {
  return Object.fromEntries(Object.entries(plain).map(([name, one]) => [name, fromPlain(one)]));
}

function bytesFrom(base64: unknown): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(String(base64), 'base64'));
}

/** Values for people and agents to read, a line each. Bytes are only counted. */
export function linesOf(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value, withoutBytes)}\n`).join('');
}

function withoutBytes(_: string, value: unknown): unknown {
  const isBytes = value instanceof Uint8Array || value instanceof ArrayBuffer;
  return isBytes ? `(${value.byteLength} bytes)` : value;
}

function unwritable(place: string, why: string): StaffettaError {
  return new StaffettaError('invalid-input', `${place} ${why}: it cannot be written down. Nothing was.`, {
    details: { place },
    hint: 'Give texts, numbers, lists, plain objects, bytes, URLs and dates.',
  });
}
