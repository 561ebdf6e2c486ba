/**
 * Taking what was seen: each content goes to the caller's store as soon as it is read, so that no more than one file is in memory,
 * and the manifest says how to get back to the same tree.
 */
import { defined, filled } from '../core/base/defined.ts';
import {
  byPath,
  type Content,
  type IndexEntry,
  type LossReason,
  type ManifestEntry,
  type Submodule,
  type WorkspaceFacts,
  type WorktreeEntry,
} from '../core/tree/workspace.ts';
import type { Capture, CaptureOptions, StoreContent } from '../ports/workspace.ts';
import { Budget } from './budget.ts';
import { DiffText } from './diff-text.ts';
import { sortLosses } from './facts.ts';
import { readCommitted, type CommittedWork } from './git/committed.ts';
import { isEncrypting } from './git/filters.ts';
import type { IndexSide, GitItem } from './git/item.ts';
import type { Repository } from './git/locate.ts';
import { storeObjects, type WantedObject } from './git/store-objects.ts';
import type { SeenPath, SeenFile } from './look.ts';
import { blobId } from './patch-text.ts';
import { probe, type ProbePlace } from './probe.ts';
import { unfitReason, unfitStaged } from './unfit.ts';

export async function captureFolder(
  place: ProbePlace,
  store: StoreContent,
  options: CaptureOptions = {},
): Promise<Capture> {
  const taking: Taking = {
    budget: new Budget(store),
    diff: new DiffText({ wanted: options.noDiff !== true }),
    drafts: [],
    unsearched: new Set(),
    objects: new Map(),
    hash: place.repository?.hash ?? 'sha1',
  };
  let work: Promise<CommittedWork | undefined> | undefined;
  const {
    facts,
    survey,
    content,
    losses: probed,
  } = await probe(place, {
    content: options.content === true,
    surveyed: (found, items) => {
      if (found === undefined) return;
      const { since, onto } = options;
      work =
        since === undefined ? undefined : readCommitted(found.repository, since, { ...found.facts, onto });
      // It is told where it is awaited; should something else fail before, that is told.
      work?.catch(() => {});
      taking.diff.begin({ place: found.repository, head: found.facts.head, items, work });
    },
    visit: async (item, seen) => {
      const unfit = unfitReason(place.root, item, seen);
      if (unfit !== undefined) leave(taking, item.path, unfit);
      else taking.drafts.push({ item, worktree: await takeWorktree(taking, item, seen) });
    },
  });
  const committed = (await work)?.facts;
  if (survey !== undefined) {
    await leaveUnfit(taking, survey.repository);
    await takeIndex(taking, survey.repository);
  }
  const { losses } = taking.budget;
  const diff = await taking.diff.finish(store, new Set(probed.map(({ path }) => path)));
  if (diff.missing) losses.push({ path: '.', reason: 'no-diff' });
  if ((facts.git?.operation ?? null) !== null) losses.push({ path: '.', reason: 'operation' });
  if (committed?.gone === true) losses.push({ path: '.', reason: 'start-gone' });
  return {
    facts: { ...withoutRedacted(facts, taking), ...defined({ committed }) },
    manifest: {
      v: 1,
      kind: facts.kind,
      head: facts.git?.head ?? null,
      entries: taking.drafts.map((draft) => entryOf(draft, taking, facts.git?.submodules ?? [])).sort(byPath),
      losses: sortLosses([...probed, ...losses]),
    },
    diff: diff.captured,
    ...defined({ content }),
  };
}

/** What was taken out of a file must not be guessed from its digest. */
function withoutRedacted(facts: WorkspaceFacts, { budget, drafts, unsearched }: Taking): WorkspaceFacts {
  const redacted = new Set([
    ...unsearched,
    ...budget.secret,
    ...drafts.flatMap(({ item, worktree }) =>
      worktree?.type === 'file' && worktree.content.redacted === true ? [item.path] : [],
    ),
  ]);
  if (redacted.size === 0) return facts;
  return {
    ...facts,
    changes: facts.changes.map(({ digest, ...change }) =>
      digest === undefined || redacted.has(change.path) ? change : { ...change, digest },
    ),
  };
}

interface Taking {
  readonly budget: Budget;
  readonly diff: DiffText;
  readonly drafts: Draft[];
  /** Left out before anybody looked for secrets in them. */
  readonly unsearched: Set<string>;
  /** Contents of the index by object id. */
  readonly objects: Map<string, Content>;
  readonly hash: 'sha1' | 'sha256';
}

interface Draft {
  readonly item: GitItem;
  readonly worktree: WorktreeEntry | null | undefined;
}

async function takeWorktree(
  taking: Taking,
  item: GitItem,
  seen: SeenPath,
): Promise<WorktreeEntry | null | undefined> {
  switch (seen.type) {
    case 'file':
      return await takeFile(taking, item, seen);
    case 'link':
      if (item.untracked === true) {
        const content = Buffer.from(seen.target);
        taking.diff.add({ path: item.path, mode: '120000', content, binary: false, hash: taking.hash });
      }
      return { type: 'link', target: seen.target };
    case 'folder':
      // The commit is filled in once all submodules are known.
      return item.submodule === undefined ? null : { type: 'submodule', commit: null };
    case 'absent':
      return null;
    case 'unknown':
      return undefined;
  }
}

async function takeFile(taking: Taking, item: GitItem, seen: SeenFile): Promise<WorktreeEntry | undefined> {
  const { path } = item;
  if (item.filter !== undefined && isEncrypting(item.filter))
    return taking.budget.lose(path, 'encrypted', seen.bytes);
  if (seen.content === undefined) return taking.budget.lose(path, 'too-large', seen.bytes);
  const { binary } = seen;
  const content = await taking.budget.keep(seen.content, { kind: 'file', path, binary }, seen.digest);
  if (content === undefined) return undefined;
  const mode = seen.executable ? '100755' : '100644';
  if (item.untracked === true)
    taking.diff.add({ path, mode, content: seen.content, binary, hash: taking.hash });
  // What is staged is most often what lies in the tree: then it is not stored twice.
  const side = item.index;
  if (side && blobId(seen.content, taking.hash) === side.oid) taking.objects.set(side.oid, content);
  return {
    type: 'file',
    ...filled({ executable: seen.executable, private: seen.private }),
    content,
  };
}

function leave(taking: Taking, path: string, reason: LossReason): void {
  taking.budget.losses.push({ path, reason });
  taking.unsearched.add(path);
}

/** A path goes as a whole: half of it would be a change that nobody made. */
async function leaveUnfit(taking: Taking, repository: Repository): Promise<void> {
  const items = taking.drafts.map(({ item }) => item);
  const unfit = await unfitStaged(repository, items);
  if (unfit.size === 0) return;
  for (const path of unfit) leave(taking, path, 'unsafe-link');
  const fit = taking.drafts.filter(({ item }) => !unfit.has(item.path));
  taking.drafts.splice(0, taking.drafts.length, ...fit);
}

/** Staged contents that lie nowhere in the tree, and the sides of conflicts. */
async function takeIndex(taking: Taking, repository: Repository): Promise<void> {
  const wanted = new Map<string, WantedObject>();
  const want = (path: string, side: IndexSide, kind: WantedObject['kind']): void => {
    if (side.mode !== '160000' && !taking.objects.has(side.oid)) wanted.set(side.oid, { path, kind });
  };
  for (const { item } of taking.drafts) {
    if (item.index) want(item.path, item.index, 'index');
    for (const side of item.stages ?? []) want(item.path, side, 'conflict');
  }
  if (wanted.size === 0) return;
  for (const [oid, content] of await storeObjects(repository, wanted, taking.budget))
    taking.objects.set(oid, content);
}

function entryOf(
  { item, worktree }: Draft,
  { objects, budget }: Taking,
  submodules: readonly Submodule[],
): ManifestEntry {
  const side = ({ mode, oid }: IndexSide): IndexEntry => {
    const content = objects.get(oid);
    return {
      mode,
      ...(content?.redacted === true || (content === undefined && budget.secret.has(item.path))
        ? {}
        : { oid }),
      ...defined({ content }),
    };
  };
  const commit = submodules.find(({ path }) => path === item.path)?.head ?? null;
  return {
    path: item.path,
    ...(item.index === undefined ? {} : { index: item.index && side(item.index) }),
    ...(item.intent === undefined ? {} : { intent: true as const }),
    ...(item.stages === undefined
      ? {}
      : { stages: item.stages.map(({ stage, ...rest }) => ({ stage, entry: side(rest) })) }),
    ...(worktree === undefined
      ? {}
      : { worktree: worktree?.type === 'submodule' ? { ...worktree, commit } : worktree }),
  };
}
