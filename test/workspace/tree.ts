/** A tree as it lies on disk, comparable. */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gitWith } from './sandbox.ts';

/** Content, executable bit and link targets of everything but git's own folder. */
export function treeOf(folder: string, under = ''): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const entry of readdirSync(join(folder, under), { withFileTypes: true })) {
    const path = under === '' ? entry.name : `${under}/${entry.name}`;
    if (path === '.git') continue;
    if (entry.isDirectory()) Object.assign(tree, treeOf(folder, path));
    else tree[path] = describe(join(folder, path));
  }
  return tree;
}

function describe(file: string): string {
  const found = lstatSync(file);
  if (found.isSymbolicLink()) return `link ${readlinkSync(file)}`;
  if (!found.isFile()) return 'special';
  return `${(found.mode & 0o100) === 0 ? 'file' : 'program'} ${readFileSync(file).toString('latin1')}`;
}

/** Bytes and times of everything, git's own folder included: equal only if nobody touched it. */
export function imprint(folder: string, under = ''): Record<string, string> {
  const all: Record<string, string> = {};
  const here = lstatSync(join(folder, under), { bigint: true });
  all[`${under}/`] = `${here.mtimeNs} ${here.mode}`;
  for (const entry of readdirSync(join(folder, under), { withFileTypes: true })) {
    const path = under === '' ? entry.name : `${under}/${entry.name}`;
    if (entry.isDirectory()) Object.assign(all, imprint(folder, path));
    else {
      const found = lstatSync(join(folder, path), { bigint: true });
      const bytes = found.isFile() ? readFileSync(join(folder, path)).toString('latin1') : '';
      all[path] = `${found.mtimeNs} ${found.ctimeNs} ${found.mode} ${found.ino} ${bytes}`;
    }
  }
  return all;
}

/** The index as git tells it, without time stamps. */
export function indexOf(folder: string): string {
  return gitWith(folder, ['ls-files', '-s', '-z']);
}

export function statusOf(folder: string): string {
  return gitWith(folder, ['status', '--porcelain=v2', '-z', '--untracked-files=all']);
}
