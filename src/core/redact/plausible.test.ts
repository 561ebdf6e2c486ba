import { describe, expect, test } from 'vitest';
import {
  entropy,
  isLikelySecret,
  isNameLike,
  isPasswordLooking,
  isRandomLooking,
  isStandIn,
} from './plausible.ts';

// Made of pieces, so that no scanner takes this file for one that holds secrets.
const random = ['q8Zt', 'V2nL', '0pXw', 'R7kD'].join('');
const password = ['sommer', '2031'].join('');

describe('a stand-in', () => {
  test.each([
    ['a variable of the shell', '$DB_PASSWORD'],
    ['a variable in braces', '${DB_PASSWORD}'],
    ['a variable of Windows', '%DB_PASSWORD%'],
    ['a template', '{{ secrets.token }}'],
    ['a workflow expression', '${{ secrets.TOKEN }}'],
    ['a blank to fill in', '<your-token>'],
    ['a call', '$(cat token)'],
    ['a reference', 'process.env.TOKEN'],
    ['a reference to a vault', 'op://vault/item/field'],
    ['a path', '/run/secrets/token'],
    ['a resource', 'projects/1/secrets/db/versions/2'],
    ['the name of a constant', 'SECRET_VALUE_REF'],
    ['asterisks', '********'],
    ['an ellipsis', 'abc...'],
    ['the same character again and again', 'xxxxxxxx'],
    ['an instruction', 'change-me'],
    ['common words', 'my-secret-token'],
    ['the beginning of a key', ['-----BEGIN', 'RSA'].join(' ')],
    ['a format', '%s:%s'],
  ])('%s is one', (_what, value) => {
    expect(isStandIn(value)).toBe(true);
  });

  test('what somebody made up is none', () => {
    for (const value of [random, password, 'a%20b%41', 'p@ss!w0rd-x'])
      expect([value, isStandIn(value)]).toEqual([value, false]);
  });
});

describe('in the environment', () => {
  test('nearly any value is a secret', () => {
    for (const value of [random, password, 'nodejs', 'correct horse battery', 'a.b-c_d!'])
      expect([value, isLikelySecret(value)]).toEqual([value, true]);
  });

  test('a short word, a number and an expression are none', () => {
    for (const value of ['dev', '4096', '0x10100', 'config.token', 'read(file)', '', 'password'])
      expect([value, isLikelySecret(value)]).toEqual([value, false]);
  });
});

describe('elsewhere', () => {
  test.each([
    ['a type', 'string'],
    ['a type with a number', 'Uint8Array'],
    ['an identifier', 'accessToken'],
    ['an identifier with a number', 'parseToken32'],
    ['a property', 'request.body.password'],
    ['a property with a number', 'oauth2client.client.OAuth2Credentials'],
    ['a call', 'getToken()'],
    ['a sentence', 'Enter your password'],
    ['a version', '^10.20.30'],
    ['a number of a list', 'T1098.001'],
    ['a time', '2026-01-01T00:00:00Z'],
    ['an algorithm', 'AWS4-HMAC-SHA256'],
    ['words with a number', 'chapter-2-notes'],
    ['words in capitals and small letters', '?NonExpressionParenEnd'],
    ['something short', 'a1b2c3'],
  ])('%s is no secret', (_what, value) => {
    expect(isRandomLooking(value)).toBe(false);
  });

  test.each([
    ['letters and digits', random],
    ['hex', 'd41d8cd98f00b204'],
    ['small letters and digits', 'x7k2m9q4w8e1'],
    ['letters that change case', 'xKqTbNwZrLpMgV'],
    ['signs between letters', 'pq$zk!mw#'],
    ['a number of many parts', '49ab6439-9d9f-4737-be7b-6df7c617e163'],
  ])('%s could be one', (_what, value) => {
    expect(isRandomLooking(value)).toBe(true);
  });

  test('a word and a number are a password where the name says password, and only there', () => {
    expect(isPasswordLooking(password)).toBe(true);
    expect(isRandomLooking(password)).toBe(false);
  });
});

test('names stand in words, random characters do not', () => {
  expect(isNameLike('RequestTLSDescInGOTAndTransformToDelta32')).toBe(true);
  expect(isNameLike(`${random}${random}`)).toBe(false);
});

test('entropy is the number of bits that tell one character from another', () => {
  expect(entropy('aaaa')).toBe(0);
  expect(entropy('abcd')).toBe(2);
});

test('a long value is judged by its beginning', () => {
  const started = performance.now();
  for (const judge of [isLikelySecret, isRandomLooking, isPasswordLooking, isStandIn])
    judge('passwordpass'.repeat(100_000));
  expect(performance.now() - started).toBeLessThan(200);
});
