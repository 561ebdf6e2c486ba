import { describe, expect, test } from 'vitest';
import { digestOf } from '../journal/digest.ts';
import { isStaffettaError, type ErrorCode } from '../base/error.ts';
import { limits } from '../base/limits.ts';
import { driftOf, noLongerChanged, type LyingAt } from './workspace-drift.ts';
import {
  lossReasons,
  lossWords,
  changeLine,
  changeWords,
  losesWork,
  manifestBlobs,
  parseManifest,
  sealManifest,
  statusOf,
  WorkspaceFacts,
  type Change,
  type Manifest,
} from './workspace.ts';

const a = digestOf('a');
const b = digestOf('b');

function content(text: string): { bytes: number; stored: typeof a } {
  return { bytes: text.length, stored: digestOf(text) };
}

const manifest: Manifest = {
  v: 1,
  kind: 'git',
  head: '1'.repeat(40),
  entries: [
    {
      path: 'a.txt',
      index: { mode: '100644', oid: '2'.repeat(40), content: content('staged') },
      worktree: { type: 'file', executable: true, content: content('a') },
    },
    { path: 'gone.txt', index: null, worktree: null },
    { path: 'l', worktree: { type: 'link', target: 'a.txt' } },
    {
      path: 'two.txt',
      stages: [{ stage: 2, entry: { mode: '100644', oid: '3'.repeat(40), content: content('ours') } }],
      worktree: { type: 'file', content: content('a') },
    },
  ],
  losses: [{ path: 'big', reason: 'too-large', bytes: 1e9 }],
};

function bytes(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

function codeOf(act: () => unknown): ErrorCode | undefined {
  try {
    act();
  } catch (error) {
    if (isStaffettaError(error)) return error.code;
    throw error;
  }
  return undefined;
}

describe('a manifest', () => {
  test('P11: is the same bytes however it was put together, and comes back from them', () => {
    const sealed = sealManifest(manifest);
    const turned = Object.fromEntries(Object.entries(manifest).toReversed()) as Manifest;
    expect(sealManifest(turned)).toEqual(sealed);
    expect(parseManifest(sealed.bytes)).toEqual(manifest);
  });

  test('names each blob it needs once', () => {
    expect(manifestBlobs(manifest).sort()).toEqual(
      [digestOf('staged'), digestOf('a'), digestOf('ours')].sort(),
    );
  });

  test('that is damaged, foreign or newer is told apart', () => {
    expect(codeOf(() => parseManifest(Buffer.from('nonsense')))).toBe('corrupt');
    expect(codeOf(() => parseManifest(bytes({ ...manifest, extra: 1 })))).toBe('corrupt');
    expect(codeOf(() => parseManifest(bytes(null)))).toBe('corrupt');
    expect(codeOf(() => parseManifest(bytes({ ...manifest, v: 2 })))).toBe('store-newer');
    const modes = [{ path: 'x', index: { mode: '104755', oid: '2'.repeat(40) }, worktree: null }];
    expect(codeOf(() => parseManifest(bytes({ ...manifest, entries: modes })))).toBe('corrupt');
  });

  test('too large for a blob is refused', () => {
    const entries = Array.from({ length: 5000 }, (_, i) => ({
      path: `${i}${'x'.repeat(4000)}`,
      worktree: null,
    }));
    expect(Buffer.byteLength(JSON.stringify(entries))).toBeGreaterThan(limits.blobBytesMax);
    expect(codeOf(() => sealManifest({ ...manifest, entries }))).toBe('too-large');
  });
});

describe('losses', () => {
  test('each reason has words, and some are only notes', () => {
    for (const reason of lossReasons) expect(lossWords[reason]).toMatch(/\w/);
    expect(lossReasons.filter((reason) => !losesWork(reason)).sort()).toEqual([
      'empty-folder',
      'no-diff',
      'not-searched',
      'operation',
      'skipped-folder',
      'start-gone',
      'submodule-checkout',
    ]);
  });
});

describe('a change in one word', () => {
  const file: Change = { path: 'a', type: 'file', bytes: 1, digest: a };
  test.each([
    [{ ...file, untracked: true as const }, 'untracked'],
    [{ ...file, untracked: true as const, staged: 'deleted' as const }, 'modified'],
    [{ ...file, staged: 'renamed' as const, unstaged: 'modified' as const }, 'renamed'],
    [{ ...file, unstaged: 'typechange' as const }, 'typechange'],
    [
      { path: 'a', type: 'absent' as const, staged: 'added' as const, unstaged: 'deleted' as const },
      'deleted',
    ],
    [{ ...file, conflict: 'both-added' as const }, 'conflicted'],
  ])('%j is %s', (change, status) => {
    expect(statusOf(change)).toBe(status);
  });
});

test('a renamed file is listed with where it came from', () => {
  const renamed: Change = { path: 'b', staged: 'renamed', from: 'a', type: 'file' };
  expect([changeLine(renamed), changeWords(renamed)]).toEqual(['renamed: b (from a)', 'renamed from a']);
  const gone: Change = { ...renamed, unstaged: 'deleted', type: 'absent' };
  expect([changeLine(gone), changeWords(gone)]).toEqual(['deleted: b', 'deleted']);
});

/** How each path stands, where paths are one letter. */
function paths(then: WorkspaceFacts, now: WorkspaceFacts): string[] {
  return driftOf(then, now).flatMap(({ fact, standing }) =>
    fact.length === 1 ? [`${fact} ${standing}`] : [],
  );
}

describe('drift', () => {
  const facts: WorkspaceFacts = {
    v: 1,
    kind: 'git',
    root: '/w',
    digest: a,
    git: {
      worktree: 'main',
      branch: 'main',
      head: '1'.repeat(40),
      base: null,
      upstream: { name: 'origin/main', ahead: 1, behind: 0 },
      operation: null,
      shallow: false,
      sparse: false,
      submodules: [],
    },
    counts: { staged: 0, unstaged: 2, untracked: 0, conflicted: 0 },
    changes: [
      { path: 'a', unstaged: 'modified', type: 'file', bytes: 1, digest: a },
      { path: 'b', unstaged: 'modified', type: 'file', bytes: 1, digest: a },
    ],
    changesLeft: 0,
    losses: [],
    lossesLeft: 0,
  };

  test('the example is one', () => {
    expect(WorkspaceFacts.parse(facts)).toEqual(facts);
  });

  test('P6: facts that hold are still true', () => {
    expect(driftOf(facts, facts).map(({ fact, standing }) => [fact, standing])).toEqual([
      ['workspace', 'same'],
      ['tree', 'same'],
      ['head', 'same'],
      ['branch', 'same'],
      ['upstream', 'same'],
      ['a', 'same'],
      ['b', 'same'],
    ]);
  });

  test('P6: what changed, went and came is told', () => {
    const git = facts.git && {
      ...facts.git,
      branch: null,
      upstream: null,
      operation: { kind: 'merge' as const },
    };
    const now: WorkspaceFacts = {
      ...facts,
      digest: b,
      git,
      changes: [
        { path: 'a', unstaged: 'modified', type: 'file', bytes: 1, digest: b },
        { path: 'c', untracked: true, type: 'file', bytes: 1, digest: b },
      ],
    };
    expect(driftOf(facts, now).filter(({ standing }) => standing !== 'same')).toEqual([
      { fact: 'tree', was: a, is: b, standing: 'changed' },
      { fact: 'branch', was: 'main', is: 'detached', standing: 'changed' },
      { fact: 'upstream', was: 'origin/main +1 -0', is: null, standing: 'gone' },
      { fact: 'operation', was: null, is: 'merge', standing: 'new' },
      { fact: 'a', was: 'modified', is: 'modified', standing: 'changed' },
      { fact: 'b', was: 'modified', is: null, standing: 'gone' },
      { fact: 'c', was: null, is: 'untracked', standing: 'new' },
    ]);
  });

  test('P6: what is no change any more is told by what lies there', () => {
    const file = { type: 'file' as const, bytes: 1, digest: a };
    const then: WorkspaceFacts = {
      ...facts,
      changes: [
        { path: 'a', unstaged: 'modified', ...file },
        { path: 'b', staged: 'deleted', type: 'absent' },
        { path: 'c', untracked: true, ...file },
        { path: 'd', untracked: true, ...file },
        { path: 'e', unstaged: 'modified', ...file },
        { path: 'f', staged: 'renamed', from: 'g', ...file },
      ],
    };
    const clone: WorkspaceFacts = { ...facts, digest: b, changes: [] };
    expect(noLongerChanged(then, clone)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    const lying: LyingAt = new Map([
      ['a', { type: 'file', digest: b }],
      ['b', { type: 'file', digest: b }],
      ['c', { type: 'absent' }],
      ['d', { type: 'file', digest: b }],
      ['e', { type: 'file', digest: a }],
      ['f', { type: 'absent' }],
    ]);
    const told = (now: WorkspaceFacts): readonly string[] =>
      driftOf(then, now, lying)
        .filter(({ fact }) => fact.length === 1)
        .map(({ fact, was, is, standing }) => `${fact} ${standing}: ${was} → ${is}`);
    const elsewhere = [
      'a undone: modified → as committed',
      'b undone: deleted → there',
      'c gone: untracked → null',
      'd undone: untracked → there, with another content',
    ];
    expect(told(clone)).toEqual([
      ...elsewhere,
      'e undone: modified → as it was, and no change to git',
      'f gone: renamed from g → null',
    ]);
    const moved = { ...clone, git: facts.git && { ...facts.git, head: '2'.repeat(40) } };
    expect(told(moved)).toEqual([
      ...elsewhere,
      'e committed: modified → null',
      'f gone: renamed from g → null',
    ]);
  });

  test('a content that nobody may name is the same in the same tree', () => {
    const { digest: _, ...secret } = facts.changes[0] as Change;
    const then: WorkspaceFacts = { ...facts, changes: [secret, ...facts.changes.slice(1)] };
    expect(paths(then, facts)).toEqual(['a same', 'b same']);
    expect(paths(then, { ...facts, digest: b })).toEqual(['a changed', 'b same']);
  });

  test('beyond the end of a list that was cut, nothing is called new or gone', () => {
    const cut: WorkspaceFacts = { ...facts, changes: facts.changes.slice(0, 1), changesLeft: 1 };
    expect(paths(cut, facts)).toEqual(['a same']);
    expect(paths(facts, cut)).toEqual(['a same']);
    const before = { ...cut, changes: [{ ...cut.changes[0], path: 'b' } as Change] };
    expect(paths(before, facts)).toEqual(['a new', 'b same']);
  });

  test('without a workspace everything is gone', () => {
    expect(driftOf(facts, null).every(({ standing }) => standing === 'gone')).toBe(true);
  });
});
