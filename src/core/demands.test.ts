import { describe, expect, test } from 'vitest';
import type { Contract } from './contract.ts';
import { demandsOf, type Changed } from './demands.ts';
import type { PolicyKind } from './terms.ts';
import type { Change } from './workspace.ts';

function contract(more: Partial<Contract>): Contract {
  return { v: 1, title: 'Limits', goal: 'Requests are limited.', ...more };
}

const edited: Change = { path: 'src/limit.ts', unstaged: 'modified', type: 'file' };
const none: Changed = { changes: [], changesLeft: 0, lines: 0 };

describe('a person is asked', () => {
  test.each([
    ['a protected file', 'src/limit.ts'],
    ['a protected folder', 'src/'],
    ['a glob', 'src/**/*.ts'],
    ['a name at any depth', 'limit.ts'],
  ])('%s', (_what, glob) => {
    expect(demandsOf(contract({ protectedPaths: [glob] }), { ...none, changes: [edited] })).toEqual([
      `src/limit.ts is protected (${glob}).`,
    ]);
  });

  test('a protected file that was moved away', () => {
    const moved: Change = { path: 'b.ts', from: 'src/limit.ts', staged: 'renamed', type: 'file' };
    expect(
      demandsOf(contract({ protectedPaths: ['src/limit.ts'] }), { ...none, changes: [moved] }),
    ).toHaveLength(1);
  });

  test.each<[PolicyKind, Change]>([
    ['added', { path: 'a', untracked: true, type: 'file' }],
    ['added', { path: 'a', staged: 'added', type: 'file' }],
    ['deleted', { path: 'a', unstaged: 'deleted', type: 'absent' }],
    ['renamed', { path: 'a', from: 'b', staged: 'renamed', type: 'file' }],
    ['binary', { path: 'a', unstaged: 'modified', type: 'file', binary: true }],
    ['executable', { path: 'a', untracked: true, type: 'file', executable: true }],
    ['link', { path: 'a', untracked: true, type: 'link', target: 'b' }],
    ['submodule', { path: 'a', unstaged: 'modified', type: 'submodule' }],
  ])('%s is a kind the policy can name', (kind, change) => {
    const asked = contract({ review: { policy: { kinds: [kind] } } });
    expect(demandsOf(asked, { ...none, changes: [change] })).toHaveLength(1);
    expect(demandsOf(asked, { ...none, changes: [edited] })).toEqual([]);
  });

  test('more lines than the policy allows, or nobody counted them', () => {
    const asked = contract({ review: { policy: { diffLinesMax: 100 } } });
    expect(demandsOf(asked, { ...none, lines: 100 })).toEqual([]);
    expect(demandsOf(asked, { ...none, lines: 101 })).toHaveLength(1);
    expect(demandsOf(asked, { ...none, lines: null })).toHaveLength(1);
  });

  test('changes that are not listed may be of what is protected', () => {
    const many = { ...none, changesLeft: 3 };
    expect(demandsOf(contract({ protectedPaths: ['x'] }), many)).toHaveLength(1);
    expect(demandsOf(contract({}), many)).toEqual([]);
  });
});

test('nobody is asked where the contract names nothing', () => {
  expect(demandsOf(contract({}), { ...none, changes: [edited], lines: 9000 })).toEqual([]);
});
