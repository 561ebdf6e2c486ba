import { expect, test } from 'vitest';
import { contractChanges } from './contract-changes.ts';
import type { Contract } from './contract.ts';

const before: Contract = { v: 1, title: 'Fence', goal: 'The fence stands.', acceptance: ['It is straight.'] };

function phased(run: string): Contract {
  return { ...before, phases: [{ name: 'Paint', verify: [{ run: [run] }] }] };
}

test('a contract that is the same changed in nothing', () => {
  expect(contractChanges(before, { ...before })).toEqual([]);
});

test('each part says what is new in it and what is gone from it', () => {
  const after: Contract = {
    ...before,
    goal: 'The fence stands and is painted.',
    acceptance: ['It is straight.', 'It is green.'],
    validation: [{ run: ['npm', 'test'] }, { run: ['make'], name: 'build' }],
    phases: [{ name: 'Paint', goal: 'Green.' }],
    review: { human: true },
  };
  expect(contractChanges(before, after)).toEqual([
    { part: 'goal', added: ['The fence stands and is painted.'], removed: ['The fence stands.'] },
    { part: 'acceptance', added: ['It is green.'], removed: [] },
    { part: 'validation', added: ['npm test', 'build (make)'], removed: [] },
    { part: 'phases', added: ['Paint: Green.'], removed: [] },
    { part: 'review', added: ['{"human":true}'], removed: [] },
  ]);
  expect(contractChanges(after, before).find(({ part }) => part === 'acceptance')).toEqual({
    part: 'acceptance',
    added: [],
    removed: ['It is green.'],
  });
});

test('what differs in a part of an item that is not printed counts all the same', () => {
  expect(contractChanges(phased('a'), phased('b'))).toEqual([
    { part: 'phases', added: ['Paint'], removed: ['Paint'] },
  ]);
});
