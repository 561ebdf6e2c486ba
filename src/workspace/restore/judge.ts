/**
 * What entries would bring about, where their own names say nothing: a path that is reached by a held name through links, one that
 * the receiver's git runs or reads, a package manifest that brings a command, a link that leads out of the tree.
 */
import type { Digest } from '../../core/journal/digest.ts';
import type { UnsafeReason } from '../../core/tree/paths.ts';
import type { Content, ManifestEntry } from '../../core/tree/workspace.ts';
import { pointedBy, pointedWithin } from '../git/pointed.ts';
import { readContent } from './fill.ts';
import { allower, heldReason, heldWithin } from './held.ts';
import { bringsLifecycle, isPackageManifest, lifecycleReason } from './lifecycle.ts';
import type { RestoreTarget } from './target.ts';
import { TreeToBe } from './tree-to-be.ts';

export interface JudgeOptions {
  readonly read: (digest: Digest) => Promise<Uint8Array | undefined>;
  readonly allow: readonly string[];
}

export interface JudgedEffects {
  readonly entries: readonly ManifestEntry[];
  readonly held: readonly { readonly path: string; readonly reason: string }[];
  readonly refused: readonly { readonly path: string; readonly reason: UnsafeReason }[];
}

export async function judgeEffects(
  target: RestoreTarget,
  checked: readonly ManifestEntry[],
  options: JudgeOptions,
): Promise<JudgedEffects> {
  const isAllowed = allower(options.allow);
  const { entries: settled, held } = settleLinks(target, checked, isAllowed);
  const tree = new TreeToBe(target, settled);
  const entries: ManifestEntry[] = [];
  const refused: { path: string; reason: UnsafeReason }[] = [];
  for (const entry of settled) {
    const { path } = entry;
    const fault = await linkFault(entry, tree, options.read);
    const reason = isAllowed(path)
      ? undefined
      : (reachedReason(entry, tree, target) ?? (await lifecycleHeld(entry, tree, { target, ...options })));
    if (fault !== undefined) refused.push({ path, reason: fault });
    else if (reason !== undefined) held.push({ path, reason });
    else entries.push(entry);
  }
  return { entries, held, refused };
}

/** Links come first, for they decide by which names everything else is reached. One that is held back leads nowhere new. */
function settleLinks(
  target: RestoreTarget,
  checked: readonly ManifestEntry[],
  isAllowed: (path: string) => boolean,
): { readonly entries: readonly ManifestEntry[]; readonly held: { path: string; reason: string }[] } {
  const held: { path: string; reason: string }[] = [];
  let entries = checked;
  for (;;) {
    const tree = new TreeToBe(target, entries);
    const caught = entries.flatMap((entry) => {
      const { path } = entry;
      const asked = isLink(entry, target) && !isAllowed(path);
      const reason = asked ? reachedReason(entry, tree, target) : undefined;
      return reason === undefined ? [] : [{ path, reason }];
    });
    if (caught.length === 0) return { entries, held };
    held.push(...caught);
    const gone = new Set(caught.map(({ path }) => path));
    entries = entries.filter(({ path }) => !gone.has(path));
  }
}

/** It is one, or will be. */
function isLink({ path, worktree }: ManifestEntry, { ground }: RestoreTarget): boolean {
  return worktree?.type === 'link' || ground.at(path) === 'link';
}

/** Why a path is held back for what is done with it under one of its names. */
function reachedReason(entry: ManifestEntry, tree: TreeToBe, target: RestoreTarget): string | undefined {
  const { path } = entry;
  const names = tree.namesOf(path);
  if (names === undefined) return 'is reached through more links than are followed';
  const link = isLink(entry, target);
  for (const name of names) {
    const by = pointedBy(name, target.pointed) ?? (link ? pointedWithin(name, target.pointed) : undefined);
    const reason = by === undefined ? heldUnder(name, link) : `is named by your git configuration: ${by}`;
    if (reason !== undefined) return name === path ? reason : `${reason}, as ${name}, which leads to it`;
  }
  return undefined;
}

function heldUnder(name: string, link: boolean): string | undefined {
  return heldReason(name) ?? (link ? heldWithin(name) : undefined);
}

async function lifecycleHeld(
  entry: ManifestEntry,
  tree: TreeToBe,
  { target, read }: JudgeOptions & { readonly target: RestoreTarget },
): Promise<string | undefined> {
  const name = tree.namesOf(entry.path)?.find(isPackageManifest);
  if (name === undefined) return undefined;
  const before = await target.ground.read(entry.path);
  const contents = sidesOf(entry).flatMap(({ content }) => content ?? []);
  if (entry.worktree?.type === 'file') contents.push(entry.worktree.content);
  for (const content of contents)
    if (bringsLifecycle(name, before, await readContent(content, read))) return lifecycleReason;
  return undefined;
}

/** Of a link that lies in the tree, and of one that is only staged: git would make it at the next checkout. */
async function linkFault(
  { path, worktree, ...entry }: ManifestEntry,
  tree: TreeToBe,
  read: JudgeOptions['read'],
): Promise<UnsafeReason | undefined> {
  const targets = worktree?.type === 'link' ? [worktree.target] : [];
  for (const { mode, content } of sidesOf(entry))
    if (mode === '120000' && content !== undefined)
      targets.push(Buffer.from(await readContent(content, read)).toString('utf8'));
  for (const target of targets) {
    const landing = tree.landing(path, target);
    if ('fault' in landing) return landing.fault;
  }
  return undefined;
}

function sidesOf({ index, stages }: Pick<ManifestEntry, 'index' | 'stages'>): {
  readonly mode: string;
  readonly content?: Content | undefined;
}[] {
  return [...(index ? [index] : []), ...(stages ?? []).map((stage) => stage.entry)];
}
