/** What a manifest may do at all, judged by its words alone. Nothing on disk is looked at. */
import { StaffettaError } from '../../core/error.ts';
import {
  collisions,
  isForged,
  linkFault,
  pathFault,
  pathFaultWords,
  type UnsafeReason,
} from '../../core/paths.ts';
import { sanitizeLine } from '../../core/sanitize.ts';
import type { Manifest, ManifestEntry } from '../../core/workspace.ts';
import { parentOf } from '../look.ts';
import { allower, heldReason } from './held.ts';

export interface Checked {
  readonly entries: readonly ManifestEntry[];
  readonly held: readonly { readonly path: string; readonly reason: string }[];
  readonly refused: readonly { readonly path: string; readonly reason: UnsafeReason }[];
}

export function checkManifest(manifest: Manifest, allow: readonly string[]): Checked {
  refuseForged(manifest.entries);
  // Index and working tree are two trees: what is a file in one may be a folder in the other.
  const lying = manifest.entries.filter(({ worktree }) => Boolean(worktree)).map(({ path }) => path);
  const staged = manifest.entries.filter(isStaged).map(({ path }) => path);
  refuseFilesAsFolders(lying);
  refuseFilesAsFolders(staged);
  const confused = new Set([...collisions(lying), ...collisions(staged)]);
  const isAllowed = allower(allow);
  const entries: ManifestEntry[] = [];
  const held: { path: string; reason: string }[] = [];
  const refused: { path: string; reason: UnsafeReason }[] = [];
  for (const entry of manifest.entries) {
    const { path } = entry;
    const unsafe = unsafeReason(entry, confused);
    const reason = heldReason(path);
    if (unsafe !== undefined) refused.push({ path, reason: unsafe });
    else if (reason !== undefined && !isAllowed(path)) held.push({ path, reason });
    else entries.push(entry);
  }
  return { entries, held, refused };
}

function isStaged(entry: ManifestEntry): boolean {
  return Boolean(entry.index) || entry.stages !== undefined;
}

function refuseForged(entries: readonly ManifestEntry[]): void {
  const seen = new Set<string>();
  const faults: { path: string; reason: string }[] = [];
  for (const { path } of entries) {
    const fault = pathFault(path);
    if (fault !== undefined && isForged(fault)) faults.push({ path, reason: pathFaultWords[fault] });
    else if (seen.has(path)) faults.push({ path, reason: 'the path is listed twice' });
    seen.add(path);
  }
  if (faults.length > 0) throw unsafe(faults);
}

/** The same name as file and as folder: no tree ever looked like that. */
function refuseFilesAsFolders(created: readonly string[]): void {
  const files = new Set(created);
  const faults = created.flatMap((path) => {
    for (let folder = parentOf(path); folder !== ''; folder = parentOf(folder))
      if (files.has(folder)) return [{ path, reason: `${folder} is a file of the same manifest` }];
    return [];
  });
  if (faults.length > 0) throw unsafe(faults);
}

function unsafeReason(entry: ManifestEntry, confused: ReadonlySet<string>): UnsafeReason | undefined {
  const fault = pathFault(entry.path);
  if (fault !== undefined && !isForged(fault)) return fault;
  if (confused.has(entry.path)) return 'collision';
  if (entry.worktree?.type === 'link') return linkFault(entry.path, entry.worktree.target);
  return undefined;
}

function unsafe(faults: readonly { readonly path: string; readonly reason: string }[]): StaffettaError {
  const [first] = faults;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  return new StaffettaError(
    'unsafe-path',
    `The captured tree was tampered with: ${sanitizeLine(first?.path ?? '')}: ${first?.reason ?? ''}${more}.`,
    {
      details: { paths: faults.slice(0, 100) },
      hint: 'Nothing was written. Do not restore this packet; ask whoever sealed it.',
    },
  );
}
