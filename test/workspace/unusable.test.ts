/** Places that look like a workspace and are none: each says what is wrong with it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { env, fresh, git, init, open, refusal, repository, write } from './sandbox.ts';
import { imprint } from './tree.ts';

async function reason(folder: string): Promise<unknown> {
  const refused = await refusal(open(folder).then(async (workspace) => await workspace.probe()));
  expect(refused.code).toBe('workspace-unusable');
  expect(refused.message).toContain(folder);
  return refused.details['reason'];
}

describe('a place without a usable working tree', () => {
  test('no folder at all, or a file', async () => {
    expect((await refusal(open(fresh()))).code).toBe('workspace-missing');
    const folder = repository();
    expect((await refusal(open(join(folder, 'a.txt')))).code).toBe('workspace-missing');
  });

  test('a bare repository', async () => {
    const folder = fresh('bare');
    mkdirSync(folder);
    git(folder, 'init', '-q', '--bare');
    expect(await reason(folder)).toBe('bare');
    const disguised = repository();
    git(disguised, 'config', 'core.bare', 'true');
    expect(await reason(disguised)).toBe('bare');
  });

  test('git’s own folder', async () => {
    expect(await reason(join(repository(), '.git'))).toBe('inside-git');
    expect(await reason(join(repository(), '.git/refs'))).toBe('inside-git');
  });

  test('a worktree whose repository forgot it', async () => {
    const folder = repository();
    const linked = fresh('linked');
    git(folder, 'worktree', 'add', '-q', linked);
    rmSync(join(folder, '.git/worktrees'), { recursive: true });
    expect(await reason(linked)).toBe('head-gone');
  });

  test('a worktree whose HEAD is no HEAD says so, and not that it is gone', async () => {
    const folder = repository();
    const linked = fresh('linked');
    git(folder, 'worktree', 'add', '-q', linked);
    const gitFolder = git(linked, 'rev-parse', '--absolute-git-dir').trim();
    const told = async (): Promise<string> => (await refusal(open(linked))).message;
    writeFileSync(join(gitFolder, 'HEAD'), 'nonsense\n');
    expect(await told()).toContain(`${join(gitFolder, 'HEAD')} names neither a branch nor a commit`);
    expect(await reason(linked)).toBe('broken');
    rmSync(join(gitFolder, 'HEAD'));
    expect(await told()).toContain(`${join(gitFolder, 'HEAD')} is missing`);
    writeFileSync(join(gitFolder, 'HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(join(gitFolder, 'commondir'), '../../elsewhere\n');
    expect(await told()).toContain('elsewhere');
  });

  test('a HEAD whose commit is gone', async () => {
    const folder = repository();
    const head = git(folder, 'rev-parse', 'HEAD').trim();
    rmSync(join(folder, '.git/objects', head.slice(0, 2), head.slice(2)));
    const before = imprint(folder);
    expect(await reason(folder)).toBe('head-gone');
    expect(imprint(folder)).toEqual(before);
  });

  test('a HEAD that names nothing', async () => {
    const folder = repository();
    rmSync(join(folder, '.git/packed-refs'), { force: true });
    writeFileSync(join(folder, '.git/refs/heads/main'), 'nonsense\n');
    expect(await reason(folder)).toBe('head-gone');
    rmSync(join(folder, '.git/HEAD'));
    expect(await reason(folder)).toBe('broken');
  });

  test('a configuration that cannot be read', async () => {
    const folder = repository();
    writeFileSync(join(folder, '.git/config'), '[core\n');
    const refused = await refusal(open(folder));
    expect(refused).toMatchObject({ code: 'workspace-unusable', details: { reason: 'configuration' } });
  });

  test('a .git that is neither folder nor pointer', async () => {
    const folder = fresh('folder');
    write(folder, '.git', 'nonsense\n');
    expect(await reason(folder)).toBe('broken');
  });

  test('a repository of somebody else is not trusted, and no way around is offered', async () => {
    if (process.getuid?.() !== 0) return;
    const folder = repository();
    execFileSync('chown', ['-R', '65534', folder]);
    const refused = await refusal(open(folder));
    expect(refused.details).toEqual({ reason: 'ownership' });
    expect(refused.hint).not.toContain('git config');
    const trusting = {
      ...env,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: folder,
    };
    expect((await (await open(folder, { env: trusting })).probe()).root).toBe(folder);
  });
});

describe('without git', () => {
  test('a repository cannot be looked at, a plain folder can', async () => {
    const without = { env: { ...env, PATH: fresh('nothing') } };
    expect((await refusal(open(repository(), without))).code).toBe('git-missing');
    const folder = fresh('folder');
    write(folder, 'a.txt');
    expect((await (await open(folder, without)).probe()).kind).toBe('folder');
  });

  test('a git that hangs is ended', async () => {
    const bin = fresh('bin');
    write(bin, 'git', '#!/bin/sh\nexec sleep 60\n', 0o755);
    const refused = await refusal(
      open(init(), { env: { ...env, PATH: `${bin}:${env['PATH'] ?? ''}` }, gitMsMax: 200 }),
    );
    expect(refused.code).toBe('git-failed');
    expect(refused.message).toContain('200 ms');
  });
});
