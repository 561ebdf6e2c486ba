/** Which store a command means, from wherever it is called. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { locateStore } from '../../src/home/locate.ts';
import { sandboxed } from '../support/sandboxed.ts';
import { home, launcher, newFolder, newRepository, node, staffetta } from './command.ts';

function git(cwd: string, ...words: string[]): void {
  const settings = [
    'user.name=test',
    'user.email=test@localhost',
    'commit.gpgsign=false',
    'protocol.file.allow=always',
  ];
  execFileSync('git', [...settings.flatMap((setting) => ['-c', setting]), ...words], {
    cwd,
    stdio: 'pipe',
    env: { PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
  });
}

function repository(...words: string[]): string {
  const folder = newFolder();
  git(folder, 'init', '--quiet', ...words);
  return folder;
}

function committed(): string {
  const folder = repository();
  git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'first');
  return folder;
}

function found(from: string, env: NodeJS.ProcessEnv = { HOME: home }): string {
  return locateStore(from, { ...sandboxed, ...env }).store.shown;
}

function storeIn(folder: string): string {
  return join(folder, '.staffetta', 'store.db');
}

describe('in git', () => {
  test('it is at the root of the repository, from any folder below', () => {
    const root = repository();
    mkdirSync(join(root, 'a', 'b'), { recursive: true });
    expect(found(join(root, 'a', 'b'))).toBe(storeIn(root));
    expect(found(join(root, '.git', 'refs'))).toBe(storeIn(root));
  });

  test('a linked worktree shares the store of the main one', () => {
    const root = committed();
    const linked = join(newFolder(), 'linked');
    git(root, 'worktree', 'add', '--quiet', linked);
    mkdirSync(join(linked, 'deep'));
    expect(found(join(linked, 'deep'))).toBe(storeIn(root));
  });

  test('a bare repository and its worktrees share the store inside it, and not one beside it', () => {
    const bare = join(newFolder(), 'project.git');
    git(newFolder(), 'clone', '--quiet', '--bare', committed(), bare);
    const linked = join(newFolder(), 'linked');
    git(bare, 'worktree', 'add', '--quiet', linked);
    expect(found(bare)).toBe(storeIn(bare));
    expect(found(linked)).toBe(storeIn(bare));
  });

  test('a submodule is a repository of its own, and so are its worktrees', () => {
    const root = committed();
    git(root, 'submodule', '--quiet', 'add', committed(), 'part');
    const part = join(root, 'part');
    expect(found(part)).toBe(storeIn(part));
    const linked = join(newFolder(), 'linked');
    git(part, 'worktree', 'add', '--quiet', linked);
    expect(found(linked)).toBe(storeIn(part));
  });

  test('a git folder kept elsewhere does not take the store along', () => {
    const away = join(newFolder(), 'away.git');
    const root = repository('--separate-git-dir', away);
    expect(found(root)).toBe(storeIn(root));
  });

  test('a worktree whose main one is gone keeps to itself', () => {
    const folder = newFolder();
    writeFileSync(join(folder, '.git'), 'gitdir: /nowhere/.git/worktrees/x\n');
    expect(found(folder)).toBe(storeIn(folder));
  });
});

describe('what git passes by', () => {
  test('is passed by: an empty .git folder, as sandboxes leave it behind, is no repository', () => {
    const root = repository();
    mkdirSync(join(root, 'a', '.git'), { recursive: true });
    expect(found(join(root, 'a'))).toBe(storeIn(root));
    const folder = newFolder();
    mkdirSync(join(folder, '.git'));
    mkdirSync(join(folder, 'a', '.staffetta'), { recursive: true });
    expect(found(join(folder, 'a'))).toBe(storeIn(join(folder, 'a')));
    expect(found(folder)).toBe(storeIn(folder));
  });

  test('a damaged repository keeps its store, unless git finds another around it', () => {
    const root = committed();
    mkdirSync(join(root, '.staffetta'));
    rmSync(join(root, '.git', 'HEAD'));
    expect(found(root)).toBe(storeIn(root));
    const outer = repository();
    renameSync(root, join(outer, 'inner'));
    expect(found(join(outer, 'inner'))).toBe(storeIn(outer));
  });

  test('nobody looks further up than GIT_CEILING_DIRECTORIES says', () => {
    const root = repository();
    mkdirSync(join(root, 'a', 'b', '.staffetta'), { recursive: true });
    mkdirSync(join(root, 'a', 'c'));
    const env = { HOME: home, GIT_CEILING_DIRECTORIES: `relative:${join(root, 'a')}` };
    expect(found(join(root, 'a', 'b'), env)).toBe(storeIn(join(root, 'a', 'b')));
    expect(found(join(root, 'a', 'c'), env)).toBe(storeIn(join(root, 'a', 'c')));
    // A folder is no ceiling for itself.
    expect(found(join(root, 'a'), env)).toBe(storeIn(root));
  });
});

describe('outside git', () => {
  test('it is in the nearest .staffetta folder upwards', () => {
    const root = newFolder();
    mkdirSync(join(root, '.staffetta'));
    mkdirSync(join(root, 'a', 'b'), { recursive: true });
    expect(found(join(root, 'a', 'b'))).toBe(storeIn(root));
  });

  test('else it is in the folder itself: no folder is told of the work in others', () => {
    const folder = newFolder();
    expect(found(folder)).toBe(storeIn(folder));
  });
});

describe('the command', () => {
  test('works from a linked worktree on the store of the main one', async () => {
    const root = committed();
    const linked = join(newFolder(), 'linked');
    git(root, 'worktree', 'add', '--quiet', linked);
    const opened = await staffetta(['open', 'from the side', '--json'], { cwd: linked });
    expect(opened.json).toMatchObject({ createsStore: storeIn(root) });
    expect(existsSync(join(linked, '.staffetta'))).toBe(false);
    const listed = await staffetta(['ls', '--json'], { cwd: root });
    expect(listed.json).toMatchObject({ tasks: [{ title: 'from the side' }] });
    expect(execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' })).toBe('');
  });

  test('takes --store before and after its name, and over STAFFETTA_STORE', async () => {
    const folder = newFolder();
    const [one, two] = [join(folder, 'one.db'), join(folder, 'two.db')];
    await staffetta(['--store', one, 'open', 'in one']);
    await staffetta(['open', 'in two', '--store', `sqlite:${two}`]);
    const listed = await staffetta(['ls', '--json'], { env: { STAFFETTA_STORE: one } });
    expect(listed.json).toMatchObject({ tasks: [{ title: 'in one' }] });
    const other = await staffetta(['ls', '--json', '--store', 'two.db'], {
      cwd: folder,
      env: { STAFFETTA_STORE: one },
    });
    expect(other.json).toMatchObject({ tasks: [{ title: 'in two' }] });
  });

  test('init creates the store once, says what it made, and does nothing the second time', async () => {
    const cwd = newRepository();
    const files = [join(cwd, '.staffetta', '.gitignore'), storeIn(cwd)];
    const first = await staffetta(['init', '--json'], { cwd });
    expect(first.json).toMatchObject({ store: storeIn(cwd), created: true, files, agents: [], changes: [] });
    const second = await staffetta(['init', '--json'], { cwd });
    expect(second).toMatchObject({ status: 0, json: { created: false, files: [] } });
    expect((await staffetta(['init'], { cwd })).stdout).toContain('nothing was changed');
  });

  test('a folder that was removed underneath is named as the trouble', () => {
    const ran = spawnSync('sh', ['-c', 'rmdir "$PWD" && exec "$0" "$@"', node, launcher, 'ls'], {
      cwd: newFolder(),
      encoding: 'utf8',
    });
    expect(ran.stderr).toContain('The folder you are in is gone.');
    expect(ran.status).toBe(2);
  });
});
