import { expect, test } from 'vitest';
import { address } from './address.ts';
import { UsageError } from '../frame/usage.ts';

test('a word that means an address is one', () => {
  expect(address('codex')).toBe('runtime:codex');
});

test('a word that means none is a wrong call, with what to write', () => {
  expect(() => address('exceute')).toThrow(UsageError);
  expect(() => address('exceute')).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(/Did you mean execute/),
      hint: expect.stringMatching(/agent:exceute/),
    }),
  );
});
