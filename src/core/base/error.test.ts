import { expect, test } from 'vitest';
import { errorCodes, isStaffettaError, StaffettaError } from './error.ts';

test('an error carries code, details, hint and cause', () => {
  const cause = new Error('below');
  const error = new StaffettaError('held', 'It is held.', { details: { by: 'ada' }, hint: 'Wait.', cause });
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({
    name: 'StaffettaError',
    code: 'held',
    message: 'It is held.',
    details: { by: 'ada' },
    hint: 'Wait.',
    cause,
  });
});

test('only what may pass by itself is worth trying again', () => {
  const retryable = errorCodes.filter((code) => new StaffettaError(code, '').retryable);
  expect(retryable).toEqual([
    'session-busy',
    'too-early',
    'conflict',
    'outcome-unknown',
    'store-busy',
    'far-unreachable',
  ]);
});

test('an error is told by its code', () => {
  const error = new StaffettaError('held', '');
  expect(isStaffettaError(error)).toBe(true);
  expect(isStaffettaError(error, 'held')).toBe(true);
  expect(isStaffettaError(error, 'bounce')).toBe(false);
  expect(isStaffettaError(new Error('held'))).toBe(false);
  expect(isStaffettaError({ code: 'held' })).toBe(false);
});

test('no code is listed twice', () => {
  expect(new Set(errorCodes).size).toBe(errorCodes.length);
});
