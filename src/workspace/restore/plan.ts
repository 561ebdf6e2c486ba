/**
 * From a checked manifest and a target to a list of moves. All reading and judging is done here; what comes after only moves files.
 * A path that is in the way and that git has no copy of ends the plan: nothing of value is ever overwritten.
 */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Digest } from '../../core/digest.ts';
import { StaffettaError } from '../../core/error.ts';
import { linkFault, linkSteps, type UnsafeReason } from '../../core/paths.ts';
import { sanitizeLine } from '../../core/sanitize.ts';
import type { Content, Loss, Manifest, ManifestEntry, WorktreeEntry } from '../../core/workspace.ts';
import { digestFile } from '../read-file.ts';
import { parentOf } from '../look.ts';
import type { Checked } from './check.ts';
import { bringsLifecycle, isPackageManifest, lifecycleReason } from './lifecycle.ts';
import { filledContent, readContent, type Filling } from './fill.ts';
import { allower } from './held.ts';
import type { Target } from './target.ts';

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

export interface PlanOptions {
  readonly read: (digest: Digest) => Promise<Uint8Array | undefined>;
  readonly allow: readonly string[];
}

export async function planRestore(
  target: Target,
  checked: Checked,
  options: PlanOptions & { readonly manifest: Manifest },
): Promise<Plan> {
  const judged = await judgeContents(target, checked, options);
  const deletes = judged.entries.flatMap(({ path, worktree }) => {
    const found = worktree === null ? lstat(target, path) : undefined;
    return found === undefined || found.isDirectory() ? [] : [path];
  });
  const going = new Set(deletes);
  const put = judged.entries.flatMap(({ path, worktree }) =>
    worktree?.type === 'file' || worktree?.type === 'link' ? [{ path, entry: worktree }] : [],
  );
  const links = new Set(put.filter(({ entry }) => entry.type === 'link').map(({ path }) => path));
  const refused = [...checked.refused, ...judged.refused];
  const sound = put.filter(({ path, entry }) => {
    if (entry.type !== 'link' || !passesLink(target, { path, target: entry.target }, { links, going }))
      return true;
    refused.push({ path, reason: 'link-through-link' });
    return false;
  });
  for (const path of [...deletes, ...sound.map((write) => write.path)]) refuseBehindLink(target, path, going);
  const writes = await settleWrites(target, sound, going);
  refuseUntrackedDeletes(target, deletes);
  const left = new Set(refused.map(({ path }) => path));
  const index = judged.entries.filter(
    ({ path, index, stages, intent }) =>
      !left.has(path) && (index !== undefined || stages !== undefined || intent !== undefined),
  );
  const filling = { root: target.root, tracked: target.tracked, read: options.read };
  return {
    writes,
    deletes,
    index,
    filling,
    ...(await secretsIn(writes, filling)),
    held: [...checked.held, ...judged.held],
    refused,
    losses: [...options.manifest.losses, ...judged.entries.flatMap(submoduleLoss)],
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

/** What can only be told from the content: links that are only staged, and package manifests. */
async function judgeContents(
  target: Target,
  checked: Checked,
  options: PlanOptions,
): Promise<{
  entries: ManifestEntry[];
  held: { path: string; reason: string }[];
  refused: { path: string; reason: UnsafeReason }[];
}> {
  const isAllowed = allower(options.allow);
  const entries: ManifestEntry[] = [];
  const held: { path: string; reason: string }[] = [];
  const refused: { path: string; reason: UnsafeReason }[] = [];
  for (const entry of checked.entries) {
    const { path } = entry;
    const fault = await stagedLinkFault(entry, options.read);
    if (fault !== undefined) refused.push({ path, reason: fault });
    else if (
      isPackageManifest(path) &&
      !isAllowed(path) &&
      (await startsSomething(target, entry, options.read))
    )
      held.push({ path, reason: lifecycleReason });
    else entries.push(entry);
  }
  return { entries, held, refused };
}

async function stagedLinkFault(
  entry: ManifestEntry,
  read: PlanOptions['read'],
): Promise<UnsafeReason | undefined> {
  for (const side of sidesOf(entry)) {
    if (side.mode !== '120000' || side.content === undefined) continue;
    const link = Buffer.from(await readContent(side.content, read)).toString('utf8');
    const fault = linkFault(entry.path, link);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

async function startsSomething(
  target: Target,
  entry: ManifestEntry,
  read: PlanOptions['read'],
): Promise<boolean> {
  const found = lstat(target, entry.path);
  const before = found?.isFile() === true ? readFileSync(join(target.root, entry.path)) : undefined;
  const contents = sidesOf(entry).flatMap(({ content }) => content ?? []);
  if (entry.worktree?.type === 'file') contents.push(entry.worktree.content);
  for (const content of contents)
    if (bringsLifecycle(entry.path, before, await readContent(content, read))) return true;
  return false;
}

export function sidesOf(
  entry: ManifestEntry,
): { readonly mode: string; readonly content?: Content | undefined }[] {
  return [...(entry.index ? [entry.index] : []), ...(entry.stages ?? []).map((stage) => stage.entry)];
}

function lstat(target: Target, path: string): ReturnType<typeof lstatSync> | undefined {
  try {
    return lstatSync(join(target.root, path), { throwIfNoEntry: false });
  } catch (error) {
    // A parent is a file: then nothing is there.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** A link may not lead to or through a link, neither one that is there nor one that will be. */
function passesLink(
  target: Target,
  link: { readonly path: string; readonly target: string },
  change: { readonly links: ReadonlySet<string>; readonly going: ReadonlySet<string> },
): boolean {
  return linkSteps(link.path, link.target).some(
    (step) =>
      change.links.has(step) || (!change.going.has(step) && lstat(target, step)?.isSymbolicLink() === true),
  );
}

/** No capture names a path behind a link: git does not look through links, and neither do we. */
function refuseBehindLink(target: Target, path: string, going: ReadonlySet<string>): void {
  for (let folder = parentOf(path); folder !== ''; folder = parentOf(folder)) {
    if (!going.has(folder) && lstat(target, folder)?.isSymbolicLink() === true)
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
  target: Target,
  wanted: readonly { readonly path: string; readonly entry: Putting }[],
  going: ReadonlySet<string>,
): Promise<Plan['writes']> {
  const writes: { path: string; entry: Putting; replaces: boolean }[] = [];
  const inTheWay: string[] = [];
  for (const { path, entry } of wanted) {
    const found = lstat(target, path);
    const blocking = found === undefined ? parentInTheWay(target, path, going) : undefined;
    if (blocking !== undefined) inTheWay.push(blocking);
    else if (found === undefined) writes.push({ path, entry, replaces: false });
    else if (found.isDirectory()) {
      const strangers = filesIn(target, path).filter((file) => !going.has(file));
      if (strangers.length > 0) inTheWay.push(...strangers);
      else writes.push({ path, entry, replaces: false });
    } else if (target.tracked.has(path)) writes.push({ path, entry, replaces: true });
    else if (!(await isAlready(target, path, entry))) inTheWay.push(path);
  }
  if (inTheWay.length > 0) throw blocked(target, inTheWay);
  return writes;
}

function parentInTheWay(target: Target, path: string, going: ReadonlySet<string>): string | undefined {
  for (let folder = parentOf(path); folder !== ''; folder = parentOf(folder)) {
    const found = lstat(target, folder);
    if (found !== undefined && !found.isDirectory() && !going.has(folder)) return folder;
  }
  return undefined;
}

function filesIn(target: Target, folder: string): string[] {
  return readdirSync(join(target.root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesIn(target, path) : [path];
  });
}

async function isAlready(target: Target, path: string, entry: Putting): Promise<boolean> {
  const file = join(target.root, path);
  const found = lstat(target, path);
  if (entry.type === 'link') return found?.isSymbolicLink() === true && readlinkSync(file) === entry.target;
  if (found?.isFile() !== true || ((Number(found.mode) & 0o100) !== 0) !== (entry.executable === true))
    return false;
  return (await digestFile(file)) === entry.content.stored;
}

function refuseUntrackedDeletes(target: Target, deletes: readonly string[]): void {
  const precious = deletes.filter((path) => !target.tracked.has(path));
  if (precious.length > 0) throw blocked(target, precious);
}

function blocked(target: Target, paths: readonly string[]): StaffettaError {
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
