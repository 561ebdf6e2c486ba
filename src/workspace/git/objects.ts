/** Objects of the repository, as stored: no filter and no conversion. */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from './locate.ts';
import { askGit, git, type GitPlace } from './spawn.ts';

export type ObjectPlace = GitPlace & Pick<Repository, 'commonFolder' | 'hash'>;

/** What stands before the content: the type, the size and a NUL. */
const headBytesMax = 32;

/**
 * An object that lies in a file of its own, as all that was staged or committed lately does: read without git, and believed because its
 * name is its hash. Undefined for any other, and for one that is larger: git must be asked.
 */
export function looseObject(
  { commonFolder, hash }: Pick<ObjectPlace, 'commonFolder' | 'hash'>,
  oid: string,
  { type, bytesMax }: { readonly type: 'blob' | 'commit'; readonly bytesMax: number },
): Buffer | undefined {
  try {
    const file = join(commonFolder, 'objects', oid.slice(0, 2), oid.slice(2));
    // What does not get smaller grows by some bytes in a thousand.
    if (statSync(file).size > bytesMax + bytesMax / 500 + 128) return undefined;
    // Loaded when it is needed: most handoffs have no such object.
    const { inflateSync } = process.getBuiltinModule('node:zlib');
    const whole = inflateSync(readFileSync(file), { maxOutputLength: bytesMax + headBytesMax });
    const end = whole.indexOf(0);
    const content = whole.subarray(end + 1);
    const isWhole = whole.toString('latin1', 0, end) === `${type} ${content.length}`;
    return isWhole && createHash(hash).update(whole).digest('hex') === oid ? content : undefined;
  } catch {
    return undefined;
  }
}

/** Sizes of the objects that are there. */
export async function objectSizes(place: GitPlace, oids: readonly string[]): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  if (oids.length === 0) return sizes;
  const { stdout } = await git(place, ['cat-file', '--batch-check'], { input: `${oids.join('\n')}\n` });
  for (const line of stdout.toString('latin1').split('\n')) {
    const [oid = '', type, size] = line.split(' ');
    if (type === 'blob') sizes.set(oid, Number(size));
  }
  return sizes;
}

/** Contents of objects that are known to be there, whose sizes together fit into `bytesMax`. */
export async function objectContents(
  place: GitPlace,
  oids: readonly string[],
  bytesMax: number,
): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  if (oids.length === 0) return contents;
  const { stdout } = await git(place, ['cat-file', '--batch'], {
    input: `${oids.join('\n')}\n`,
    // Each answer has a line of its own before the content and a line break after it.
    bytesMax: bytesMax + oids.length * 128,
  });
  for (let at = 0; at < stdout.length;) {
    const end = stdout.indexOf(0x0a, at);
    const [oid = '', type, size] = stdout.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (type !== 'blob') continue;
    contents.set(oid, stdout.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return contents;
}

/** Whether the repository holds a commit, without fetching it from anywhere. */
export async function holdsCommit(repository: GitPlace, commit: string): Promise<boolean> {
  return (await askGit(repository, ['cat-file', '-e', `${commit}^{commit}`])).code === 0;
}
