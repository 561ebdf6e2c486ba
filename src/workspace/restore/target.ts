/** The tree that a manifest is restored into: it must be the one the manifest starts from, and nobody's work may be in it. */
import { StaffettaError } from '../../core/error.ts';
import type { Manifest } from '../../core/workspace.ts';
import { probe, type Place } from '../probe.ts';
import { refuseMissingCommit } from './new-worktree.ts';

export interface Target extends Place {
  /** What git has a copy of; only such files may be replaced or removed. */
  readonly tracked: ReadonlySet<string>;
}

export async function openTarget(place: Place, manifest: Manifest): Promise<Target> {
  const kind = place.repository === undefined ? 'folder' : 'git';
  if (kind !== manifest.kind) {
    throw new StaffettaError(
      'workspace-moved',
      manifest.kind === 'git'
        ? `${place.root} is not in a git repository; what was captured is.`
        : `${place.root} is in a git repository; what was captured is not.`,
      { hint: 'Restore into a clone of the repository it was captured in, at the same commit.' },
    );
  }
  if (place.repository === undefined) return { ...place, tracked: new Set() };
  const { facts, survey } = await probe(place, { indexed: true });
  const head = facts.git?.head ?? null;
  if (head !== manifest.head) {
    if (manifest.head !== null) await refuseMissingCommit(place.repository, manifest.head);
    throw new StaffettaError(
      'workspace-moved',
      `The tree was captured at ${manifest.head ?? 'no commit'}; ${place.root} is at ${head ?? 'no commit'}.`,
      {
        details: { captured: manifest.head, here: head },
        hint: 'Restore into a new worktree instead: it is made at the captured commit.',
      },
    );
  }
  const dirty = facts.changes.map(({ path }) => path);
  if (dirty.length > 0 || (facts.git?.operation ?? null) !== null) {
    throw new StaffettaError(
      'workspace-dirty',
      dirty.length > 0
        ? `${place.root} has changes in ${dirty.length + facts.changesLeft} files.`
        : `${place.root} is in the middle of a ${facts.git?.operation?.kind ?? 'git operation'}.`,
      {
        details: { changed: dirty.slice(0, 100) },
        hint: 'Restore into a new worktree, or commit what is here first.',
      },
    );
  }
  return { ...place, tracked: survey?.indexed ?? new Set() };
}
