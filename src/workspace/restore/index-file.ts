/**
 * The index of a restored tree. It is built beside the real one, from a copy, and takes its place in one move under git's own
 * lock; if the real one changed meanwhile, nothing is exchanged. Objects it needs are written to the repository first: until
 * the exchange nothing refers to them, and git clears such objects away by itself.
 */
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { StaffettaError } from '../../core/base/error.ts';
import type { IndexEntry, Loss, ManifestEntry } from '../../core/tree/workspace.ts';
import type { Repository } from '../git/locate.ts';
import { git } from '../git/spawn.ts';
import { filledContent, type Filling } from './fill.ts';
import type { Staging } from './staging.ts';

export interface BuiltIndex {
  readonly staged: readonly string[];
  readonly losses: readonly Loss[];
  readonly intents: readonly string[];
}

function indexOf(repository: Repository): string {
  return join(repository.gitFolder, 'index');
}

export async function buildIndex(
  repository: Repository,
  staging: Staging,
  options: { readonly entries: readonly ManifestEntry[]; readonly filling: Filling },
): Promise<BuiltIndex> {
  const built = join(staging.folder, 'index');
  if (existsSync(indexOf(repository))) {
    copyFileSync(indexOf(repository), join(staging.folder, 'index.old'));
    copyFileSync(indexOf(repository), built);
  }
  const oids = await writeObjects(repository, staging, options);
  const gone: string[] = [];
  const set: string[] = [];
  const staged: string[] = [];
  const losses: Loss[] = [];
  const zeros = '0'.repeat(repository.hash === 'sha256' ? 64 : 40);
  for (const { path, index, stages } of options.entries) {
    const lines = linesOf(path, index, stages, oids);
    if (lines === undefined) {
      losses.push({ path, reason: 'unreadable' });
      continue;
    }
    gone.push(`0 ${zeros}\t${path}\0`);
    set.push(...lines);
    staged.push(path);
  }
  await git(repository, ['update-index', '-z', '--index-info'], {
    input: [...gone, ...set].join(''),
    env: { GIT_INDEX_FILE: built },
  });
  const intents = options.entries.flatMap(({ path, intent, worktree }) =>
    intent === true && worktree ? [path] : [],
  );
  return { staged, losses, intents };
}

/** Undefined if a content is missing. */
function linesOf(
  path: string,
  index: ManifestEntry['index'],
  stages: ManifestEntry['stages'],
  oids: ReadonlyMap<IndexEntry, string>,
): string[] | undefined {
  const sides = [
    ...(index ? [{ stage: 0, entry: index }] : []),
    ...(stages ?? []).map(({ stage, entry }) => ({ stage, entry })),
  ];
  const lines = sides.flatMap(({ stage, entry }) => {
    const oid = entry.mode === '160000' ? entry.oid : oids.get(entry);
    return oid === undefined ? [] : [`${entry.mode} ${oid} ${stage}\t${path}\0`];
  });
  return lines.length === sides.length ? lines : undefined;
}

/** Writes the contents as objects; each must get the name it had, unless secrets were taken out of it. */
async function writeObjects(
  repository: Repository,
  staging: Staging,
  options: { readonly entries: readonly ManifestEntry[]; readonly filling: Filling },
): Promise<Map<IndexEntry, string>> {
  const sides = options.entries
    .flatMap(({ path, index, stages }) =>
      [...(index ? [index] : []), ...(stages ?? []).map((stage) => stage.entry)].map((side) => ({
        path,
        side,
      })),
    )
    .filter(({ side }) => side.mode !== '160000' && side.content !== undefined);
  const oids = new Map<IndexEntry, string>();
  if (sides.length === 0) return oids;
  const paths: string[] = [];
  for (const [n, { path, side }] of sides.entries()) {
    if (side.content === undefined) continue;
    const file = join(staging.folder, `object-${n}`);
    // What is staged with a placeholder would be committed with it.
    const { bytes } = await filledContent(path, side.content, options.filling);
    writeFileSync(file, bytes, { mode: 0o600, flag: 'wx' });
    paths.push(file);
  }
  const { stdout } = await git(repository, ['hash-object', '-w', '--no-filters', '--stdin-paths'], {
    input: `${paths.join('\n')}\n`,
  });
  const answers = stdout.toString('latin1').trim().split('\n');
  for (const [n, { side }] of sides.entries()) {
    const oid = answers[n] ?? '';
    if (oid !== side.oid && (side.oid !== undefined || side.content?.redacted !== true))
      throw new StaffettaError(
        'corrupt',
        `A staged content does not have the object id ${side.oid ?? 'that it must have'} it claims.`,
      );
    oids.set(side, oid);
  }
  for (const path of paths) rmSync(path);
  return oids;
}

/** Entries that are in the index by name only; git wants to see the files. */
export async function addIntents(
  repository: Repository,
  staging: Staging,
  paths: readonly string[],
): Promise<void> {
  if (paths.length === 0) return;
  const named = ['--pathspec-from-file=-', '--pathspec-file-nul'];
  await git(repository, ['add', '--intent-to-add', '--force', ...named], {
    input: paths.join('\0'),
    env: { GIT_INDEX_FILE: join(staging.folder, 'index') },
  });
}

export function installIndex(repository: Repository, staging: Staging): void {
  exchange(repository, join(staging.folder, 'index.old'), join(staging.folder, 'index'));
}

/** Puts the old index back, if ours is in its place. */
export function undoIndex(repository: Repository, folder: string): void {
  const [old, built] = [join(folder, 'index.old'), join(folder, 'index')];
  if (!existsSync(built) || !isSame(indexOf(repository), built) || isSame(old, built)) return;
  exchange(repository, built, old);
}

/** `expected` must be what is there now; a file that does not exist stands for no index. */
function exchange(repository: Repository, expected: string, next: string): void {
  const index = indexOf(repository);
  const lock = `${index}.lock`;
  let descriptor: number;
  try {
    descriptor = openSync(lock, 'wx', 0o644);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw busy(`Another git holds ${lock}.`);
  }
  try {
    if (!isSame(index, expected)) throw busy('The index was changed while the restore was under way.');
    if (existsSync(next)) writeFileSync(descriptor, readFileSync(next));
    fsyncSync(descriptor);
  } catch (error) {
    closeSync(descriptor);
    rmSync(lock, { force: true });
    throw error;
  }
  closeSync(descriptor);
  if (existsSync(next)) renameSync(lock, index);
  else {
    rmSync(index, { force: true });
    rmSync(lock, { force: true });
  }
}

function isSame(a: string, b: string): boolean {
  const [first, second] = [a, b].map((path) => (existsSync(path) ? readFileSync(path) : undefined));
  return first === undefined || second === undefined ? first === second : first.equals(second);
}

function busy(message: string): StaffettaError {
  return new StaffettaError('workspace-busy', message, { hint: 'Wait until it has ended, then try again.' });
}
