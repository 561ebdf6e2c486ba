import { expect, test } from 'vitest';
import { happenedIn } from './happened.ts';

test('says who did what, without what only follows from it', () => {
  const entry = {
    seq: 9,
    at: 5,
    by: { name: 'root' },
    events: [{ type: 'review-approved', why: 'other' }, { type: 'task-done' }],
  };
  const signed = { seq: 10, at: 6, by: { name: 'root' }, events: [{ type: 'signed' }] };
  expect(happenedIn([{ entry }, { entry: signed }])).toEqual([
    { by: 'root', at: 5, event: { type: 'review-approved', why: 'other' } },
  ]);
});
