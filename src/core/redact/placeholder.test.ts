import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { fingerprintWith, placeholder, placeholdersIn, withoutPlaceholders } from './placeholder.ts';

test.each([16, 32, 64, 65, 200])('a fingerprint is HMAC-SHA-256 with a key of %i bytes', (bytes) => {
  const key = Buffer.alloc(bytes, 9);
  const secret = Buffer.from('pässword').toString('latin1');
  const expected = createHmac('sha256', key).update('staffetta/redaction/v1\npässword').digest('hex');
  expect(fingerprintWith(key)(secret)).toBe(expected.slice(0, 12));
});

test('the same secret has the same fingerprint under one key and another under another', () => {
  const one = fingerprintWith(Buffer.alloc(32, 1));
  expect(one('a')).toBe(one('a'));
  expect(one('a')).not.toBe(one('b'));
  expect(one('a')).not.toBe(fingerprintWith(Buffer.alloc(32, 2))('a'));
});

test('a thousand other secrets in between change nothing', () => {
  const print = fingerprintWith(Buffer.alloc(32));
  const before = print('a');
  for (let i = 0; i < 1500; i += 1) print(`other ${i}`);
  expect(print('a')).toBe(before);
});

test('placeholders are found in a text and can be taken out of it', () => {
  const mark = placeholder('jwt', '0123456789ab');
  const text = `a ${mark} b ${mark}`;
  expect(placeholdersIn(text).map(({ start, end }) => text.slice(start, end))).toEqual([mark, mark]);
  expect(withoutPlaceholders(text)).toBe('a  b ');
});

test('what only begins like a placeholder is none', () => {
  for (const text of [
    '[redacted:]',
    '[redacted:jwt:xyz]',
    '[redacted:jwt:0123456789abc]',
    '[redacted:A b:0123456789ab]',
  ])
    expect(placeholdersIn(text)).toEqual([]);
});

test('a placeholder needs no escape in JSON', () => {
  const mark = placeholder('assigned-secret', '0123456789ab');
  expect(JSON.stringify(mark)).toBe(`"${mark}"`);
});
