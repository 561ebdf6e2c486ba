import { describe, expect, test } from 'vitest';
import { addElement, removeAt, setMember } from './json-edit.ts';
import { NotJson, parseTree, valueOf } from './json-tree.ts';

const settings = `{
    // who
    "model": "x", // the large one
    "hooks": {
        "Stop": [{ "a": 1 }]
    },
    "last": [1, 2], /* kept */
}
`;

describe('a member is set', () => {
  test('in a file that is not there', () => {
    expect(setMember('', ['mcp', 'own'], { a: [1] })).toBe(
      '{\n  "mcp": {\n    "own": {\n      "a": [\n        1\n      ]\n    }\n  }\n}\n',
    );
  });

  test('and everything else stays, comments and trailing comma included', () => {
    const after = setMember(settings, ['mcp', 'own'], 1);
    expect(after).toBe(
      settings.replace('/* kept */\n', '/* kept */\n    "mcp": {\n        "own": 1\n    },\n'),
    );
    expect(removeAt(after, ['mcp', 'own'])).toBe(settings);
  });

  test('with the indentation, the line ends and the order of the file', () => {
    const before = '{\r\n\t"b": 1,\r\n\t"a": 2\r\n}';
    const after = setMember(before, ['c'], { d: 1 });
    expect(after).toBe('{\r\n\t"b": 1,\r\n\t"a": 2,\r\n\t"c": {\r\n\t\t"d": 1\r\n\t}\r\n}');
    expect(removeAt(after, ['c'])).toBe(before);
  });

  test('on one line where the file has only one', () => {
    const before = '{"a":{"b":1}}';
    const after = setMember(before, ['a', 'c'], { d: [1] });
    expect(after).toBe('{"a":{"b":1,"c":{"d":[1]}}}');
    expect(removeAt(after, ['a', 'c'])).toBe(before);
  });

  test('and a value that is the same already is not written again', () => {
    const before = '{ "a" :   { "b": [ 1 ] } }';
    expect(setMember(before, ['a'], { b: [1] })).toBe(before);
    expect(setMember(before, ['a', 'b'], [2])).toContain('"b": [2]');
  });

  test('not where something else stands in the way', () => {
    expect(() => setMember('{"a": 1}', ['a', 'b'], 1)).toThrow(NotJson);
    expect(() => setMember('[1]', ['a'], 1)).toThrow(NotJson);
    expect(() => setMember('{"a": \n oops}', ['b'], 1)).toThrow('line 2');
    expect(() => setMember('['.repeat(5000), ['b'], 1)).toThrow(NotJson);
  });
});

describe('an element is added', () => {
  test('behind those of others, and taken out again', () => {
    const after = addElement(settings, ['hooks', 'Stop'], { own: true });
    expect(valueOf(parseTree(after))).toMatchObject({
      hooks: { Stop: [{ a: 1 }, { own: true }] },
    });
    expect(removeAt(after, ['hooks', 'Stop', 1])).toBe(settings);
  });

  test('in a list that is made for it, which goes with it', () => {
    const after = addElement(settings, ['hooks', 'Start'], { own: true });
    expect(after).toContain('"Start": [');
    expect(removeAt(after, ['hooks', 'Start', 0])).toBe(settings);
  });

  test('and goes without a list that shall stay', () => {
    expect(removeAt('{"a":{"l":[1]}}', ['a', 'l', 0], ['a', 'l'])).toBe('{"a":{"l":[]}}');
    expect(removeAt('{"a":{"l":[1]}}', ['a', 'l', 0], ['a'])).toBe('{"a":{}}');
  });

  test('and is changed inside without touching what is beside', () => {
    const before = '{ "l": [{ "own": true, "v": 1 }, 2] }';
    const after = setMember(before, ['l', 0, 'v'], 2);
    expect(after).toBe('{ "l": [{ "own": true, "v": 2 }, 2] }');
    expect(JSON.parse(removeAt(after, ['l', 0]))).toEqual({ l: [2] });
  });

  test('and comments of others survive its going', () => {
    const before = '{\n  "l": [\n    1, // one\n    {"own": true},\n    // two\n    2\n  ]\n}';
    expect(removeAt(before, ['l', 1])).toBe('{\n  "l": [\n    1, // one\n    // two\n    2\n  ]\n}');
  });

  test('and no comment swallows what follows it', () => {
    for (const before of [
      '{\n  // only a comment\n  "own": 1\n}\n',
      '{\n  "a": 1, // one\n  "own": 1 }\n',
      '{\n  "a": 1, // one\n  "own": 1, }\n',
    ]) {
      const after = removeAt(before, ['own']);
      expect({ after, value: valueOf(parseTree(after)) }).toMatchObject({
        value: before.includes('"a"') ? { a: 1 } : {},
      });
      expect(after).toContain('// on');
    }
  });

  test('and of two members of one name the last one is meant', () => {
    expect(removeAt('{"a":1,"b":0,"a":2}', ['a'])).toBe('{"a":1,"b":0}');
  });
});
