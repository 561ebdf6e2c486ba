/** The tree that a manifest is restored into: it must be the one the manifest starts from, and nobody else's work may be in it. */
import { StaffettaError } from '../../core/base/error.ts';
import type { NameRules } from '../../core/tree/paths.ts';
import type { Manifest } from '../../core/tree/workspace.ts';
import type { Repository } from '../git/locate.ts';
import { pointedIn, type Pointed } from '../git/pointed.ts';
import { probe, type ProbePlace } from '../probe.ts';
import type { RestoreOptions } from '../../ports/workspace.ts';
import { alreadyThere } from './already.ts';
import { CommitGround, DiskGround, type Ground } from './ground.ts';
import { nameRulesAt } from './name-rules.ts';
import { refuseMissingCommit } from './new-worktree.ts';

export interface RestoreTarget {
  readonly root: string;
  /** What git has a copy of; only such files may be replaced or removed. */
  readonly tracked: ReadonlySet<string>;
  /** What lies there before anything is written. */
  readonly ground: Ground;
  /** The links that git has a copy of. */
  readonly links: readonly string[];
  /** What the receiver's git would run or read there. */
  readonly pointed: readonly Pointed[];
  /** How the file system there reads names. */
  readonly names: NameRules;
  /** What is there as the manifest has it. */
  readonly already: ReadonlySet<string>;
}

export interface TargetOptions {
  /** Instead of asking the file system. */
  readonly names?: NameRules;
}

export async function openTarget(
  place: ProbePlace,
  manifest: Manifest,
  options: TargetOptions & Pick<RestoreOptions, 'read'>,
): Promise<RestoreTarget> {
  const { root } = place;
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
  const about = { root, ground: new DiskGround(root), names: options.names ?? nameRulesAt(root) };
  if (place.repository === undefined)
    return { ...about, tracked: new Set(), links: [], pointed: [], already: new Set() };
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
  const tracked = survey?.indexed ?? new Set();
  const already = await alreadyThere(manifest, facts.changes, {
    sides: survey?.sides ?? new Map(),
    filling: { ground: about.ground, tracked, read: options.read },
  });
  const dirty = facts.changes.map(({ path }) => path).filter((path) => !already.has(path));
  if (dirty.length + facts.changesLeft > 0 || (facts.git?.operation ?? null) !== null) {
    throw new StaffettaError(
      'workspace-dirty',
      dirty.length + facts.changesLeft > 0
        ? `${place.root} has changes in ${dirty.length + facts.changesLeft} files.`
        : `${place.root} is in the middle of a ${facts.git?.operation?.kind ?? 'git operation'}.`,
      {
        details: { changed: dirty.slice(0, 100) },
        hint: 'Restore into a new worktree, or commit what is here first.',
      },
    );
  }
  return {
    ...about,
    already,
    tracked,
    links: survey?.links ?? [],
    pointed: await pointedIn(place.repository, root),
  };
}

/** The worktree that would be made, before it is. */
export async function worktreeToBe(
  repository: Repository,
  manifest: Manifest,
  options: TargetOptions & { readonly root: string },
): Promise<RestoreTarget> {
  const { root } = options;
  const ground = await CommitGround.open(repository, manifest.head ?? '');
  return {
    root,
    ground,
    already: new Set(),
    tracked: ground.paths,
    links: ground.links,
    pointed: await pointedIn(repository, root),
    names: options.names ?? nameRulesAt(root),
  };
}
