import { describe, expect, test } from 'vitest';
import {
  formatAgo,
  formatDuration,
  formatLeft,
  formatShort,
  parseDuration,
  parsePositiveDuration,
  untilFrom,
} from './duration.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

describe('read', () => {
  test.each([
    ['250ms', 250],
    ['90s', 90 * second],
    ['15m', 15 * minute],
    ['1.5h', 90 * minute],
    ['30d', 30 * day],
    ['2w', 14 * day],
    [' 2 h ', 2 * hour],
    ['0s', 0],
  ])('%j', (text, ms) => {
    expect(parseDuration(text, 'lease')).toBe(ms);
  });

  test.each(['yesterday', '25:99', '10', '14:5'])(
    'until %j is refused with the forms that there are',
    (text) => {
      expect(() => untilFrom(text, 0)).toThrow('--until takes a time such as 2h, 14:05 or 2027-01-31');
    },
  );

  test.each(['', '10', 'm', '-5m', '5 minutes', '1h30m', '1e9s', '∞', '5M'])('%j is refused', (text) => {
    expect(() => parseDuration(text, 'lease')).toThrow('--lease takes a time such as');
  });

  test('a bare number is asked for its unit', () => {
    expect(() => parseDuration('10', 'lease')).toThrow('Did you mean 10s?');
  });

  test('a time beyond any calendar is refused', () => {
    expect(() => parseDuration('99999999w', 'expires')).toThrow('at most a hundred years');
    expect(() => parseDuration('9'.repeat(400) + 'w', 'expires')).toThrow('at most a hundred years');
  });

  test('no time at all is refused where it makes no sense', () => {
    expect(() => parsePositiveDuration('0s', 'expires')).toThrow('--expires takes a time above zero');
    expect(parsePositiveDuration('1ms', 'expires')).toBe(1);
  });
});

describe('written', () => {
  test.each([
    [0, '0 ms', '0s'],
    [999, '999 ms', '0s'],
    [1000, '1 s', '1s'],
    [59_999, '59 s', '59s'],
    [minute, '1 min', '1m'],
    [5 * minute + 13 * second, '5 min 13 s', '5m'],
    [12 * minute + 13 * second, '12 min', '12m'],
    [hour, '1 h', '1h'],
    [26 * hour + 5 * minute, '26 h 5 min', '26h'],
    [3 * day, '3 d', '3d'],
  ])('%d ms', (ms, long, short) => {
    expect(formatDuration(ms)).toBe(long);
    expect(formatShort(ms)).toBe(short);
  });

  test('a lease that has just begun has its whole time left', () => {
    expect(formatLeft(minute, 1)).toBe('1 min left');
    expect(formatLeft(minute, minute)).toBe('0 ms left');
    expect(formatLeft(0, 5 * second)).toBe('5 s over');
  });

  test('the past is told from the present', () => {
    expect(formatAgo(1000, 1500)).toBe('just now');
    expect(formatAgo(0, 90 * second)).toBe('1 min 30 s ago');
  });
});
