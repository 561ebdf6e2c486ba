/** A clone to restore forged manifests into, with a folder beside it that must never change. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Manifest, ManifestEntry } from '../../src/core/tree/workspace.ts';
import type { RestoreReport } from '../../src/ports/workspace.ts';
import { Blobs, fresh, git, repository, restoreInto, write, type RestoreSettings } from './sandbox.ts';
import { treeOf } from './tree.ts';

export const evil = Buffer.from('evil\n');
export const blobs = new Blobs();

export const origin = repository({
  'a.txt': '1\n',
  'dir/b.txt': '1\n',
  '.gitignore': 'ignored\n',
  'package.json': '{"scripts":{"test":"x"}}',
});
symlinkSync('../outside', join(origin, 'way-out'));
symlinkSync('dir', join(origin, 'to-dir'));
git(origin, 'add', '-A');
git(origin, 'commit', '-q', '-m', 'links');
const around = fresh('around');
export const outside = join(around, 'outside');
mkdirSync(outside, { recursive: true });
write(outside, 'canary.txt', 'alive\n');
export const target = join(around, 'target');
git(around, 'clone', '-q', origin, target);

export async function file(path: string, content: Uint8Array = evil): Promise<ManifestEntry> {
  const stored = await blobs.store(content);
  return {
    path,
    worktree: { type: 'file', executable: true, content: { bytes: content.length, stored } },
  };
}

export function manifest(...entries: readonly ManifestEntry[]): Manifest {
  const head = git(target, 'rev-parse', 'HEAD').trim();
  return { v: 1, kind: 'git', head, entries: [...entries], losses: [] };
}

/** Whatever comes of it, the folder beside the target stays as it is. */
export async function restored(
  entries: readonly ManifestEntry[],
  options: RestoreSettings = {},
): Promise<RestoreReport> {
  try {
    return await restoreInto(target, { manifest: manifest(...entries), blobs }, options);
  } finally {
    expect(treeOf(outside)).toEqual({ 'canary.txt': 'file alive\n' });
  }
}

export function cleanUp(): void {
  git(target, 'reset', '-q', '--hard');
  git(target, 'clean', '-q', '-fdx');
}
