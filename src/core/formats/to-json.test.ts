import { describe, expect, test } from 'vitest';
import { bareFacts } from '../transcript/bare-facts.ts';
import { jsonPieces, toJson } from './to-json.ts';

describe('toJson', () => {
  test('has every field of a step, by its name', () => {
    const facts = bareFacts('codex', 'x');
    const omissions = [{ kind: 'image', count: 1, why: 'no text' }];
    const call = { id: 'c', tool: 'sh', args: {} };
    const document = toJson(
      {
        sessions: [{ facts, omissions, unanswered: [call], rewritten: true }],
        steps: [{ id: 1, ref: 42, session: 0, record: 3, source: 'agent', at: 5, text: 'x', calls: [call] }],
        unread: [{ runtime: 'new', session: 'z', why: 'No reader.' }],
      },
      't4k9',
    );
    expect(document).toEqual({
      v: 1,
      task: 't4k9',
      sessions: [{ ...facts, omissions, unanswered: [call], rewritten: true }],
      steps: [{ name: 's42', session: 0, id: 1, source: 'agent', at: 5, text: 'x', calls: [call] }],
      unread: [{ runtime: 'new', session: 'z', why: 'No reader.' }],
    });
  });
});

describe('jsonPieces', () => {
  test.each([
    {},
    { a: 1, list: [{ x: [1, 2] }, 'two'], none: [], deep: { list: [1] } },
    [],
    [{ a: 1 }, [2], null],
  ])('%j is the same in pieces', (value) => {
    expect(JSON.parse([...jsonPieces(value)].join(''))).toEqual(value);
  });

  test('an item of a list is a line', () => {
    expect([...jsonPieces({ v: 1, steps: [{ a: 1 }, { b: 2 }] })].join('')).toBe(
      '{\n  "v": 1,\n  "steps": [\n    {"a":1},\n    {"b":2}\n  ]\n}\n',
    );
    expect([...jsonPieces([1, 2])].join('')).toBe('[\n  1,\n  2\n]\n');
  });
});
