/**
 * One digest of what lies in the working tree, whatever of it is staged or committed: for each file its path, its mode and the object
 * that git would make of it. Staging and committing leave it as it is; an edit does not. A file whose object only a filter could make
 * has another one before and after it is committed: then the digest changes too often, never too seldom.
 */
import { createHash } from 'node:crypto';
import type { Digest } from '../core/journal/digest.ts';
import type { Loss } from '../core/tree/workspace.ts';
import type { LookedPath, SubmoduleState } from './facts.ts';
import { hashFiles } from './git/index-list.ts';
import type { GitSurvey } from './git/survey.ts';
import type { SeenPath } from './look.ts';
import { blobId } from './patch-text.ts';

export interface TreeSeen {
  readonly survey: GitSurvey | undefined;
  readonly looked: readonly LookedPath[];
  readonly submodules: readonly SubmoduleState[];
  readonly losses: readonly Loss[];
}

export async function contentOf({ survey, looked, submodules, losses }: TreeSeen): Promise<Digest> {
  // By the bytes of the path: git may hold names that are no text.
  const tree = new Map(survey?.sides);
  for (const { path, commit, head, dirty, digest } of submodules)
    tree.set(keyOf(path), `160000 ${head ?? commit}${dirty ? ` ${digest ?? ''}` : ''}`);
  const objects = await objectsOf(survey, looked);
  for (const { item, seen } of looked) {
    const key = keyOf(item.path);
    const side = sideOf(seen, objects.get(item.path), survey?.repository.hash ?? 'sha1');
    if (side !== undefined) tree.set(key, side);
    else if (seen.type !== 'folder' || item.submodule === undefined) tree.delete(key);
  }
  const hash = createHash('sha256');
  for (const key of [...tree.keys()].sort()) hash.update(`${key}\0${tree.get(key) ?? ''}\n`, 'latin1');
  for (const { path, reason, files } of losses)
    hash.update(`\0${keyOf(path)}\0${reason} ${files ?? 0}\n`, 'latin1');
  return `sha256:${hash.digest('hex')}`;
}

function keyOf(path: string): string {
  return Buffer.from(path, 'utf8').toString('latin1');
}

/** Of changed files, as `git add` would make them; nothing is stored. */
async function objectsOf(
  survey: GitSurvey | undefined,
  looked: readonly LookedPath[],
): Promise<ReadonlyMap<string, string>> {
  const files = looked.filter(({ item, seen }) => seen.type === 'file' && item.filter === undefined);
  if (survey === undefined || files.length === 0) return new Map();
  const paths = files.map(({ item }) => item.path);
  const ids = await hashFiles(survey.repository, paths);
  return new Map(paths.map((path, i) => [path, ids[i] ?? '']));
}

/** Undefined where nothing lies there. */
function sideOf(seen: SeenPath, object: string | undefined, hash: 'sha1' | 'sha256'): string | undefined {
  switch (seen.type) {
    case 'file':
      return `${seen.executable ? '100755' : '100644'} ${object ?? seen.digest}`;
    case 'link':
      return `120000 ${blobId(Buffer.from(seen.target), hash)}`;
    case 'unknown':
      return `unknown ${seen.stamp ?? seen.loss}`;
    case 'folder':
    case 'absent':
      return undefined;
  }
}
