import { expect, test } from 'vitest';
import { errorCodes, StaffettaError } from '../core/error.ts';
import { errorResult } from './answer.ts';
import { commandsAsTools } from './next-calls.ts';
import { refusalOf } from './refusal.ts';

test('every code becomes a refusal that names it and proposes nothing destructive', () => {
  for (const code of errorCodes) {
    const refusal = refusalOf(new StaffettaError(code, 'It did not work.', { details: { task: 't1' } }));
    expect(refusal).toMatchObject({ code, message: 'It did not work.', details: { task: 't1' } });
    expect(refusal.next.join(' ')).not.toMatch(/cancel|sweep|--force|rm /);
  }
});

test('a bug of ours is an answer too, and says that nothing was acknowledged', () => {
  const refusal = refusalOf(new TypeError('x is not a function'));
  expect(refusal).toMatchObject({ code: 'bug', retryable: false, next: ['status'] });
  expect(refusal.message).toContain('x is not a function');
});

test('commands in a hint become tools, for those that have no shell', () => {
  expect(commandsAsTools('See: staffetta show t4k9')).toBe('See: the tool status with task t4k9');
  expect(commandsAsTools('staffetta show t4k9 s42')).toBe('the tool read with task t4k9 and what: s42');
  expect(commandsAsTools('Take it first: staffetta take t4k9')).toBe(
    'Take it first: the tool take with task t4k9',
  );
  expect(commandsAsTools('Run: staffetta verify')).toBe('Run: staffetta verify');
});

test('what a message quotes is cut, and what it hides is shown', () => {
  const error = new StaffettaError('invalid-input', `\u001b[31m${'x'.repeat(100_000)}`);
  const [content] = errorResult(error).content;
  const text = content?.type === 'text' ? content.text : '';
  expect(text.length).toBeLessThan(5000);
  expect(text).not.toContain('\u001b');
});
