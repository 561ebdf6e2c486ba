/**
 * A folder without git: every file in it counts as untracked. Nothing is ignored but what is never work: the folders of version
 * control systems, our own, and `node_modules`, which an install brings back. What is skipped is listed.
 * The walk is depth-first in order of name and stops at the limit, so the same folder gives the same answer.
 */
import { readdirSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { foldName, isGitName } from '../core/tree/paths.ts';
import { limits } from '../core/base/limits.ts';
import { Items } from './git/item.ts';
import { readPath } from './git/status.ts';

const skipped = new Set(['node_modules', '.hg', '.jj', '.svn', '.bzr']);
const depthMax = 200;

export function surveyFolder(root: string): Items {
  const items = new Items();
  const counted = { files: 0, left: 0 };
  walk(root, '', { items, counted, depth: 0 });
  if (counted.left > 0) items.losses.push({ path: '.', reason: 'too-many' });
  return items;
}

interface Walk {
  readonly items: Items;
  readonly counted: { files: number; left: number };
  readonly depth: number;
}

function walk(root: string, folder: string, state: Walk): void {
  const { items, counted } = state;
  const entries = entriesOf(root, folder, items);
  if (entries?.length === 0 && folder !== '') items.losses.push({ path: folder, reason: 'empty-folder' });
  for (const entry of entries ?? []) {
    // Far more than a capture holds: nobody is helped by walking on.
    if (counted.files > limits.captureFilesMax) {
      counted.left++;
      return;
    }
    const prefix = folder === '' ? Buffer.alloc(0) : Buffer.from(`${folder}/`);
    const bytes = Buffer.concat([prefix, entry.name]);
    const name = entry.name.toString('utf8');
    if (foldName(name) === '.staffetta' && folder === '') continue;
    if (isGitName(name)) {
      items.losses.push({ path: folder === '' ? name : `${folder}/${name}`, reason: 'nested-repository' });
      continue;
    }
    const path = readPath(items, bytes);
    if (path === undefined) continue;
    if (entry.isDirectory()) {
      if (skipped.has(name) || state.depth >= depthMax) items.losses.push({ path, reason: 'skipped-folder' });
      else walk(root, path, { ...state, depth: state.depth + 1 });
    } else {
      counted.files++;
      items.at(path).untracked = true;
    }
  }
}

function entriesOf(root: string, folder: string, items: Items): Dirent<Buffer>[] | undefined {
  try {
    return readdirSync(join(root, folder), { withFileTypes: true, encoding: 'buffer' }).sort((a, b) =>
      Buffer.compare(a.name, b.name),
    );
  } catch (error) {
    const vanished = (error as NodeJS.ErrnoException).code === 'ENOENT';
    items.losses.push({ path: folder === '' ? '.' : folder, reason: vanished ? 'vanished' : 'unreadable' });
    return undefined;
  }
}
