import { expect, test } from 'vitest';
import { StaffettaError } from '../base/error.ts';
import { refusalWords } from './refusal-words.ts';

const finding = (n: number) => ({
  rule: 'untracked-lost',
  severity: 'error',
  path: `losses.${n}`,
  text: 'x'.repeat(80),
});

function refusal(count: number): StaffettaError {
  const findings = [
    { rule: 'goal-vague', severity: 'warning', path: 'contract.goal', text: 'y' },
    ...Array.from({ length: count }, (_, n) => finding(n)),
  ];
  return new StaffettaError('not-ready', 'It must be ready.', { details: { findings } });
}

test('a refusal is told with the rules and places of its errors, and not with what is no error', () => {
  expect(refusalWords(refusal(2), 2000)).toBe(
    `It must be ready.\nuntracked-lost, losses.0: ${'x'.repeat(80)}\nuntracked-lost, losses.1: ${'x'.repeat(80)}`,
  );
  expect(refusalWords(new StaffettaError('not-ready', 'No.'), 2000)).toBe('No.');
});

test('it is never longer than it may be, and counts what it leaves out', () => {
  const words = refusalWords(refusal(100), 1000);
  expect(words.length).toBeLessThanOrEqual(1000);
  const told = words.split('\n').filter((line) => line.startsWith('untracked-lost')).length;
  expect(words).toMatch(new RegExp(`\nand ${100 - told} more$`));
  expect(refusalWords(new StaffettaError('not-ready', 'x'.repeat(3000)), 1000)).toHaveLength(1000);
  expect(refusalWords(refusal(1), 30)).toBe('It must be ready.\nand 1 more');
});
