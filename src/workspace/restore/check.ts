/** What a manifest may do at all, judged by its names alone. Contents, and where links lead, come later. */
import { StaffettaError } from '../../core/base/error.ts';
import {
  collisions,
  isForged,
  pathFault,
  pathFaultWords,
  type NameRules,
  type UnsafeReason,
} from '../../core/tree/paths.ts';
import { sanitizeLine } from '../../core/base/sanitize.ts';
import type { Manifest, ManifestEntry } from '../../core/tree/workspace.ts';
import { parentOf } from '../look.ts';
import { allower, heldReason } from './held.ts';

export interface Checked {
  readonly entries: readonly ManifestEntry[];
  readonly held: readonly { readonly path: string; readonly reason: string }[];
  readonly refused: readonly { readonly path: string; readonly reason: UnsafeReason }[];
}

/** Throws if no capture can have made this manifest. */
export function refuseTampered({ entries }: Manifest): void {
  refuseForged(entries);
  // Index and working tree are two trees: what is a file in one may be a folder in the other.
  refuseFilesAsFolders(entries.filter(isLying).map(({ path }) => path));
  refuseFilesAsFolders(entries.filter(isStaged).map(({ path }) => path));
}

export function checkManifest(
  { entries: all }: Manifest,
  where: { readonly names: NameRules; readonly tracked: ReadonlySet<string> },
  allow: readonly string[],
): Checked {
  const confused = confusedIn(all, where);
  const isAllowed = allower(allow);
  const entries: ManifestEntry[] = [];
  const held: { path: string; reason: string }[] = [];
  const refused: { path: string; reason: UnsafeReason }[] = [];
  for (const entry of all) {
    const { path } = entry;
    const fault = pathFault(path, where.names);
    const reason = heldReason(path);
    if (fault !== undefined && !isForged(fault)) refused.push({ path, reason: fault });
    else if (confused.has(path)) refused.push({ path, reason: 'collision' });
    else if (reason !== undefined && !isAllowed(path)) held.push({ path, reason });
    else entries.push(entry);
  }
  return { entries, held, refused };
}

/** Names that the file system would take for one, among those that are written and those that are there and stay. */
function confusedIn(
  entries: readonly ManifestEntry[],
  { names, tracked }: { readonly names: NameRules; readonly tracked: ReadonlySet<string> },
): ReadonlySet<string> {
  const going = new Set(entries.filter(({ worktree }) => worktree === null).map(({ path }) => path));
  const staying = [...tracked].filter((path) => !going.has(path));
  const lying = entries.filter(isLying).map(({ path }) => path);
  const staged = entries.filter(isStaged).map(({ path }) => path);
  return new Set([...collisions([...staying, ...lying], names), ...collisions(staged, names)]);
}

function isLying({ worktree }: ManifestEntry): boolean {
  return Boolean(worktree);
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

function unsafe(faults: readonly { readonly path: string; readonly reason: string }[]): StaffettaError {
  const [first] = faults;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  return new StaffettaError(
    'unsafe-path',
    `The captured tree was tampered with: ${sanitizeLine(first?.path ?? '')}: ${first?.reason ?? ''}${more}.`,
    {
      details: { paths: faults.slice(0, 100) },
      hint: 'Nothing was written. Do not restore this packet; ask its author.',
    },
  );
}
