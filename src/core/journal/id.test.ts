import { expect, test } from 'vitest';
import { isTaskId, TaskId, taskIdForKey, taskIdFrom } from './id.ts';

test('an id is t and twelve characters that cannot be misread', () => {
  expect(isTaskId('t0123456789ab')).toBe(true);
  for (const bad of [
    't0123456789a',
    't0123456789abc',
    'T0123456789ab',
    'x0123456789ab',
    't0123456789aB',
    't0123456789ai',
    't0123456789al',
    't0123456789ao',
    't0123456789au',
    't0123456789ab\n',
    '',
  ]) {
    expect([bad, isTaskId(bad)]).toEqual([bad, false]);
    expect(TaskId.safeParse(bad).success).toBe(false);
  }
});

test('any eight bytes give an id, and every one of sixty bits counts', () => {
  expect(taskIdFrom(new Uint8Array(8))).toBe('t000000000000');
  expect(taskIdFrom(new Uint8Array(8).fill(255))).toBe('tzzzzzzzzzzzz');
  const seen = new Set<string>();
  for (let bit = 4; bit < 64; bit += 1) {
    const bytes = new Uint8Array(8);
    bytes[bit >> 3] = 0x80 >> (bit & 7);
    const id = taskIdFrom(bytes);
    expect(isTaskId(id)).toBe(true);
    seen.add(id);
  }
  expect(seen.size).toBe(60);
});

test('the same key by the same actor names the same task, anybody else names another', () => {
  const id = taskIdForKey('ada', 'k1');
  expect(isTaskId(id)).toBe(true);
  // Spelled out: a retry may come from another version.
  expect(id).toBe('tzp3ev5cs9jk1');
  expect(taskIdForKey('bea', 'k1')).not.toBe(id);
  expect(taskIdForKey('ada', 'k2')).not.toBe(id);
});
