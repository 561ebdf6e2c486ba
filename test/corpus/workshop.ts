/** A workspace that is the same everywhere and for ever, with something of everything that a workspace can have. */
import { digestOf } from '../../src/core/journal/digest.ts';
import type { Content, Manifest, WorkspaceFacts } from '../../src/core/tree/workspace.ts';
import type { Skills } from '../../src/ports/skills.ts';
import type { ContentPiece, StoreContent, Workspace } from '../../src/ports/workspace.ts';

const digest = digestOf('the workshop');
const oid = (letter: string): string => letter.repeat(40);

const facts: WorkspaceFacts = {
  v: 1,
  kind: 'git',
  root: '/srv/workshop',
  digest,
  git: {
    worktree: 'linked',
    branch: 'fence',
    head: oid('b'),
    base: { ref: 'origin/main', commit: oid('a') },
    upstream: { name: 'origin/fence', ahead: 1, behind: null },
    operation: { kind: 'rebase', branch: 'fence', commits: [oid('c')], step: 1, of: 2 },
    shallow: false,
    sparse: true,
    submodules: [{ path: 'nails', commit: oid('d'), head: null, dirty: true }],
  },
  counts: { staged: 1, unstaged: 2, untracked: 1, conflicted: 1 },
  changes: [
    {
      path: 'fence.md',
      staged: 'modified',
      unstaged: 'modified',
      type: 'file',
      executable: true,
      bytes: 6,
      digest: digestOf('fence\n'),
      filter: 'eol',
      hidden: 'skip-worktree',
    },
    { path: 'gate.bin', untracked: true, type: 'file', binary: true, bytes: 3, lfs: { digest, bytes: 9 } },
    { path: 'hinge.md', conflict: 'both-modified', type: 'absent' },
    { path: 'link', staged: 'renamed', from: 'old link', type: 'link', target: 'fence.md' },
    { path: 'nails', unstaged: 'modified', type: 'submodule', commit: oid('e') },
  ],
  changesLeft: 2,
  losses: [{ path: 'heap', reason: 'too-many', files: 12, bytes: 4096 }],
  lossesLeft: 0,
};

const committed: NonNullable<WorkspaceFacts['committed']> = {
  since: oid('a'),
  gone: true,
  files: [
    { path: 'gate/hinge.md', status: 'renamed', from: 'hinge.md', type: 'file', executable: true, binary: true },
    { path: 'old.md', status: 'deleted', type: 'absent' },
  ],
  left: 1,
  added: 7,
  removed: null,
};

/** An example of a token, in content without text: it is overwritten in place, with any key to the same bytes. */
const token = ['gh', 'p_', 'aZ3kP9xQ7mB1'.repeat(3)].join('');

async function keep(store: StoreContent, text: string, piece: ContentPiece): Promise<Content> {
  const stored = await store(Buffer.from(text), piece);
  if (typeof stored !== 'string') throw new Error('a content of the workshop was refused');
  const isSame = stored === digestOf(text);
  return { bytes: text.length, stored, ...(isSame ? {} : { redacted: true as const }) };
}

async function manifestWith(store: StoreContent): Promise<Manifest> {
  const piece = (kind: 'file' | 'index' | 'conflict', path: string): ContentPiece => ({ kind, path, binary: false });
  const fence = await keep(store, 'fence\n', piece('file', 'fence.md'));
  const staged = await keep(store, 'fence, as staged\n', piece('index', 'fence.md'));
  const ours = await keep(store, 'our hinge\n', piece('conflict', 'hinge.md'));
  const gate = await keep(store, `\0\x01${token}\0`, piece('file', 'gate.bin'));
  return {
    v: 1,
    kind: 'git',
    head: oid('b'),
    entries: [
      {
        path: 'fence.md',
        index: { mode: '100755', oid: oid('f'), content: staged },
        worktree: { type: 'file', executable: true, private: true, content: fence },
      },
      { path: 'gate.bin', index: { mode: '100644', content: gate }, worktree: { type: 'file', content: gate } },
      {
        path: 'hinge.md',
        stages: [
          { stage: 2, entry: { mode: '100644', oid: oid('f'), content: ours } },
          { stage: 3, entry: { mode: '100644', content: gate } },
        ],
        worktree: null,
      },
      { path: 'link', index: null, worktree: { type: 'link', target: 'fence.md' } },
      { path: 'nails', worktree: { type: 'submodule', commit: oid('e') } },
      { path: 'promised.md', intent: true },
    ],
    losses: facts.losses,
  };
}

export const workshop: Workspace = {
  root: facts.root,
  exists: () => true,
  runnable: () => true,
  start: async () => ({ head: oid('a'), branch: 'fence' }),
  probe: async () => facts,
  content: async () => ({ facts, content: digest }),
  ignored: async () => [],
  unwatched: async () => ({ changed: [], left: 0, hidden: [] }),
  at: async () => ({ type: 'absent' }),
  hasCommit: async () => true,
  capture: async (store) => {
    const manifest = await manifestWith(store);
    const diff = await keep(store, 'diff --git a/fence.md b/fence.md\n', { kind: 'diff' });
    return {
      facts: { ...facts, committed },
      manifest,
      diff: { stored: diff.stored, bytes: diff.bytes, cut: true, committed: true, added: 1, removed: 0, files: [] },
    };
  },
  restore: () => Promise.reject(new Error('nothing is restored in the workshop')),
  run: async (command) => {
    const output = Buffer.from(`ran ${command.join(' ')}\n`);
    return {
      command,
      end: { how: 'exited', code: command.includes('measure --strictly') ? 1 : 0 },
      durationMs: 12,
      output,
      outputBytes: output.length,
      droppedBytes: 0,
      leftovers: false,
      unended: false,
      content: digest,
      before: digest,
      after: digest,
    };
  },
};

/** A skill that is there, and no place to put one. */
export const shelf: Skills = {
  find: async (name) =>
    await Promise.resolve({
      name,
      from: 'claude-code',
      files: [
        { path: 'SKILL.md', content: Buffer.from(`---\nname: ${name}\ndescription: Joins.\n---\n`), executable: false },
        { path: 'scripts/join.sh', content: Buffer.from('#!/bin/sh\necho joined\n'), executable: true },
      ],
      losses: [],
    }),
  pathOf: async () => await Promise.resolve(null),
  place: async ({ name }) => await Promise.resolve({ outcome: 'refused', folder: name, why: 'The shelf is full.' }),
};
