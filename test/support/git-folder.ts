/** A folder under git, with one commit, for tests that need a real workspace. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export class GitFolder {
  readonly path: string;

  constructor(files: Readonly<Record<string, string>>) {
    this.path = mkdtempSync(join(tmpdir(), 'git-folder-'));
    this.git('init', '-q', '-b', 'main');
    this.git('config', 'user.email', 'ada@example.com');
    this.git('config', 'user.name', 'Ada');
    for (const [path, text] of Object.entries(files)) this.write(path, text);
    this.commit();
  }

  git(...args: string[]): string {
    return execFileSync('git', ['-C', this.path, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
    });
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.path, path)), { recursive: true });
    writeFileSync(join(this.path, path), text);
  }

  commit(message = 'As it is.'): void {
    this.git('add', '-A');
    this.git('commit', '-qm', message);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
