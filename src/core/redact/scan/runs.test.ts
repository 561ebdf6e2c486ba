import { describe, expect, test } from 'vitest';
import { findRuns } from './runs.ts';

const key = ['q8ZtV2nL0p', 'XwR7kD+5mJ', 'bYc1Hs/Ae9', 'UfGiTo3QvK'].join('');
const noise = Buffer.from(Array.from({ length: 96 }, (_, i) => (i * 89 + 151) % 256)).toString('base64');
const runs = (text: string): string[] =>
  findRuns(Buffer.from(text, 'latin1')).map(({ start, end }) => text.slice(start, end));

const rest = (text: string, lineBefore?: string): boolean | undefined =>
  findRuns(Buffer.from(text), lineBefore).at(-1)?.isRest;

describe('a run is worth a look', () => {
  test('that has the length and the variety of a key', () => {
    expect(runs(`x ${key} y`)).toEqual([key]);
    expect(runs(`"\\n${key}"`)).toEqual([`n${key}`]);
  });

  test('that stands for text', () => {
    const encoded = Buffer.from('some text that somebody encoded').toString('base64url');
    expect(runs(`value: ${encoded} `)).toEqual([encoded]);
  });

  test('that two dots follow at the distance of a token', () => {
    const user = Buffer.from('123456789012345678').toString('base64url');
    expect(runs(`${user}.abcdef.${'x1'.repeat(14)}`)[0]).toBe(user);
  });

  test('whose slashes are escaped', () => {
    const escaped = key.replaceAll('/', '\\/');
    expect(runs(`"${escaped}"`)).toEqual([escaped]);
  });

  test('wherever it begins', () => {
    for (let before = 0; before < 60; before += 1) expect(runs(`${' '.repeat(before)}${key}`)).toEqual([key]);
  });

  test('without the sign that a diff puts before it', () => {
    expect(runs(`a\n+${key}`)).toEqual([key]);
    expect(runs(`-${key}`)).toEqual([key]);
  });
});

describe('a run is passed over', () => {
  test.each([
    ['an image', noise],
    ['a digest in hex', 'd41d8cd98f00b204e9800998ecf8427ed41d8cd9'],
    ['a long name', 'a_name_that_is_very_long_indeed_as_names_go'],
    ['dashes', '-'.repeat(80)],
  ])('%s', (_what, text) => {
    expect(runs(text)).toEqual([]);
  });

  test('as the last piece of wrapped base64', () => {
    expect(rest(`${noise.slice(0, 64)}\n${key}\n`)).toBe(true);
    expect(rest(`a word\n${key}\n`)).toBe(false);
    expect(rest(`"${noise.slice(0, 64)}",\n"${key}"\n`)).toBe(true);
    expect(rest(`${key}\n`, noise.slice(0, 64))).toBe(true);
    expect(rest(`${key}\n`, 'words and words and words and words and words and words')).toBe(false);
    expect(rest(`${key}\n`)).toBe(false);
  });
});

test('and in a listing, if the same stands before it as before the line above', () => {
  const line = noise.slice(0, 64);
  expect(rest(`    11\t${line}\n    12\t${key}\n`)).toBe(true);
  expect(rest(`a.pem:11:${line}\na.pem:12:${key}\n`)).toBe(true);
  expect(rest(`+${line}\n+${key}\n`)).toBe(true);
  expect(rest(`SESSION=${line}\nAWS_SECRET=${key}\n`)).toBe(false);
});
