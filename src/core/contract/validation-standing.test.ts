import { expect, test } from 'vitest';
import { digestOf } from '../journal/digest.ts';
import type { KnownRun } from '../task/state.ts';
import { validationResults } from './validation-standing.ts';

const [here, elsewhere] = [digestOf('here'), digestOf('elsewhere')];
const contract = {
  validation: [{ run: ['npm', 'test'] }],
  phases: [{ name: 'lint', verify: [{ run: ['npm', 'run', 'lint'], name: 'style' }] }],
};

function ran(words: string, outcomes: Partial<KnownRun>): KnownRun {
  return { run: words.split(' '), name: null, passed: null, failed: null, failures: 0, ...outcomes };
}

function standings(runs: readonly KnownRun[], workspace: typeof here | null = here): string[] {
  return validationResults(contract, runs, workspace).map(
    ({ run, outcome, standing }) => `${run.join(' ')}: ${outcome ?? 'none'} ${standing}`,
  );
}

test('what the contract asks for comes first, run or not; what else was run follows', () => {
  const passed = { seq: 4, at: 1, exit: 0, workspace: here };
  expect(standings([ran('make', { passed })])).toEqual([
    'npm test: none not-run',
    'npm run lint: none not-run',
    'make: passed bound',
  ]);
});

test('the later of two outcomes counts', () => {
  const passed = { seq: 4, at: 1, exit: 0, workspace: here };
  const failed = { seq: 5, at: 2, exit: 1, workspace: here };
  expect(standings([ran('npm test', { passed, failed })])[0]).toBe('npm test: failed bound');
  expect(standings([ran('npm test', { passed: { ...passed, seq: 6 }, failed })])[0]).toBe(
    'npm test: passed bound',
  );
});

test('on another workspace, or on one that the command changed itself, a result is stale', () => {
  for (const workspace of [elsewhere, null]) {
    const passed = { seq: 4, at: 1, exit: 0, workspace };
    expect(standings([ran('npm test', { passed })])[0]).toBe('npm test: passed stale');
  }
});

test('without a workspace to compare with, nothing is said about it', () => {
  const passed = { seq: 4, at: 1, exit: 0, workspace: here };
  expect(standings([ran('npm test', { passed })], null)[0]).toBe('npm test: passed unknown');
});
