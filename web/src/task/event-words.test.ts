import { expect, test } from 'vitest';
import { eventLine, eventText } from './event-words.ts';

test('what somebody wrote is said first', () => {
  expect(eventLine({ type: 'note', v: 1, text: 'wet' })).toBe('wet');
  expect(eventLine({ type: 'attempt-failed', what: 'oak', why: 'too hard' })).toBe('oak: too hard');
  expect(eventText({ type: 'review-sent-back', findings: [{ text: 'a gap', path: 'x' }] })).toBe('a gap');
  expect(eventLine({ type: 'validation-run', run: ['npm', 'test'] })).toBe('npm test');
});

test('an event without words says what it points at', () => {
  const packet = `sha256:${'ab'.repeat(32)}`;
  expect(eventLine({ type: 'leg-started', generation: 3, offer: null })).toBe('generation 3');
  expect(eventLine({ type: 'submitted', packet })).toBe('packet abababababab');
  expect(eventLine({ type: 'checkpoint-sealed', certification: 'valid', findings: packet })).toBe(
    'not ready',
  );
  expect(eventLine({ type: 'task-done' })).toBe('');
});
