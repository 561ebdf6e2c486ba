/** WS7: nothing that starts by itself or steers an agent or editor is written unasked. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Manifest } from '../../src/core/tree/workspace.ts';
import { heldPaths } from '../../src/workspace/restore/held-paths.ts';
import { heldReason } from '../../src/workspace/restore/held.ts';
import { bringsLifecycle } from '../../src/workspace/restore/lifecycle.ts';
import { blobs, cleanUp, file, origin, restored } from './forge.ts';
import { captureOf, clone, git, refusal, repository, restoreInto, write } from './sandbox.ts';
import { indexOf, treeOf } from './tree.ts';

afterEach(cleanUp);

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

describe('what starts by itself or steers an agent or editor', () => {
  const examples = [
    '.mcp.json',
    '.claude/settings.json',
    'packages/a/.claude/commands/x.md',
    '.codex/config.toml',
    '.gemini/settings.json',
    '.opencode/plugins/x.ts',
    'opencode.json',
    '.cursor/mcp.json',
    '.windsurf/x',
    '.vscode/tasks.json',
    'x.code-workspace',
    '.idea/runConfigurations/x.xml',
    '.devcontainer/devcontainer.json',
    '.husky/pre-commit',
    '.githooks/pre-push',
    '.gitattributes',
    '.gitmodules',
    '.envrc',
    '.env',
    '.env.local',
    '.npmrc',
    '.yarnrc.yml',
    '.pnp.cjs',
    'lefthook.yml',
    '.pre-commit-config.yaml',
    '.github/copilot-instructions.md',
    '.gitlab-ci.yml',
    '.circleci/config.yml',
    'Jenkinsfile',
    'azure-pipelines.yml',
    'tests/conftest.py',
    'sitecustomize.py',
    'x.pth',
    '.bashrc',
    '.zshrc',
    'mise.toml',
    '.tool-versions',
    'AGENTS.md',
    'docs/CLAUDE.md',
    'GEMINI.md',
    '.cursorrules',
    '.cargo/config.toml',
    '.exrc',
    '.dir-locals.el',
    '.gdbinit',
    'desktop.ini',
    '.coderabbit.yaml',
    '.pr_agent.toml',
    '.clangd',
    '.luarc.json',
    '.cursorignore',
    '.geminiignore',
    '.bolt/prompt',
    'package.yaml',
    'pnpm-workspace.yaml',
    'ansible.cfg',
    'phpactor.json',
    'local.vimrc',
  ];

  test('is held back with a reason, and written once it is allowed', async () => {
    const entries = await Promise.all([...examples, 'fine.txt'].map(async (path) => await file(path)));
    const report = await restored(entries);
    expect(report.written).toEqual(['fine.txt']);
    expect(report.held.map(({ path }) => path)).toEqual(examples.toSorted());
    expect(report.held.every(({ reason }) => reason.length > 10)).toBe(true);
    cleanUp();
    const allowed = await restored(entries, {
      allow: ['.mcp.json', '.vscode/**', 'CLAUDE.md', '.env*'],
    });
    expect(allowed.written.toSorted()).toEqual([
      '.env',
      '.env.local',
      '.envrc',
      '.mcp.json',
      '.vscode/tasks.json',
      'docs/CLAUDE.md',
      'fine.txt',
    ]);
  });

  test('comes with a second restore that allows it, in the same tree, and not over work of others', async () => {
    const folder = repository({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'gone.txt': 'gone\n', 'old.txt': 'old\n' });
    const copies = [clone(folder), clone(folder)] as const;
    write(folder, 'a.txt', 'staged\n');
    git(folder, 'mv', 'old.txt', 'new.txt');
    git(folder, 'add', '-A');
    write(folder, 'a.txt', 'then edited\n');
    write(folder, 'b.txt', ['b', `${['pass', 'word'].join('')} = "Xy7-Qw9_Zr4kLm2P"`, ''].join('\n'));
    rmSync(join(folder, 'gone.txt'));
    write(folder, 'deep/fresh.txt', 'new\n');
    write(folder, '.envrc', 'export A=1\n');
    const taken = await captureOf(folder);
    for (const copy of copies)
      expect((await restoreInto(copy, taken)).held.map(({ path }) => path)).toEqual(['.envrc']);

    const [same, worked] = copies;
    const again = await restoreInto(same, taken, { allow: ['.envrc'] });
    expect(again).toMatchObject({ written: ['.envrc'], deleted: [], held: [] });
    expect([treeOf(same), indexOf(same)]).toEqual([treeOf(folder), indexOf(folder)]);

    for (const [path, text] of [
      ['deep/fresh.txt', 'more\n'],
      ['mine.txt', 'mine\n'],
    ] as const) {
      write(worked, path, text);
      const refused = await refusal(restoreInto(worked, taken, { allow: ['.envrc'] }));
      expect(refused).toMatchObject({ code: 'workspace-dirty', details: { changed: [path] } });
      git(worked, 'clean', '-qf', path);
      if (path === 'deep/fresh.txt') write(worked, path, 'new\n');
    }
    write(worked, 'a.txt', 'staged by somebody\n');
    git(worked, 'add', 'a.txt');
    write(worked, 'a.txt', 'then edited\n');
    expect(await refusal(restoreInto(worked, taken, { allow: ['.envrc'] }))).toMatchObject({
      details: { changed: ['a.txt'] },
    });
    expect(existsSync(join(worked, '.envrc'))).toBe(false);
  });

  test('is held back in disguise too', () => {
    for (const path of [
      '.MCP.JSON',
      '.Claude/settings.json',
      '.vscode /tasks.json',
      '.vscode::$INDEX_ALLOCATION/tasks.json',
      '.ENVRC.',
      '.husky',
      '.ｅnvrc',
      'AGENTS.MD',
    ])
      expect([path, heldReason(path)]).toEqual([path, expect.any(String)]);
  });

  test('is held back as a dot-file or in a dot-folder that nobody knows, new, changed or removed', async () => {
    write(origin, '.tool/run.sh', 'old\n');
    write(origin, '.gone', 'old\n');
    git(origin, 'add', '-A');
    git(origin, 'commit', '-q', '-m', 'a tool of tomorrow');
    const copy = clone(origin);
    const head = git(copy, 'rev-parse', 'HEAD').trim();
    const entries = [
      { path: '.gone', index: null, worktree: null },
      await file('.tool/run.sh'),
      await file('.tomorrow'),
      await file('a/.editorconfig'),
    ];
    const manifest: Manifest = { v: 1, kind: 'git', head, entries, losses: [] };
    const report = await restoreInto(copy, { manifest, blobs });
    expect(report).toMatchObject({ deleted: [], written: ['a/.editorconfig'] });
    expect(report.held.map(({ path }) => path)).toEqual(['.gone', '.tomorrow', '.tool/run.sh']);
    // One consent brings all of it.
    const again = await restoreInto(clone(origin), { manifest, blobs }, { allow: ['**'] });
    expect(again).toMatchObject({ deleted: ['.gone'], held: [] });
    expect(again.written.toSorted()).toEqual(['.tomorrow', '.tool/run.sh', 'a/.editorconfig']);
  });

  test('is held back when it is removed, for that changes behaviour as well', async () => {
    write(origin, '.claude/settings.json', '{"permissions":{"deny":["*"]}}');
    git(origin, 'add', '-A');
    git(origin, 'commit', '-q', '-m', 'rules');
    const copy = clone(origin);
    const head = git(copy, 'rev-parse', 'HEAD').trim();
    const report = await restoreInto(copy, {
      manifest: {
        v: 1,
        kind: 'git',
        head,
        entries: [{ path: '.claude/settings.json', index: null, worktree: null }],
        losses: [],
      },
      blobs,
    });
    expect(report).toMatchObject({ deleted: [], staged: [], held: [{ path: '.claude/settings.json' }] });
    expect(existsSync(join(copy, '.claude/settings.json'))).toBe(true);
    expect(git(copy, 'status', '--porcelain')).toBe('');
  });

  test('ordinary work is not', () => {
    for (const path of [
      'src/a.ts',
      'Makefile',
      'README.md',
      'package-lock.json',
      'Dockerfile',
      'build.rs',
      'vite.config.ts',
      'eslint.config.js',
      '.gitignore',
      '.gitkeep',
      '.env.example',
      'docs/agents.html',
      'src/environment.ts',
      'tests/test_x.py',
      'flake.nix',
      '.editorconfig',
      'docker-compose.yml',
      'settings.json',
      'tsconfig.json',
      'rules.md',
      '.eslintrc',
      '.eslintrc.cjs',
      'packages/a/.prettierrc.json',
      '.prettierignore',
      '.npmignore',
      '.dockerignore',
      '.github/dependabot.yml',
      '.github/workflows/ci.yml',
      '.github/actions/a/action.yml',
      '.github/CODEOWNERS',
      '.github/ISSUE_TEMPLATE/bug.yml',
      '.changeset/brave-dogs.md',
      '.storybook/main.ts',
      '.well-known/security.txt',
      '.rubocop.yml',
      '.nvmrc',
      '.mailmap',
      '.git-blame-ignore-revs',
      'node_modules/.bin/tool',
      'a.b/c..d',
    ])
      expect([path, heldReason(path)]).toEqual([path, undefined]);
  });

  test('an ordinary name says nothing of what lies in it, or of what it is part of', () => {
    for (const path of [
      '.gitignore/tool.toml',
      '.env.example/.envrc',
      '.husky/.gitignore',
      '.github/.vscode/tasks.json',
      '.github/.strange',
      '.eslintrcx',
      '.prettierrc-evil',
      'node_modules/.hooks/postinstall',
      '.bin/tool',
    ])
      expect([path, heldReason(path)]).toEqual([path, expect.any(String)]);
  });

  test('the list names no pattern twice', () => {
    const patterns = heldPaths.map(({ pattern }) => pattern.toLowerCase());
    expect(patterns.filter((pattern, i) => patterns.indexOf(pattern) !== i)).toEqual([]);
  });

  test('a package manifest is held back only if an install would run something new', async () => {
    const harmless = Buffer.from('{"scripts":{"test":"y","build":"z"},"dependencies":{"a":"1"}}');
    const harmful = Buffer.from('\ufeff{"scripts":{"postinstall":"node evil.js"}}');
    expect((await restored([await file('package.json', harmless)])).held).toEqual([]);
    cleanUp();
    expect((await restored([await file('package.json', harmful)])).held).toMatchObject([
      { path: 'package.json' },
    ]);
    expect(
      (await restored([await file('sub/package.json', harmful)], { allow: ['package.json'] })).written,
    ).toEqual(['sub/package.json']);
  });

  test('commands that installs and commits run are compared with what was there', () => {
    const prepare = json({ scripts: { prepare: 'husky' } });
    expect(bringsLifecycle('package.json', undefined, prepare)).toBe(true);
    expect(bringsLifecycle('package.json', prepare, prepare)).toBe(false);
    expect(bringsLifecycle('package.json', prepare, json({ scripts: {} }))).toBe(false);
    expect(bringsLifecycle('package.json', prepare, json({ 'lint-staged': { '*': 'evil' } }))).toBe(true);
    expect(
      bringsLifecycle('package.json', undefined, json({ packageManager: 'yarn@https://evil.example/y.tgz' })),
    ).toBe(true);
    expect(bringsLifecycle('package.json', undefined, json({ packageManager: 'pnpm@9.0.0' }))).toBe(false);
    expect(
      bringsLifecycle('composer.json', undefined, json({ scripts: { 'post-install-cmd': 'evil' } })),
    ).toBe(true);
    expect(bringsLifecycle('composer.json', undefined, json({ scripts: { test: 'phpunit' } }))).toBe(false);
    expect(bringsLifecycle('composer.json', undefined, json({ scripts: { init: 'evil' } }))).toBe(true);
  });

  test('a package manifest that cannot be read counts as bringing something, unless it was there', () => {
    const commented = Buffer.from('{ // for a reason\n"scripts": { "postinstall": "node evil.js" } }');
    const wide = Buffer.from('{"scripts":{"postinstall":"evil"}}', 'utf16le');
    const deep = Buffer.from('['.repeat(1_000_000));
    for (const odd of [
      commented,
      wide,
      deep,
      Buffer.from('not json'),
      Buffer.from([0xff]),
      Buffer.from(''),
    ]) {
      expect(bringsLifecycle('package.json', undefined, odd)).toBe(true);
      expect(bringsLifecycle('package.json', json({}), odd)).toBe(true);
      expect(bringsLifecycle('package.json', odd, odd)).toBe(false);
      expect(bringsLifecycle('package.json', odd, json({}))).toBe(false);
      expect(bringsLifecycle('package.json', odd, json({ scripts: { install: 'x' } }))).toBe(true);
    }
    expect(bringsLifecycle('package.json', undefined, json(null))).toBe(false);
  });
});
