import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonStrings } from './json-strings.ts';
import { runs } from '../../../../test/property/seed.ts';

function strings(line: string): string[] | undefined {
  return jsonStrings(line)?.map(({ start, end }) => line.slice(start, end));
}

/** Names and values in the order in which JSON writes them. */
function walk(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(walk);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => [name, ...walk(field)]);
}

function seen(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) => (strings(line) ?? []).map((one) => JSON.parse(`"${one}"`) as string));
}

describe('a line of JSON', () => {
  test('gives its strings without their quotes', () => {
    expect(strings('{"a":"b","c":[1,"d e",true]}')).toEqual(['a', 'b', 'c', 'd e']);
  });

  test('may be one line of many', () => {
    expect(strings('  "password": "x",')).toEqual(['password', 'x']);
    expect(strings('+    "x"')).toEqual(['x']);
    expect(strings('"x"],')).toEqual(['x']);
  });

  test('tells names from values', () => {
    expect(jsonStrings('{"a" : "b"}')?.map(({ isKey }) => isKey)).toEqual([true, false]);
  });

  test('tells which strings hold an escape', () => {
    expect(jsonStrings('["a","b\\n","c"]')?.map(({ escaped }) => escaped)).toEqual([false, true, false]);
  });

  test('is not ended by an escaped quote', () => {
    expect(strings(String.raw`["a\"b\\","c"]`)).toEqual([String.raw`a\"b\\`, 'c']);
  });
});

test.each([
  ['nothing', ''],
  ['a number', '42'],
  ['code', 'const a = "b";'],
  ['a name without quotes', '{name: "b"}'],
  ['a string that does not end', '{"a":"b'],
  ['a log line', '[INFO] {"a":"b"}'],
])('%s is not a line of JSON', (_what, line) => {
  expect(jsonStrings(line)).toBeUndefined();
});

test('all strings of any value are found, printed on one line or on many', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      const value: unknown = JSON.parse(json);
      const expected = walk(value);
      expect(seen(JSON.stringify(value))).toEqual(expected);
      expect(seen(JSON.stringify(value, null, 2))).toEqual(expected);
    }),
    runs(100),
  );
});
