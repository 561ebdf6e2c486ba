/** The order of a restore: judge the words, look at the target, write aside, record, move, exchange the index. */
import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isStaffettaError, StaffettaError } from '../../core/base/error.ts';
import type { Digest } from '../../core/journal/digest.ts';
import type { Loss, Manifest } from '../../core/tree/workspace.ts';
import type { RestoreOptions, RestoreReport } from '../../ports/workspace.ts';
import { sortLosses } from '../facts.ts';
import type { Repository } from '../git/locate.ts';
import { probe, type ProbePlace } from '../probe.ts';
import { refuseTampered } from './check.ts';
import { addIntents, buildIndex, installIndex, undoIndex, type BuiltIndex } from './index-file.ts';
import { addWorktree, checkNewWorktree, unfilteredAt } from './new-worktree.ts';
import { planRestore, type Plan } from './plan.ts';
import type { RestoreReached } from './reached.ts';
import { stage, stampsOf } from './stage.ts';
import { dropStaging, stagingFolder, takeStaging, wasFirst, type Staging } from './staging.ts';
import { makeMoves, recordMoves, undoMoves } from './swap.ts';
import { openTarget, worktreeToBe, type RestoreTarget, type TargetOptions } from './target.ts';

interface Work {
  readonly manifest: Manifest;
  readonly options: RestoreOptions;
  readonly reached: RestoreReached;
  readonly about: TargetOptions;
}

export interface RestoreSettings extends TargetOptions {
  readonly reached?: RestoreReached | undefined;
}

export async function restoreTree(
  place: ProbePlace,
  manifest: Manifest,
  options: RestoreOptions,
  { reached = () => {}, ...about }: RestoreSettings = {},
): Promise<RestoreReport> {
  refuseTampered(manifest);
  const work = { manifest, options, reached, about };
  if (options.worktree === undefined) return await restoreHere(place, work);
  const repository = await checkNewWorktree(place, manifest, options.worktree);
  if (options.dryRun === true) return await dryWorktree(repository, work, resolve(options.worktree));
  const made = await addWorktree(repository, manifest, options.worktree);
  try {
    return { ...(await restoreHere(made.place, work)), unfiltered: made.unfiltered };
  } catch (error) {
    await made.remove();
    throw error;
  }
}

async function restoreHere(place: ProbePlace, work: Work): Promise<RestoreReport> {
  if (work.options.dryRun === true) return report(place.root, await plan(place, work), {});
  // A refusal leaves no trace, not even the lock; only a cut-off restore must be undone before anything can be judged.
  if (!existsSync(stagingFolder(place.root))) await plan(place, work);
  const staging = claim(place);
  let done: Done;
  try {
    done = await perform(place, staging, work);
  } catch (error) {
    // What a failed undo needs must stay; the next restore goes on from there.
    if (!(error instanceof UndoFailed)) dropStaging(staging);
    throw asFailure(error);
  }
  dropStaging(staging);
  const { digest } = (await probe(place)).facts;
  return report(place.root, done.plan, { ...done, digest });
}

interface Done {
  readonly plan: Plan;
  readonly index: BuiltIndex | undefined;
  readonly redacted: readonly string[];
  readonly kept: readonly string[];
}

class UndoFailed extends Error {}

async function perform(place: ProbePlace, staging: Staging, work: Work): Promise<Done> {
  const { repository } = place;
  const stamps = stampsOf(
    place.root,
    work.manifest.entries.map(({ path }) => path),
  );
  const planned = await plan(place, work);
  const { filling } = planned;
  const { moves, folders, redacted, kept } = await stage(staging, planned, { filling, stamps });
  const index =
    repository === undefined || planned.index.length === 0
      ? undefined
      : await buildIndex(repository, staging, { entries: planned.index, filling });
  work.reached('staged', 0);
  recordMoves(staging, moves, folders);
  work.reached('recorded', 0);
  try {
    makeMoves(staging, moves, { moved: (n) => work.reached('moved', n) });
    if (repository !== undefined && index !== undefined) {
      await addIntents(repository, staging, index.intents);
      installIndex(repository, staging);
    }
    work.reached('indexed', 0);
  } catch (error) {
    try {
      undo(place, staging.folder);
    } catch (cause) {
      throw new UndoFailed(`${(error as Error).message}; undoing it failed: ${(cause as Error).message}`, {
        cause,
      });
    }
    throw error;
  }
  rmSync(join(staging.folder, 'undo.json'));
  work.reached('committed', 0);
  return { plan: planned, index, redacted, kept };
}

async function plan(place: ProbePlace, work: Work): Promise<Plan> {
  return await planOn(
    await openTarget(place, work.manifest, { ...work.about, read: work.options.read }),
    work,
  );
}

async function planOn(target: RestoreTarget, { manifest, options }: Work): Promise<Plan> {
  return await planRestore(target, manifest, { read: options.read, allow: options.allow ?? [] });
}

/** Takes the lock, and first undoes what somebody who was killed left behind. */
function claim(place: ProbePlace): Staging {
  const staging = takeStaging(place.root);
  if (staging !== undefined) return staging;
  const first = wasFirst(place.root);
  undo(place, stagingFolder(place.root));
  rmSync(stagingFolder(place.root), { recursive: true, force: true });
  const again = takeStaging(place.root);
  if (again !== undefined) return { ...again, found: !first };
  throw new StaffettaError('workspace-busy', 'Another restore began in this workspace.');
}

function undo(place: ProbePlace, folder: string): void {
  // Without the record nothing was moved yet, or all of it was and only the cleaning up is left.
  if (!existsSync(join(folder, 'undo.json'))) return;
  undoMoves(place.root, folder);
  if (place.repository !== undefined) undoIndex(place.repository, folder);
}

function asFailure(error: unknown): unknown {
  if (isStaffettaError(error)) return error;
  if (error instanceof UndoFailed) {
    return new StaffettaError('restore-failed', `The workspace could not be restored: ${error.message}.`, {
      cause: error.cause,
      details: { undone: false },
      hint: 'The next restore in this workspace undoes the rest before it begins.',
    });
  }
  const { code, message } = error as NodeJS.ErrnoException;
  // Our own bugs have no code of the system and are not dressed up.
  if (code === undefined) return error;
  return new StaffettaError(
    'restore-failed',
    `The workspace could not be restored: ${message}. Nothing was changed.`,
    {
      cause: error,
      details: { undone: true, system: code },
    },
  );
}

function report(
  root: string,
  planned: Plan,
  done: {
    readonly index?: BuiltIndex | undefined;
    readonly redacted?: readonly string[];
    readonly kept?: readonly string[];
    readonly digest?: Digest;
  },
): RestoreReport {
  const losses: Loss[] = [...planned.losses, ...(done.index?.losses ?? [])];
  return {
    root,
    written: planned.writes.map(({ path }) => path),
    deleted: planned.deletes,
    staged: done.index?.staged ?? planned.index.map(({ path }) => path),
    held: planned.held,
    refused: planned.refused,
    redacted: done.redacted ?? planned.redacted,
    kept: done.kept ?? planned.kept,
    losses: sortLosses(losses),
    unfiltered: [],
    digest: done.digest ?? null,
  };
}

/** The same judgement, on the commit that would be checked out. */
async function dryWorktree(repository: Repository, work: Work, root: string): Promise<RestoreReport> {
  const target = await worktreeToBe(repository, work.manifest, { ...work.about, root });
  const planned = report(root, await planOn(target, work), {});
  return { ...planned, unfiltered: await unfilteredAt(repository, work.manifest.head ?? '') };
}
