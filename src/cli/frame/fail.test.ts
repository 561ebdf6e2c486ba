import { describe, expect, test } from 'vitest';
import { errorCodes, StaffettaError } from '../../core/base/error.ts';
import { exitCode, exits, failureFrom, failureWords } from './fail.ts';
import { UsageError } from './usage.ts';

describe('exit codes', () => {
  test('every error has one, and none of them is success', () => {
    const known: readonly number[] = Object.values(exits);
    for (const code of errorCodes) {
      expect(known).toContain(exitCode(code));
      expect(exitCode(code)).not.toBe(exits.ok);
    }
  });

  test.each([
    ['invalid-input', 2],
    ['unknown-task', 3],
    ['not-holder', 4],
    ['stale-generation', 5],
    ['not-acknowledged', 6],
    ['review-required', 7],
    ['needs-unmet', 8],
    ['corrupt', 9],
    ['store-full', 1],
    ['interrupted', 130],
  ] as const)('%s is %d', (code, exit) => {
    expect(failureFrom(new StaffettaError(code, 'No.')).exit).toBe(exit);
  });
});

describe('words', () => {
  test('a refusal says what was wrong and what to do', () => {
    const failure = failureFrom(
      new StaffettaError('held', 'It is held.', { hint: 'Wait.', details: { by: 'ada' } }),
    );
    expect(failureWords(failure)).toBe('staffetta: It is held.\n  Wait.');
    expect(failure.error).toEqual({
      code: 'held',
      message: 'It is held.',
      hint: 'Wait.',
      retryable: false,
      details: { by: 'ada' },
    });
  });

  test('trouble with a store names the store', () => {
    const full = new StaffettaError('store-full', 'The disk is full.', { details: { store: '/x/store.db' } });
    expect(failureWords(failureFrom(full))).toBe('staffetta: The disk is full.\n  Store: /x/store.db');
  });

  test('a usage error carries its hint as data too', () => {
    const failure = failureFrom(new UsageError('No.', 'Yes.'));
    expect(failure).toEqual({ exit: 2, error: { code: 'usage', message: 'No.', hint: 'Yes.' } });
  });

  test('anything else is our own fault, and says so', () => {
    for (const thrown of [new TypeError('x is not a function'), 'a string', undefined]) {
      const failure = failureFrom(thrown);
      expect(failure).toMatchObject({ exit: 1, error: { code: 'bug' } });
      expect(failureWords(failure)).toContain('This is a bug in staffetta.');
    }
  });

  test('what somebody else wrote cannot reach the terminal through an error', () => {
    const failure = failureFrom(new StaffettaError('denied', 'No, \u001b[2J\u202e!'));
    expect(failureWords(failure)).toBe('staffetta: No, ␛\ufffd!');
  });
});
