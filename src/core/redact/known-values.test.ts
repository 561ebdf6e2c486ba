import { describe, expect, test } from 'vitest';
import { isDistinctive, secretValuesOf, spellingsOf } from './known-values.ts';

const value = ['tr0ub4', 'dor&3', '/x+'].join('');

describe('values of an environment', () => {
  test('are taken where the name is that of a secret', () => {
    const env = {
      DB_PASSWORD: value,
      HOME: '/home/ada7x9q2',
      EDITOR: 'q8ZtV2nL0pXw',
      GITHUB_PAT: 'a1b2c3d4e5f6',
    };
    expect(secretValuesOf(env)).toEqual(['a1b2c3d4e5f6', value].toSorted());
  });

  test('the folder that a shell stands in is no secret, however it is called', () => {
    const folder = "/srv/Kunde's Größe & more (v2)";
    expect(secretValuesOf({ PWD: folder, OLDPWD: folder })).toEqual([]);
  });

  test('takes the name of a session for no secret, so that an agent may open and take in it', () => {
    const id = '7b1c9a52-6d1e-4b7a-9f55-2f6f0f1d8a77';
    expect(secretValuesOf({ STAFFETTA_SESSION: id, STAFFETTA_LEG: `T-${id}/1` })).toEqual([]);
    expect(secretValuesOf({ APP_SESSION: id })).toEqual([id]);
  });

  test('are taken line by line', () => {
    expect(secretValuesOf({ APP_SECRET: `${value}\n\nshort\n${value}2\n` })).toEqual([value, `${value}2`]);
  });

  test('are each listed once, in an order that does not depend on the environment', () => {
    const first = 'aq91kdvd97';
    const last = 'zq91kdvd97';
    expect(secretValuesOf({ B_TOKEN: last, A_TOKEN: first, C_TOKEN: last })).toEqual([first, last]);
  });

  test.each([
    ['a common word', 'development'],
    ['a stand-in', 'changeme'],
    ['something short', 'a1b2c3'],
    ['a small number', '20260101'],
    ['a path', '/run/user/1000/agent.sock'],
    ['a path with letters of another script', '/home/müller/проект/日本 2'],
    ['a path of Windows', 'C:\\Users\\Jürgen\\app'],
    ['a variable', '${OTHER}'],
    ['a switch', 'true'],
    ['few different characters', 'abababab1'],
    ['a place', 'us-east-1'],
  ])('%s would turn up by chance and is left out', (_what, ordinary) => {
    expect(isDistinctive(ordinary)).toBe(false);
  });

  test('what is long enough qualifies without digits', () => {
    expect(isDistinctive('correcthorsebatterystaple')).toBe(true);
  });
});

describe('a value is known in every spelling', () => {
  const spellings = spellingsOf(value);

  test('as it is, in JSON, in JSON in JSON, in a URL', () => {
    expect(spellings).toContain(value);
    expect(spellingsOf('a"b\\c d1e2')).toContain('a\\"b\\\\c d1e2');
    expect(spellingsOf('a"b\\c d1e2')).toContain('a\\\\\\"b\\\\\\\\c d1e2');
    expect(spellings).toContain(encodeURIComponent(value));
  });

  test('in base64, wherever it begins', () => {
    for (const before of ['', 'a', 'ab', 'abc', 'user:']) {
      const encoded = Buffer.from(`${before}${value}\n`).toString('base64');
      expect(spellings.some((spelling) => encoded.includes(spelling))).toBe(true);
    }
  });

  test('beyond ASCII as the bytes of UTF-8', () => {
    expect(spellingsOf('pässwörd-7x')).toContain(Buffer.from('pässwörd-7x').toString('latin1'));
  });
});
