import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Size {
  /** At least a hundred for each changed one, so that those lie apart. */
  readonly files: number;
  readonly changed: number;
  readonly untracked: number;
}

/** A repository with one commit and work since. Returns the untracked paths. */
export function makeRepository(folder: string, size: Size): { readonly news: readonly string[] } {
  for (let i = 0; i < size.files; i += 1) put(folder, pathOf(i), text(i));
  const git = (...args: readonly string[]): void => {
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: folder });
  };
  git('init', '-q');
  git('add', '-A');
  git('commit', '-q', '-m', 'all');
  // Written in another second than the index, so that git need not read every file again to be sure.
  git('update-index', '--refresh');
  const stride = Math.floor(size.files / size.changed);
  for (let i = 0; i < size.changed; i += 1)
    put(folder, pathOf(i * stride), `${text(i * stride)}one line more\n`);
  const news = Array.from({ length: size.untracked }, (_, i) => `new/n${i}.txt`);
  for (const [i, path] of news.entries()) put(folder, path, text(-i));
  return { news };
}

function pathOf(i: number): string {
  return `d${Math.floor(i / 100)}/f${i}.txt`;
}

function text(seed: number): string {
  return Array.from({ length: 40 }, (_, i) => `line ${i} of ${seed * 7919}\n`).join('');
}

function put(folder: string, path: string, content: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}
