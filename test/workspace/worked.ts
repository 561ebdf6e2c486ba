import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { clone, git, link, repository, write } from './sandbox.ts';

/** Something of everything: changed, staged, deleted, new, linked. */
export function worked(): { readonly folder: string; readonly target: string } {
  const folder = repository({
    'a.txt': '1\n',
    'b.txt': '1\n',
    'dir/c.txt': '1\n',
    'dir/d.txt': '1\n',
    'e.txt': '1\n',
  });
  const target = clone(folder);
  write(folder, 'a.txt', '2\n');
  git(folder, 'add', 'a.txt');
  write(folder, 'a.txt', '3\n');
  rmSync(join(folder, 'b.txt'));
  git(folder, 'rm', '-q', '-r', 'dir');
  write(folder, 'new/f.txt', 'f\n');
  write(folder, 'later.txt', 'l\n');
  git(folder, 'add', '-N', 'later.txt');
  link(folder, 'l', 'a.txt');
  return { folder, target };
}
