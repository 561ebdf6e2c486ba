import { expect, test } from 'vitest';
import { addressFrom } from './address.ts';

test('an address is whole, or a word that can only mean one', () => {
  for (const [given, meant] of [
    ['anyone', 'anyone'],
    ['audit', 'lane:audit'],
    ['codex', 'runtime:codex'],
    ['bea', 'agent:bea'],
    ['agent:codex', 'agent:codex'],
    ['runtime:mine', 'runtime:mine'],
  ] as const)
    expect(addressFrom('to', given)).toBe(meant);
});

test('a slip, a person and what is no address are refused, each with what to write', () => {
  expect(() => addressFrom('to', 'codexx')).toThrow('Did you mean codex');
  expect(() => addressFrom('to', 'runtime:codexx')).toThrow('not a runtime that is known');
  expect(() => addressFrom('to', 'human:eve')).toThrow('a word for a person');
  for (const strange of ['', 'lane:fast', 'a b', 'x:y', '__proto__'])
    expect(() => addressFrom('to', strange)).toThrow('to:');
});
