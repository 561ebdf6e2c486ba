/**
 * Files that a filter of the repository stands in front of. The filter is not run, so git, comparing raw bytes, may call such a file
 * modified although it is not. Two ways to tell without running anything:
 *   - an LFS pointer names the SHA-256 of the file it stands for;
 *   - for any other filter, a file whose size and time of change are those noted in the index was not touched since.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../../core/base/limits.ts';
import { digestFile } from '../read-file.ts';
import { isLfsPointerSize, lfsPointerBytesMax, parseLfsPointer } from '../lfs.ts';
import type { GitItem, Items } from './item.ts';
import type { Repository } from './locate.ts';
import { looseObject, objectContents, objectSizes } from './objects.ts';
import { git, records } from './spawn.ts';

/** Filters that keep a file encrypted in the repository. */
export function isEncrypting(filter: string): boolean {
  return /crypt|cipher|gpg|\bage\b|sops|vault/i.test(filter);
}

export async function settleFiltered(repository: Repository, items: Items): Promise<void> {
  if (repository.filters.length === 0) return;
  const candidates = [...items].filter(
    (item) => item.submodule === undefined && item.unstaged !== 'deleted' && item.index !== null,
  );
  await markFiltered(repository, [...candidates, ...[...items].filter((item) => item.untracked === true)]);
  const doubtful = candidates.filter((item) => item.filter !== undefined && item.unstaged === 'modified');
  if (doubtful.length === 0) return;
  const pointers = await readPointers(repository, doubtful);
  const untold: GitItem[] = [];
  for (const item of doubtful) {
    const pointer = item.oid === undefined ? undefined : pointers.get(item.oid);
    const same = pointer === undefined ? undefined : await isSmudged(repository, item.path, pointer);
    if (same === undefined) untold.push(item);
    else if (same) forget(items, item);
  }
  if (untold.length === 0) return;
  const untouched = await untouchedSinceIndexed(repository, untold);
  for (const item of untold) if (untouched.has(item.path)) forget(items, item);
}

function forget(items: Items, item: GitItem): void {
  delete item.unstaged;
  delete item.hidden;
  if (item.staged === undefined && item.untracked === undefined) items.drop(item.path);
}

async function markFiltered(repository: Repository, items: readonly GitItem[]): Promise<void> {
  if (items.length === 0) return;
  const byPath = new Map(items.map((item) => [item.path, item]));
  const { stdout } = await git(repository, ['check-attr', '-z', '--stdin', 'filter'], {
    input: `${[...byPath.keys()].join('\0')}\0`,
  });
  const words = [...records(stdout)].map((word) => word.toString('utf8'));
  for (let i = 0; i + 2 < words.length; i += 3) {
    const [path = '', , filter = ''] = words.slice(i, i + 3);
    const item = byPath.get(path);
    if (item !== undefined && repository.filters.includes(filter)) item.filter = filter;
  }
}

async function readPointers(
  repository: Repository,
  items: readonly GitItem[],
): Promise<Map<string, { readonly digest: string; readonly bytes: number }>> {
  const contents = new Map<string, Buffer>();
  const packed = new Set<string>();
  for (const oid of items.flatMap((item) => item.oid ?? [])) {
    const content = looseObject(repository, oid, { type: 'blob', bytesMax: lfsPointerBytesMax });
    if (content === undefined) packed.add(oid);
    else contents.set(oid, content);
  }
  const sizes = [...(await objectSizes(repository, [...packed]))];
  const small = sizes.filter(([, size]) => isLfsPointerSize(size));
  const told = await objectContents(
    repository,
    small.map(([oid]) => oid),
    small.reduce((sum, [, size]) => sum + size, 0),
  );
  for (const [oid, content] of told) contents.set(oid, content);
  const pointers = new Map<string, { readonly digest: string; readonly bytes: number }>();
  for (const [oid, content] of contents) {
    const pointer = parseLfsPointer(content);
    if (pointer !== undefined) pointers.set(oid, pointer);
  }
  return pointers;
}

/** Undefined: too large to tell this way. */
async function isSmudged(
  repository: Repository,
  path: string,
  pointer: { readonly digest: string; readonly bytes: number },
): Promise<boolean | undefined> {
  const file = join(repository.root, path);
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found?.isFile() !== true || found.size !== pointer.bytes) return false;
  if (found.size > limits.hashFileBytesMax) return undefined;
  return (await digestFile(file)) === pointer.digest;
}

/** Above this many, everything is listed instead of naming them one by one. */
const namedMax = 200;

async function untouchedSinceIndexed(
  repository: Repository,
  items: readonly GitItem[],
): Promise<ReadonlySet<string>> {
  const wanted = new Set(items.map(({ path }) => path));
  const named = items.length <= namedMax ? ['--', ...wanted] : [];
  const { stdout } = await git(repository, ['ls-files', '--debug', '-z', ...named]);
  const untouched = new Set<string>();
  // A path and a NUL, then lines that begin with two blanks.
  const entry = /([^\0]*)\0((?: {2}[^\n]*\n)+)/g;
  for (const [, path = '', notes = ''] of stdout.toString('utf8').matchAll(entry)) {
    const [, seconds = '', nanos = ''] = /mtime: (\d+):(\d+)/.exec(notes) ?? [];
    const size = /size: (\d+)/.exec(notes)?.[1] ?? '';
    if (!wanted.has(path)) continue;
    const found = lstatSync(join(repository.root, path), { bigint: true, throwIfNoEntry: false });
    if (found === undefined) continue;
    const noted = BigInt(seconds) * 1_000_000_000n + BigInt(nanos);
    const now = nanos === '0' ? (found.mtimeNs / 1_000_000_000n) * 1_000_000_000n : found.mtimeNs;
    if (noted === now && BigInt(size) === found.size) untouched.add(path);
  }
  return untouched;
}
