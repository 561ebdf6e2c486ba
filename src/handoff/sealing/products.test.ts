import { expect, test } from 'vitest';
import { ada, stage } from '../../../test/support/world.ts';

const contract = {
  goal: 'Requests over the limit get status 429 with a Retry-After header.',
  acceptance: ['`node check.js` passes'],
  validation: [{ run: ['node', 'check.js'] }],
  review: { owner: 'lane:audit' as const },
};

test('a handoff of a plan, of a cursor and of a refund needs no file', async () => {
  const at = stage({ gate: 'refuse' });
  const strict = { ...contract, strict: true as const, nonGoals: ['none'] };
  const planner = { ...ada, lane: 'plan' } as const;
  const plan = await at.staffetta.begin(strict, { as: planner, lane: 'plan' });
  await plan.decide('A header, no body.');
  const handed = await plan.handoff({ to: 'lane:execute', claims: { next: 'write the header' } });
  expect(handed.certification).toBe('ready');
  const backfill = await at.staffetta.begin({ ...strict, kind: 'data' }, { as: ada });
  await backfill.progress(4, { of: 9, cursor: 'order-4' });
  const next = { next: 'go on after order-4' };
  expect((await backfill.handoff({ to: 'anyone', claims: next })).findings).toEqual([]);
  const refund = await at.staffetta.begin(
    { goal: 'Order 7 is refunded', review: { human: true } },
    { as: ada },
  );
  const due = { next: 'ask the bank', done: ['the customer was told'] };
  expect((await refund.handoff({ to: 'agent:bank', claims: due })).findings).toEqual([]);
});
