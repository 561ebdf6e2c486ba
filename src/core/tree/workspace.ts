/**
 * What a workspace is made of. Two records, both canonical JSON.
 *
 * `WorkspaceFacts` goes into a packet: where the work is, how it stands against git, what is changed, and one digest for all of
 * it. It holds no content and is probed again at pickup.
 *
 * `Manifest` is a blob of its own and names, path by path, what must be done to a checkout of `head` to get the captured
 * tree: the index entry if it differs from HEAD, and what lies in the working tree. Contents are blobs. It has no place, branch
 * or time in it, so the same dirty tree gives the same manifest anywhere. An entry says
 *   `index`     absent: as in HEAD · null: not in the index · else mode, object id and content
 *   `stages`    the sides of a conflict, instead of an index entry
 *   `worktree`  absent: could not be captured (a loss names it) · null: nothing there · else file, link or submodule
 * A content is named by the digest of the bytes as stored. Where secrets were taken out of it, nothing names the bytes as they were,
 * neither a digest nor an object id: a reader that has all but a short secret could try out what fits.
 */
import * as z from 'zod/mini';
import { canonical } from '../journal/canonical.ts';
import { Digest, digestOf } from '../journal/digest.ts';
import { StaffettaError } from '../base/error.ts';
import { limits } from '../base/limits.ts';
import { ObjectId, RefName } from '../task/start.ts';
import { utf8 } from '../base/utf8.ts';

const Count = z.int().check(z.minimum(0));
const WorkspacePath = z.string().check(z.minLength(1), z.maxLength(limits.pathBytesMax));

export const lossReasons = [
  'too-large',
  'over-total',
  'too-many',
  'unreadable',
  'vanished',
  'changing',
  'special',
  'name-not-utf8',
  'unsafe-name',
  'unsafe-link',
  'nested-repository',
  'submodule-dirty',
  'submodule-checkout',
  'encrypted',
  'skipped-folder',
  'empty-folder',
  'no-diff',
  'operation',
  'start-gone',
  'secret-name',
  'unsearchable',
  'secret-inside',
  'not-searched',
] as const;
export type LossReason = (typeof lossReasons)[number];

/** For people. */
export const lossWords: Readonly<Record<LossReason, string>> = {
  'too-large': 'larger than one captured file may be',
  'over-total': 'would make the capture larger than it may be',
  'too-many': 'more files than a capture may hold',
  unreadable: 'could not be read',
  vanished: 'vanished while it was captured',
  changing: 'kept changing while it was captured',
  special: 'is neither file, link nor folder',
  'name-not-utf8': 'has a name that is not UTF-8',
  'unsafe-name': 'has a name that no restore would accept',
  'unsafe-link':
    'is a link that no restore would make: it is absolute, leads out of the workspace or in circles, or has odd characters in it',
  'nested-repository': 'is a git repository of its own',
  'submodule-dirty': 'is a submodule with uncommitted changes',
  'submodule-checkout': 'is a submodule at another commit than staged, which a restore does not check out',
  encrypted: 'is kept encrypted by the repository; its plain text is not stored',
  'skipped-folder': 'is a folder that captures leave out',
  'empty-folder': 'is an empty folder',
  'no-diff': 'has no readable diff',
  operation: 'is an operation under way, which a restore does not resume',
  'start-gone': 'no longer has the commit where the work began, so nobody knows what was committed since',
  'secret-name': 'has a secret in its name or in the path that it links to',
  unsearchable: 'cannot be searched for secrets',
  'secret-inside': 'is packed or compressed and has a secret in it, which cannot be taken out of it',
  'not-searched':
    'is carried as it is: something in it is packed in a way that cannot be opened here to be searched for secrets',
};

/** Whether somebody's work is missing because of it; the others say what a capture never holds or a restore does not do. */
export function losesWork(reason: LossReason): boolean {
  return !notes.has(reason);
}

const notes: ReadonlySet<LossReason> = new Set([
  'skipped-folder',
  'empty-folder',
  'no-diff',
  'operation',
  'submodule-checkout',
  'start-gone',
  'not-searched',
]);

/** Something of the workspace that is not in the capture. */
export const Loss = z.strictObject({
  path: WorkspacePath,
  reason: z.enum(lossReasons),
  bytes: z.optional(Count),
  /** How many files the path stands for, if more than one. */
  files: z.optional(Count),
});
export type Loss = z.infer<typeof Loss>;

const changeKinds = ['added', 'modified', 'deleted', 'renamed', 'typechange'] as const;
export type ChangeKind = (typeof changeKinds)[number];
export const conflictKinds = [
  'both-deleted',
  'added-by-us',
  'deleted-by-them',
  'added-by-them',
  'deleted-by-us',
  'both-added',
  'both-modified',
] as const;

export const Change = z.strictObject({
  path: WorkspacePath,
  /** HEAD against the index. */
  staged: z.optional(z.enum(changeKinds)),
  /** The index against the working tree. */
  unstaged: z.optional(z.enum(changeKinds)),
  untracked: z.optional(z.literal(true)),
  conflict: z.optional(z.enum(conflictKinds)),
  /** Where a renamed file came from. */
  from: z.optional(WorkspacePath),
  /** What lies in the working tree now. */
  type: z.enum(['file', 'link', 'submodule', 'absent', 'unknown']),
  executable: z.optional(z.literal(true)),
  binary: z.optional(z.literal(true)),
  bytes: z.optional(Count),
  digest: z.optional(Digest),
  target: z.optional(z.string()),
  /** The submodule's commit. */
  commit: z.optional(ObjectId),
  /** The large file that an LFS pointer stands for. */
  lfs: z.optional(z.strictObject({ digest: Digest, bytes: Count })),
  /** A filter of the repository stands between index and working tree; it was not run. */
  filter: z.optional(z.string()),
  /** Git was told to look away; we did not. */
  hidden: z.optional(z.enum(['assume-unchanged', 'skip-worktree'])),
});
export type Change = z.infer<typeof Change>;

/** A change in one word, for lists: what became of the file since HEAD. */
export function statusOf(change: Change): ChangeKind | 'conflicted' | 'untracked' {
  if (change.conflict !== undefined) return 'conflicted';
  if (change.type === 'absent') return 'deleted';
  if (change.untracked === true) return change.staged === 'deleted' ? 'modified' : 'untracked';
  return change.staged ?? change.unstaged ?? 'modified';
}

/** The same with where a renamed file came from. */
export function changeWords(change: Change): string {
  const status = statusOf(change);
  return status === 'renamed' && change.from !== undefined ? `renamed from ${change.from}` : status;
}

/** A change in a line of its own. */
export function changeLine(change: Change): string {
  const status = statusOf(change);
  const origin = status === 'renamed' && change.from !== undefined ? ` (from ${change.from})` : '';
  return `${status}: ${change.path}${origin}`;
}

const operationKinds = ['merge', 'rebase', 'am', 'cherry-pick', 'revert', 'bisect'] as const;
export const Operation = z.strictObject({
  kind: z.enum(operationKinds),
  /** The branch that a rebase will move. */
  branch: z.optional(RefName),
  /** What is being merged, picked, reverted or rebased onto. */
  commits: z.optional(z.array(ObjectId)),
  step: z.optional(Count),
  of: z.optional(Count),
});
export type Operation = z.infer<typeof Operation>;

export const Submodule = z.strictObject({
  path: WorkspacePath,
  /** What the superproject's index asks for. */
  commit: ObjectId,
  /** What is checked out; null if nothing is. */
  head: z.nullable(ObjectId),
  dirty: z.boolean(),
});
export type Submodule = z.infer<typeof Submodule>;

export const GitFacts = z.strictObject({
  worktree: z.enum(['main', 'linked']),
  /** Null: HEAD is detached. */
  branch: z.nullable(RefName),
  /** Null: there is no commit yet. */
  head: z.nullable(ObjectId),
  /** Where the work left the branch it will go back to. */
  base: z.nullable(z.strictObject({ ref: RefName, commit: ObjectId })),
  /** `ahead` and `behind` are null if the upstream branch is gone. */
  upstream: z.nullable(
    z.strictObject({ name: RefName, ahead: z.nullable(Count), behind: z.nullable(Count) }),
  ),
  operation: z.nullable(Operation),
  shallow: z.boolean(),
  sparse: z.boolean(),
  submodules: z.array(Submodule),
});
export type GitFacts = z.infer<typeof GitFacts>;

export const CommittedFile = z.strictObject({
  path: WorkspacePath,
  status: z.enum(changeKinds),
  /** Where a renamed file came from. */
  from: z.optional(WorkspacePath),
  /** What HEAD has there now. */
  type: z.enum(['file', 'link', 'submodule', 'absent']),
  executable: z.optional(z.literal(true)),
  binary: z.optional(z.literal(true)),
});
export type CommittedFile = z.infer<typeof CommittedFile>;

/**
 * What commits did to the files since the work began, taken together: a path that is back where it was is not listed, nor is one
 * that HEAD has exactly as the branch it will go back to, for that came from there.
 */
export const Committed = z.strictObject({
  /** The commit it is held against; null: there was none yet. */
  since: z.nullable(ObjectId),
  /** That commit is not in the repository any more: what was committed is not known. */
  gone: z.optional(z.literal(true)),
  files: z.array(CommittedFile),
  /** How many are not listed. */
  left: Count,
  /** Lines; null where nobody could count them. */
  added: z.nullable(Count),
  removed: z.nullable(Count),
});
export type Committed = z.infer<typeof Committed>;

export const WorkspaceFacts = z.strictObject({
  v: z.literal(1),
  kind: z.enum(['git', 'folder']),
  root: z.string().check(z.minLength(1)),
  /** One digest of HEAD, index and working tree. */
  digest: Digest,
  git: z.nullable(GitFacts),
  counts: z.strictObject({ staged: Count, unstaged: Count, untracked: Count, conflicted: Count }),
  /** In order of path, at most `limits.factItemsMax`; `changesLeft` says how many are not listed. */
  changes: z.array(Change),
  changesLeft: Count,
  /** Absent outside git, where nobody asked, and where nobody knows when the work began. */
  committed: z.optional(Committed),
  /** What could not be looked at, and in the facts of a packet everything that the capture left out. */
  losses: z.array(Loss),
  lossesLeft: Count,
});
export type WorkspaceFacts = z.infer<typeof WorkspaceFacts>;

export const Content = z.strictObject({
  bytes: Count,
  stored: Digest,
  /** Secrets were taken out of it: what is stored is not what was there. */
  redacted: z.optional(z.literal(true)),
});
export type Content = z.infer<typeof Content>;

export const indexModes = ['100644', '100755', '120000', '160000'] as const;
export type IndexMode = (typeof indexModes)[number];

export const IndexEntry = z.strictObject({
  mode: z.enum(indexModes),
  /** Absent where secrets were taken out of the content. */
  oid: z.optional(ObjectId),
  /** Absent for a submodule, and for a content that is listed as a loss. */
  content: z.optional(Content),
});
export type IndexEntry = z.infer<typeof IndexEntry>;

export const WorktreeEntry = z.union([
  z.strictObject({
    type: z.literal('file'),
    executable: z.optional(z.literal(true)),
    /** Neither group nor others may read it. */
    private: z.optional(z.literal(true)),
    content: Content,
  }),
  z.strictObject({
    type: z.literal('link'),
    target: z.string().check(z.minLength(1), z.maxLength(limits.pathBytesMax)),
  }),
  z.strictObject({ type: z.literal('submodule'), commit: z.nullable(ObjectId) }),
]);
export type WorktreeEntry = z.infer<typeof WorktreeEntry>;

export const ManifestEntry = z.strictObject({
  path: WorkspacePath,
  index: z.optional(z.nullable(IndexEntry)),
  /** In the index by name only. */
  intent: z.optional(z.literal(true)),
  stages: z.optional(
    z
      .array(z.strictObject({ stage: z.literal([1, 2, 3]), entry: IndexEntry }))
      .check(z.minLength(1), z.maxLength(3)),
  ),
  worktree: z.optional(z.nullable(WorktreeEntry)),
});
export type ManifestEntry = z.infer<typeof ManifestEntry>;

export const Manifest = z.strictObject({
  v: z.literal(1),
  kind: z.enum(['git', 'folder']),
  head: z.nullable(ObjectId),
  /** In order of path. */
  entries: z.array(ManifestEntry),
  losses: z.array(Loss),
});
export type Manifest = z.infer<typeof Manifest>;

/** What a restore is about to move, kept until it is done, so that it can be undone. */
export const UndoRecord = z.strictObject({
  v: z.literal(1),
  moves: z.array(
    z.strictObject({
      path: WorkspacePath,
      does: z.enum(['delete', 'replace', 'create']),
      /** Inode, time of change and size of what is put in place, and of what makes room for it. */
      stamp: z.optional(z.string()),
      oldStamp: z.optional(z.string()),
    }),
  ),
  /** Folders that were not there before. */
  folders: z.array(WorkspacePath),
});
export type UndoRecord = z.infer<typeof UndoRecord>;

export function sealManifest(manifest: Manifest): { readonly bytes: Uint8Array; readonly digest: Digest } {
  const bytes = Buffer.from(canonical(manifest));
  if (bytes.length > limits.blobBytesMax) {
    throw new StaffettaError(
      'too-large',
      `The list of captured files takes ${bytes.length} bytes; the limit is ${limits.blobBytesMax}.`,
      { hint: 'Let git ignore what is generated.' },
    );
  }
  return { bytes, digest: digestOf(bytes) };
}

export function parseManifest(bytes: Uint8Array): Manifest {
  let raw: unknown;
  try {
    raw = JSON.parse(utf8(bytes));
  } catch (cause) {
    throw new StaffettaError('corrupt', 'A stored workspace manifest is not JSON.', { cause });
  }
  const parsed = Manifest.safeParse(raw);
  if (parsed.success) return parsed.data;
  const version = (raw as { v?: unknown } | null)?.v;
  if (typeof version === 'number' && version > 1) {
    throw new StaffettaError('store-newer', `The store holds a workspace manifest of version ${version}.`, {
      hint: 'Update staffetta to the version that wrote it.',
    });
  }
  throw new StaffettaError('corrupt', 'A stored workspace manifest does not have the shape of one.', {
    details: {
      issues: parsed.error.issues.slice(0, 3).map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    },
  });
}

/** Every blob a manifest needs to be restored. */
export function manifestBlobs(manifest: Manifest): Digest[] {
  const blobs = new Set<Digest>();
  for (const entry of manifest.entries) {
    if (entry.index?.content !== undefined) blobs.add(entry.index.content.stored);
    for (const { entry: side } of entry.stages ?? [])
      if (side.content !== undefined) blobs.add(side.content.stored);
    if (entry.worktree?.type === 'file') blobs.add(entry.worktree.content.stored);
  }
  return [...blobs];
}

/** Paths in one order everywhere, whatever produced them. */
export function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
