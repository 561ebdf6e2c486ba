/** WS7: what takes effect under another name than its own, or because the receiver's git was told to use it. */
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RestoreReport } from '../../src/ports/workspace.ts';
import { captureOf, clone, commit, fresh, git, link, repository, restoreInto, write } from './sandbox.ts';

type Play = (folder: string) => void;

/** What `work` did to a tree that `begin` made is restored into a clone that `set` has been at. */
async function restored(
  begin: Play,
  work: Play,
  options: { readonly set?: Play; readonly allow?: readonly string[] } = {},
): Promise<RestoreReport & { readonly heldPaths: readonly string[] }> {
  const folder = repository({ 'docs/guide.md': '1\n', 'config/vscode/tasks.json': '1\n' });
  begin(folder);
  commit(folder);
  const target = clone(folder);
  options.set?.(target);
  work(folder);
  write(folder, 'fine.txt');
  const report = await restoreInto(target, await captureOf(folder), { allow: options.allow ?? [] });
  expect(report.written).toContain('fine.txt');
  for (const { path } of report.held) expect(report.written).not.toContain(path);
  return { ...report, heldPaths: report.held.map(({ path }) => path) };
}

const nothing: Play = () => {};

const links: Play = (folder) => {
  link(folder, '.vscode', 'config/vscode');
  link(folder, 'CLAUDE.md', 'docs/guide.md');
};

const edits: Play = (folder) => {
  write(folder, 'config/vscode/tasks.json', '2\n');
  write(folder, 'docs/guide.md', '2\n');
  write(folder, 'docs/other.md');
};

function setting(...args: readonly string[]): Play {
  return (target) => void git(target, 'config', ...args);
}

function writing(...paths: readonly string[]): Play {
  return (folder) => {
    for (const path of paths) write(folder, path, 'x\n', 0o755);
  };
}

describe('a path that is reached by a held name', () => {
  test('through links of the commit is held back, and the name is told', async () => {
    const report = await restored(links, edits);
    expect(report.held).toEqual([
      {
        path: 'config/vscode/tasks.json',
        reason: expect.stringMatching(
          /^configures an editor .*, as \.vscode\/tasks\.json, which leads to it$/,
        ),
      },
      { path: 'docs/guide.md', reason: 'gives instructions to agents, as CLAUDE.md, which leads to it' },
    ]);
    expect(report.written).toEqual(['docs/other.md', 'fine.txt']);
  });

  test('is written once it is allowed by its own name', async () => {
    const { written, held } = await restored(links, edits, { allow: ['config/**', 'docs/guide.md'] });
    expect([written.length, held]).toEqual([4, []]);
  });

  test('is held back when it is removed or becomes a link', async () => {
    const { heldPaths } = await restored(links, (folder) => {
      git(folder, 'rm', '-q', 'docs/guide.md');
      link(folder, 'evil/tasks.json', '../fine.txt');
      link(folder, 'config/vscode/tasks.json', '../../evil/tasks.json');
    });
    // The link that it would lead through is judged with it.
    expect(heldPaths).toEqual(['config/vscode/tasks.json', 'docs/guide.md', 'evil/tasks.json']);
  });

  test('through several links, and through one that comes with it, is held back', async () => {
    const { heldPaths } = await restored(
      (folder) => {
        link(folder, '.config', 'cfg');
        write(folder, 'cfg/readme.txt');
        link(folder, '.husky', 'hooks');
        link(folder, 'hooks', 'one');
        write(folder, 'one/x');
      },
      (folder) => {
        write(folder, 'tools/mise/config.toml');
        link(folder, 'cfg/mise', '../tools/mise');
        write(folder, 'one/pre-commit');
        write(folder, 'two/pre-commit');
      },
    );
    // Without its link, which is held back, the folder of tools is reached by nobody.
    expect(heldPaths).toEqual(['cfg/mise', 'one/pre-commit']);
  });

  test('is led elsewhere by no link on its way', async () => {
    const { heldPaths, deleted } = await restored(
      (folder) => {
        link(folder, '.vscode', 'config/vscode');
        link(folder, '.husky', 'hooks');
        link(folder, 'hooks', 'one');
        write(folder, 'one/x');
        write(folder, 'examples/vscode/tasks.json');
        write(folder, 'examples/workflows/ci.yml');
      },
      (folder) => {
        git(folder, 'rm', '-q', '-r', 'config');
        link(folder, 'config', 'examples');
        link(folder, 'hooks', 'examples');
        link(folder, '.github', 'examples');
        link(folder, 'harmless', 'examples');
      },
    );
    expect(heldPaths).toEqual(['.github', 'config', 'config/vscode/tasks.json', 'hooks']);
    expect(deleted).toEqual([]);
  });

  test('through a link that is allowed is held back still', async () => {
    const { heldPaths, written } = await restored(
      nothing,
      (folder) => {
        link(folder, 'GEMINI.md', 'docs/new.md');
        write(folder, 'docs/new.md');
      },
      { allow: ['GEMINI.md'] },
    );
    expect([heldPaths, written]).toEqual([['docs/new.md'], ['GEMINI.md', 'fine.txt']]);
  });

  test('through a link that git ignores is held back', async () => {
    const { heldPaths } = await restored(
      (folder) => write(folder, '.gitignore', '.vscode\n'),
      (folder) => write(folder, 'config/vscode/tasks.json', '2\n'),
      { set: (target) => symlinkSync('config/vscode', join(target, '.vscode')) },
    );
    expect(heldPaths).toEqual(['config/vscode/tasks.json']);
  });

  test('through a link that leaves the tree and comes back is held back', async () => {
    const { heldPaths } = await restored(
      (folder) => write(folder, '.gitignore', '.vscode\n'),
      (folder) => write(folder, 'config/vscode/tasks.json', '2\n'),
      { set: (target) => symlinkSync(join(target, 'config/vscode'), join(target, '.vscode')) },
    );
    expect(heldPaths).toEqual(['config/vscode/tasks.json']);
  });

  test('as a package manifest is judged by its content', async () => {
    const { heldPaths } = await restored(
      (folder) => {
        write(folder, 'pkg.json', '{}');
        link(folder, 'package.json', 'pkg.json');
      },
      (folder) => write(folder, 'pkg.json', '{"scripts":{"postinstall":"node evil.js"}}'),
    );
    expect(heldPaths).toEqual(['pkg.json']);
  });

  test('a link to the folder around it is no way round, and holds back nothing', async () => {
    const { heldPaths } = await restored(
      (folder) => link(folder, 'docs/self', '.'),
      (folder) => write(folder, 'docs/guide.md', '2\n'),
    );
    expect(heldPaths).toEqual([]);
  });
});

describe('what the git of the one that restores would use', () => {
  test.each([
    ['core.hooksPath', 'tools/hooks', 'tools/hooks/pre-commit'],
    ['core.hooksPath', './tools/hooks/', 'tools/hooks/deep/lib.sh'],
    ['core.hooksPath', '.', 'pre-commit'],
    ['include.path', '../tools/gitconfig', 'tools/gitconfig'],
    ['includeIf.gitdir:/nowhere.path', '../tools/gitconfig', 'tools/gitconfig'],
    ['core.fsmonitor', 'tools/watch.sh', 'tools/watch.sh'],
    ['core.sshCommand', 'sh tools/ssh.sh -v', 'tools/ssh.sh'],
    ['core.attributesFile', 'tools/attributes', 'tools/attributes'],
    ['alias.st', '!"$(git rev-parse --show-toplevel)/tools/st" --short', 'tools/st'],
    ['diff.x.textconv', 'node tools/text', 'tools/text/index.js'],
    ['filter.x.clean', 'sh clean.sh %f', 'clean.sh'],
    ['merge.x.driver', './tools/merge %O %A %B', 'tools/merge'],
    ['credential.helper', '!tools/ask', 'tools/ask'],
    ['gpg.program', 'tools/gpg', 'tools/gpg'],
    ['hook.x.command', 'tools/hook', 'tools/hook'],
  ])('%s = %s: %s is held back', async (key, value, path) => {
    const report = await restored(nothing, writing(path, 'tools-beside', 'src/new.ts'), {
      set: setting(key, value),
    });
    expect(report.held).toEqual([
      { path, reason: `is named by your git configuration: ${key.toLowerCase()}` },
    ]);
    expect(report.written).toEqual(['fine.txt', 'src/new.ts', 'tools-beside']);
  });

  test('an absolute path into the tree, and one through a link, is held back', async () => {
    const { heldPaths } = await restored(nothing, writing('tools/hooks/pre-push', 'tools/gitconfig'), {
      set: (target) => {
        git(target, 'config', 'core.hooksPath', join(target, 'tools/hooks'));
        const beside = fresh('beside');
        symlinkSync(target, beside);
        git(target, 'config', 'include.path', join(beside, 'tools/gitconfig'));
      },
    });
    expect(heldPaths).toEqual(['tools/gitconfig', 'tools/hooks/pre-push']);
  });

  test('a hooks folder that is a link in the tree is held back where it leads', async () => {
    const report = await restored(
      (folder) => link(folder, 'hooks', 'tools/all'),
      writing('tools/all/pre-commit'),
      { set: setting('core.hooksPath', 'hooks') },
    );
    expect(report.heldPaths).toEqual(['tools/all/pre-commit']);
  });

  test('a link in place of a folder above the hooks is held back', async () => {
    const report = await restored(
      (folder) => write(folder, 'examples/hooks/pre-commit'),
      (folder) => link(folder, 'tools', 'examples'),
      { set: setting('core.hooksPath', 'tools/hooks') },
    );
    expect(report.heldPaths).toEqual(['tools']);
  });

  test('what a hook of the repository links to is held back, whether or not it is there yet', async () => {
    const report = await restored(
      nothing,
      (folder) => {
        write(folder, 'tools/check');
        write(folder, 'docs/guide.md', '2\n');
      },
      {
        set: (target) => {
          symlinkSync('../../tools/check', join(target, '.git/hooks/pre-commit'));
          symlinkSync('../../docs/guide.md', join(target, '.git/hooks/post-merge'));
        },
      },
    );
    expect(report.held).toEqual([
      { path: 'docs/guide.md', reason: 'is named by your git configuration: the hook post-merge' },
      { path: 'tools/check', reason: 'is named by your git configuration: the hook pre-commit' },
    ]);
  });

  test('settings that name a program elsewhere, or none, hold back nothing', async () => {
    const { heldPaths } = await restored(
      nothing,
      writing('code', 'src/a.ts', '.git-blame-ignore-revs', 'less'),
      {
        set: (target) => {
          git(target, 'config', 'core.editor', 'code --wait');
          git(target, 'config', 'core.pager', '/usr/bin/less -R');
          git(target, 'config', 'core.fsmonitor', 'true');
          git(target, 'config', 'alias.src', 'log src');
          git(target, 'config', 'user.name', 'src');
          git(target, 'config', 'blame.ignoreRevsFile', '.git-blame-ignore-revs');
        },
      },
    );
    expect(heldPaths).toEqual([]);
  });

  test('nothing that the configuration names is started by looking', async () => {
    const trace = fresh('trace');
    const set: Play = (target) => {
      write(target, '.git/trap', `#!/bin/sh\ntouch ${trace}\n`, 0o755);
      for (const key of ['core.fsmonitor', 'core.pager', 'pager.config', 'core.sshCommand', 'core.editor'])
        git(target, 'config', key, join(target, '.git/trap'));
    };
    await restored(nothing, nothing, { set });
    expect(existsSync(trace)).toBe(false);
  });
});
