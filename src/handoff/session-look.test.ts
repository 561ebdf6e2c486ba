import { expect, test } from 'vitest';
import type { Condition } from '../core/transcript/condition.ts';
import { triggerOf } from './session-look.ts';

const calm: Condition = { settled: true, turn: 'person', calls: [], window: null, stopped: null };

test('what stopped a session is why it changes hands, though its process is gone as well', () => {
  const dead = { liveness: 'dead' } as const;
  expect(triggerOf(dead, { ...calm, stopped: 'context-limit' })).toBe('context-limit');
  expect(triggerOf(dead, { ...calm, stopped: 'usage-limit' })).toBe('usage-limit');
  expect(triggerOf(dead, { ...calm, stopped: 'error' })).toBe('crash');
});

test('nothing forces a session that stands still to change hands', () => {
  expect(triggerOf({ liveness: 'ended' }, calm)).toBeNull();
});
