import { expect, test } from 'vitest';
import type { Contract } from '../contract/contract.ts';
import { contractItems } from './from-contract.ts';

const contract: Contract = { v: 1, title: 'Limits', goal: 'Requests over the limit get 429.' };

test('a task of a crew says what may be changed, where it goes, who hands it to whom, and within which budget', () => {
  const items = contractItems({
    ...contract,
    phases: [{ name: 'plan', human: true }],
    paths: ['src/limit.ts'],
    integrate: { onto: 'staffetta/limits' },
    edges: [{ from: 'code', to: 'qa' }],
    budget: { tokens: 1000, legs: 1, ms: 60_000, cost: { amount: 2.5, unit: 'USD' } },
  });
  expect(items.map(({ label, text }) => `${label}: ${text}`).slice(1)).toEqual([
    'Phase: plan (a person approves it before the next one)',
    'May be changed: src/limit.ts',
    'Goes onto: staffetta/limits',
    'Handed on: code -> qa',
    'Budget: 1000 tokens, 1 leg, 60 s held, 2.5 USD',
  ]);
  expect(contractItems({ ...contract, paths: [] }).at(-1)?.text).toBe('nothing');
  expect(contractItems({ ...contract, edges: 'any' })).toHaveLength(1);
});
