import { describe, expect, test } from 'vitest';
import type { Contract } from './contract.ts';
import { demandsOf, outsideGitDemands, type Changed } from './demands.ts';
import type { PolicyKind } from './policy-kinds.ts';
import type { Change, Committed } from '../tree/workspace.ts';

function contract(more: Partial<Contract>): Contract {
  return { v: 1, title: 'Limits', goal: 'Requests are limited.', ...more };
}

const edited: Change = { path: 'src/limit.ts', unstaged: 'modified', type: 'file' };
const committed: Committed = { since: 'a'.repeat(40), files: [], left: 0, added: 0, removed: 0 };
const none: Changed = { changes: [], changesLeft: 0, committed, isGit: true, lines: 0 };

describe('a person is asked', () => {
  test.each([
    ['a protected file', 'src/limit.ts'],
    ['a protected folder', 'src/'],
    ['a glob', 'src/**/*.ts'],
    ['a name at any depth', 'limit.ts'],
    ['a path from here', './src'],
    ['a glob from here', './/src/**'],
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

const guarded = contract({ protectedPaths: ['billing/'] });

function asking(policy: NonNullable<NonNullable<Contract['review']>['policy']>): Contract {
  return contract({ review: { owner: 'lane:audit', policy } });
}

test('a protected path is protected whether it was committed or not', () => {
  const changes = [{ path: 'billing/a.ts', unstaged: 'modified', type: 'file' }] as const;
  expect(demandsOf(guarded, { ...none, changes })).toEqual(['billing/a.ts is protected (billing/).']);
  const files = [{ path: 'billing/a.ts', status: 'modified', type: 'file' } as const];
  const said = ['billing/a.ts is protected (billing/).'];
  expect(demandsOf(guarded, { ...none, committed: { ...committed, files } })).toEqual(said);
  expect(demandsOf(guarded, { ...none, changes, committed: { ...committed, files } })).toEqual(said);
});

test('a file that was moved out of a protected place counts', () => {
  const files = [{ path: 'src/a.ts', from: 'billing/a.ts', status: 'renamed', type: 'file' } as const];
  expect(demandsOf(guarded, { ...none, committed: { ...committed, files } })).toHaveLength(1);
});

test('policy looks at committed kinds and lines', () => {
  const files = [{ path: 'run.sh', status: 'added', type: 'file', executable: true } as const];
  const changed = { ...none, lines: 4, committed: { ...committed, files, added: 5, removed: 2 } };
  expect(demandsOf(asking({ kinds: ['executable', 'added', 'deleted'] }), changed)).toEqual([
    'run.sh is a change of a kind for a person to judge (executable).',
    'run.sh is a change of a kind for a person to judge (added).',
  ]);
  expect(demandsOf(asking({ diffLinesMax: 11 }), changed)).toEqual([]);
  expect(demandsOf(asking({ diffLinesMax: 10 }), changed)).toEqual([
    '11 lines were changed; more than 10 need a person.',
  ]);
});

describe('inside what was changed', () => {
  const pointer = { path: 'lib', status: 'modified', type: 'submodule' } as const;
  const moved: Changed = { ...none, committed: { ...committed, files: [pointer] } };

  test.each([
    ['lib/src/', 1],
    ['./lib//src', 1],
    ['lib/**/*.ts', 1],
    ['l*/src', 1],
    ['*.pem', 1],
    ['**/keys', 1],
    ['library/src/', 0],
    ['src/lib/', 0],
    ['a/b', 0],
  ])('a submodule that was moved may hold %s: %i', (glob, demands) => {
    expect(demandsOf(contract({ protectedPaths: [glob] }), moved)).toHaveLength(demands);
    expect(demandsOf(asking({ paths: [glob] }), moved)).toHaveLength(demands);
  });

  test('a submodule that is named itself is told once', () => {
    expect(demandsOf(contract({ protectedPaths: ['lib'] }), moved)).toEqual(['lib is protected (lib).']);
  });

  test('a submodule with changes of its own counts, and one as it should be does not', () => {
    const [here, there] = ['a'.repeat(40), 'b'.repeat(40)];
    const asked = contract({ protectedPaths: ['lib/src/'] });
    const of = (more: object): string[] =>
      demandsOf(asked, {
        ...none,
        submodules: [{ path: 'lib', commit: here, head: here, dirty: false, ...more }],
      });
    expect(of({})).toEqual([]);
    expect(of({ head: null })).toEqual([]);
    expect(of({ dirty: true })).toHaveLength(1);
    expect(of({ head: there })).toHaveLength(1);
  });

  test('a link in the place of a folder that holds what is watched', () => {
    const link: Change = { path: 'lib', staged: 'added', type: 'link', target: 'other' };
    const changed = { ...none, changes: [link] };
    expect(demandsOf(contract({ protectedPaths: ['/lib/src/'] }), changed)).toHaveLength(1);
    expect(demandsOf(contract({ protectedPaths: ['*.pem'] }), changed)).toEqual([]);
  });
});

test('work handed in from outside git demands a person, where anything is watched', () => {
  expect(outsideGitDemands(guarded)).toHaveLength(1);
  expect(outsideGitDemands(asking({ kinds: ['deleted'] }))).toHaveLength(1);
  expect(outsideGitDemands(contract({}))).toEqual([]);
});

test('what nobody can tell demands a person, where anything is watched', () => {
  const gone: Changed = { ...none, committed: { ...committed, gone: true, added: null, removed: null } };
  const { committed: _, ...unknown } = none;
  const many: Changed = { ...none, changesLeft: 1, committed: { ...committed, left: 2 } };
  expect(demandsOf(guarded, gone)[0]).toContain('is gone');
  expect(demandsOf(guarded, unknown)[0]).toContain('Nobody recorded where the work began');
  expect(demandsOf(guarded, many)).toEqual([
    '3 more changes are not listed and may touch what is protected.',
  ]);
  expect(demandsOf(asking({ diffLinesMax: 10 }), gone)[0]).toContain('Nobody counted');
  const free = contract({});
  for (const changed of [gone, unknown, many]) expect(demandsOf(free, changed)).toEqual([]);
  expect(demandsOf(guarded, { ...unknown, isGit: false })).toEqual([]);
});
