/**
 * From a checked manifest and a target to a list of moves. All reading and judging is done here; what comes after only moves files.
 * A path that is in the way and that git has no copy of ends the plan: nothing of value is ever overwritten.
 */
import { readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StaffettaError } from '../../core/base/error.ts';
import type { UnsafeReason } from '../../core/tree/paths.ts';
import { sanitizeLine } from '../../core/base/sanitize.ts';
import {
  byPath,
  type Loss,
  type Manifest,
  type ManifestEntry,
  type WorktreeEntry,
} from '../../core/tree/workspace.ts';
import { digestFile } from '../read-file.ts';
import { parentOf } from '../look.ts';
import { checkManifest } from './check.ts';
import { filledContent, type Filling } from './fill.ts';
import { judgeEffects, type JudgeOptions } from './judge.ts';
import type { RestoreTarget } from './target.ts';

export type Putting = Extract<WorktreeEntry, { type: 'file' | 'link' }>;

export interface Plan {
  readonly writes: readonly { readonly path: string; readonly entry: Putting; readonly replaces: boolean }[];
  readonly deletes: readonly string[];
  /** Entries whose index side is to be set. */
  readonly index: readonly ManifestEntry[];
  readonly held: readonly { readonly path: string; readonly reason: string }[];
  readonly refused: readonly { readonly path: string; readonly reason: UnsafeReason }[];
  readonly losses: readonly Loss[];
  /** Written with placeholders where secrets were, and with the values that stand here instead of them. */
  readonly redacted: readonly string[];
  readonly kept: readonly string[];
  readonly filling: Filling;
}

export async function planRestore(
  target: RestoreTarget,
  manifest: Manifest,
  options: JudgeOptions,
): Promise<Plan> {
  const checked = checkManifest(manifest, target, options.allow);
  const judged = await judgeEffects(target, checked.entries, options);
  const coming = judged.entries.filter(({ path }) => !target.already.has(path));
  const deletes = coming.flatMap(({ path, worktree }) => {
    const lies = worktree === null ? target.ground.at(path) : undefined;
    return lies === undefined || lies === 'folder' ? [] : [path];
  });
  const going = new Set(deletes);
  const put = coming.flatMap(({ path, worktree }) =>
    worktree?.type === 'file' || worktree?.type === 'link' ? [{ path, entry: worktree }] : [],
  );
  for (const path of [...deletes, ...put.map((write) => write.path)]) refuseBehindLink(target, path, going);
  const writes = await settleWrites(target, put, going);
  refuseUntrackedDeletes(target, deletes);
  const index = judged.entries.filter(
    ({ index, stages, intent }) => index !== undefined || stages !== undefined || intent !== undefined,
  );
  const filling = { ground: target.ground, tracked: target.tracked, read: options.read };
  return {
    writes,
    deletes,
    index,
    filling,
    ...(await secretsIn(writes, filling)),
    held: [...checked.held, ...judged.held].sort(byPath),
    refused: [...checked.refused, ...judged.refused].sort(byPath),
    // What was carried as it is comes back.
    losses: [
      ...manifest.losses.filter(({ reason }) => reason !== 'not-searched'),
      ...judged.entries.flatMap(submoduleLoss),
    ],
  };
}

async function secretsIn(
  writes: Plan['writes'],
  filling: Filling,
): Promise<{ readonly redacted: string[]; readonly kept: string[] }> {
  const redacted: string[] = [];
  const kept: string[] = [];
  for (const { path, entry } of writes) {
    if (entry.type !== 'file' || entry.content.redacted !== true) continue;
    const filled = await filledContent(path, entry.content, filling);
    if (filled.redacted) redacted.push(path);
    if (filled.kept) kept.push(path);
  }
  return { redacted, kept };
}

/** No capture names a path behind a link: git does not look through links, and neither do we. */
function refuseBehindLink(target: RestoreTarget, path: string, going: ReadonlySet<string>): void {
  for (let folder = parentOf(path); folder !== ''; folder = parentOf(folder)) {
    if (!going.has(folder) && target.ground.at(folder) === 'link')
      throw new StaffettaError(
        'unsafe-path',
        `${sanitizeLine(path)} lies behind ${sanitizeLine(folder)}, which is a link in ${target.root}: a restore writes through no link.`,
        {
          details: { paths: [{ path, reason: `${folder} is a link` }] },
          hint: 'Nothing was written. Move the link away, or restore into a new worktree.',
        },
      );
  }
}

async function settleWrites(
  target: RestoreTarget,
  wanted: readonly { readonly path: string; readonly entry: Putting }[],
  going: ReadonlySet<string>,
): Promise<Plan['writes']> {
  const writes: { path: string; entry: Putting; replaces: boolean }[] = [];
  const inTheWay: string[] = [];
  for (const { path, entry } of wanted) {
    const lies = target.ground.at(path);
    const blocking = lies === undefined ? parentInTheWay(target, path, going) : undefined;
    if (blocking !== undefined) inTheWay.push(blocking);
    else if (lies === undefined) writes.push({ path, entry, replaces: false });
    else if (lies === 'folder') {
      const strangers = target.ground.filesIn(path).filter((file) => !going.has(file));
      if (strangers.length > 0) inTheWay.push(...strangers);
      else writes.push({ path, entry, replaces: false });
    } else if (target.tracked.has(path)) writes.push({ path, entry, replaces: true });
    else if (!(await isAlready(target, path, entry))) inTheWay.push(path);
  }
  if (inTheWay.length > 0) throw blocked(target, inTheWay);
  return writes;
}

function parentInTheWay(target: RestoreTarget, path: string, going: ReadonlySet<string>): string | undefined {
  for (let folder = parentOf(path); folder !== ''; folder = parentOf(folder)) {
    const lies = target.ground.at(folder);
    if (lies !== undefined && lies !== 'folder' && !going.has(folder)) return folder;
  }
  return undefined;
}

/** Asked of what git has no copy of, and so only where the tree lies on disk. */
async function isAlready(target: RestoreTarget, path: string, entry: Putting): Promise<boolean> {
  const file = join(target.root, path);
  const lies = target.ground.at(path);
  if (entry.type === 'link') return lies === 'link' && readlinkSync(file) === entry.target;
  if (lies !== 'file' || ((statSync(file).mode & 0o100) !== 0) !== (entry.executable === true)) return false;
  return (await digestFile(file)) === entry.content.stored;
}

function refuseUntrackedDeletes(target: RestoreTarget, deletes: readonly string[]): void {
  const precious = deletes.filter((path) => !target.tracked.has(path));
  if (precious.length > 0) throw blocked(target, precious);
}

function blocked(target: RestoreTarget, paths: readonly string[]): StaffettaError {
  return new StaffettaError(
    'workspace-dirty',
    `${target.root} has ${paths.length} files in the way that git has no copy of.`,
    {
      details: { inTheWay: paths.slice(0, 100) },
      hint: 'Restore into a new worktree, or move them away first.',
    },
  );
}

function submoduleLoss({ path, worktree, index }: ManifestEntry): Loss[] {
  const checkout = worktree?.type === 'submodule' && worktree.commit !== index?.oid;
  return checkout ? [{ path, reason: 'submodule-checkout' }] : [];
}
