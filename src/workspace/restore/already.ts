/** What of a manifest a tree has already: an earlier restore brought it, and held the rest back. It is nobody else's work. */
import { digestOf } from '../../core/journal/digest.ts';
import type { Change, Manifest, ManifestEntry } from '../../core/tree/workspace.ts';
import { filledContent, type Filling } from './fill.ts';

export interface LyingThere {
  /** Mode and object of everything in the index, by the bytes of its path. */
  readonly sides: ReadonlyMap<string, string>;
  readonly filling: Filling;
}

export async function alreadyThere(
  { entries }: Manifest,
  changes: readonly Change[],
  lying: LyingThere,
): Promise<ReadonlySet<string>> {
  const wanted = new Map(entries.map((entry) => [entry.path, entry]));
  const there = new Set<string>();
  for (const change of changes) {
    const entry = wanted.get(change.path);
    if (entry !== undefined && isStaged(change, entry, lying) && (await lies(change, entry, lying)))
      there.add(change.path);
  }
  return there;
}

/** In the index, as the manifest has it. One whose secrets were taken out cannot be compared, and neither can a conflict. */
function isStaged(
  change: Change,
  { path, index, intent, stages }: ManifestEntry,
  { sides }: LyingThere,
): boolean {
  if (stages !== undefined || change.conflict !== undefined) return false;
  if (intent === true) return change.staged === undefined;
  const side = sides.get(Buffer.from(path).toString('latin1'));
  if (index === undefined) return change.staged === undefined;
  return index === null ? side === undefined : side === `${index.mode} ${index.oid ?? ''}`;
}

/** In the working tree. Values that stand here in place of secrets are not the manifest's to compare. */
async function lies(
  change: Change,
  { path, worktree }: ManifestEntry,
  { filling }: LyingThere,
): Promise<boolean> {
  if (worktree === undefined) return change.unstaged === undefined;
  if (worktree === null) return change.type === 'absent';
  if (worktree.type === 'link') return change.type === 'link' && change.target === worktree.target;
  if (worktree.type === 'submodule') return change.type === 'submodule' && change.commit === worktree.commit;
  if (change.type !== 'file' || change.executable !== worktree.executable) return false;
  const { content } = worktree;
  if (content.redacted !== true) return change.digest === content.stored;
  const { bytes } = await filledContent(path, content, { ...filling, tracked: new Set([path]) });
  return change.digest === digestOf(bytes);
}
