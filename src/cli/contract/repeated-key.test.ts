import { expect, test } from 'vitest';
import { repeatedKey } from './repeated-key.ts';

test.each([
  ['{"goal":"a","goal":"b"}', 'goal'],
  [String.raw`{"goal":"a","\u0067oal":"b"}`, 'goal'],
  ['{"review":{"human":true,"owner":"x","human":false}}', 'review.human'],
  ['{"phases":[{"name":"a"},{"name":"b","goal":"x","goal":"y"}]}', 'phases.goal'],
  ['{"a":{"b":1},"c":[1,2],"a":2}', 'a'],
])('%s names a field twice', (json, field) => {
  expect(repeatedKey(json)).toBe(field);
});

test.each([
  '{"goal":"goal","title":"goal"}',
  '{"phases":[{"name":"a"},{"name":"b"}],"name":"c"}',
  String.raw`{"goal":"say \"goal\": twice, \"goal\": yes","title":"x"}`,
  '["a","a"]',
  '{"a":["b","b",{"b":1}],"b":"{"}',
  '"text"',
])('%s does not', (json) => {
  expect(repeatedKey(json)).toBeUndefined();
});
