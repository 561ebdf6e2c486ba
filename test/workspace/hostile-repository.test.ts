/** A repository can name programs in many places. Looking at it must start none of them: each would leave a canary. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  captureOf,
  commit,
  env,
  fresh,
  git,
  gitWith,
  init,
  open,
  refusal,
  repository,
  restoreInto,
  write,
} from './sandbox.ts';
import { imprint } from './tree.ts';

const canaries = fresh('canaries');
mkdirSync(canaries);
beforeEach(() => {
  for (const each of readdirSync(canaries)) rmSync(join(canaries, each));
});

function sings(name: string): string {
  return `touch '${join(canaries, name)}'; cat`;
}

function sung(): string[] {
  return readdirSync(canaries).sort();
}

/** Changed, touched, staged, renamed, untracked: enough for git to want to read everything. */
function disturb(folder: string): void {
  appendFileSync(join(folder, 'changed.txt'), 'more\n');
  write(folder, 'staged.txt', 'staged\n');
  git(folder, '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', 'add', 'staged.txt');
  git(
    folder,
    '-c',
    'core.fsmonitor=false',
    '-c',
    'core.hooksPath=/dev/null',
    'mv',
    'moved.txt',
    'moved-away.txt',
  );
  write(folder, 'untracked.txt');
  // Same content, other time: git must read the file to know.
  utimesSync(join(folder, 'touched.txt'), 1, 1);
}

function victim(attributes = ''): string {
  const folder = repository({
    'changed.txt': 'one\ntwo\n',
    'touched.txt': 'three\nfour\n',
    'moved.txt': 'five\nsix\nseven\n',
    ...(attributes === '' ? {} : { '.gitattributes': attributes }),
  });
  return folder;
}

async function lookEverywhere(folder: string): Promise<void> {
  const before = imprint(folder);
  const taken = await captureOf(folder);
  await (await open(folder)).probe();
  expect(imprint(folder)).toEqual(before);
  const elsewhere = fresh('worktree');
  await restoreInto(folder, taken, { worktree: elsewhere, allow: ['**'] });
  expect(existsSync(join(elsewhere, 'untracked.txt'))).toBe(true);
}

/** Whatever is set, git itself, asked plainly, must sing: else the case proves nothing. */
function provesItself(folder: string, act: () => void, expected: readonly string[]): void {
  try {
    act();
  } catch {
    // Many of these programs break the command that started them.
  }
  expect(sung()).toEqual(expect.arrayContaining([...expected]));
  for (const each of readdirSync(canaries)) rmSync(join(canaries, each));
  utimesSync(join(folder, 'touched.txt'), 2, 2);
}

describe('WS1: nothing that a repository names is started', () => {
  test('clean and smudge filters', async () => {
    const folder = victim('* filter=evil\n');
    disturb(folder);
    git(folder, 'config', 'filter.evil.clean', sings('clean'));
    git(folder, 'config', 'filter.evil.smudge', sings('smudge'));
    git(folder, 'config', 'filter.evil.required', 'true');
    provesItself(folder, () => git(folder, 'status'), ['clean']);
    await lookEverywhere(folder);
    expect(sung()).toEqual([]);
  });

  test('a filter process', async () => {
    const folder = victim('* filter=evil\n');
    disturb(folder);
    git(folder, 'config', 'filter.evil.process', sings('process'));
    provesItself(folder, () => git(folder, 'status'), ['process']);
    await lookEverywhere(folder);
    expect(sung()).toEqual([]);
  });

  test('a filter whose name is made to slip through', async () => {
    const odd = 'a=b.c\'d "e';
    const folder = victim();
    writeFileSync(join(folder, '.git/info/attributes'), `* filter=a=b.c'd\n`);
    disturb(folder);
    appendFileSync(
      join(folder, '.git/config'),
      `[filter "a=b.c'd"]\n\tclean = ${sings('odd')}\n[filter ${JSON.stringify(odd)}]\n\tclean = ${sings('odder')}\n[filter ""]\n\tclean = false\n`,
    );
    provesItself(folder, () => git(folder, 'status'), ['odd']);
    await lookEverywhere(folder);
    expect(sung()).toEqual([]);
  });

  test('a filter whose name is not UTF-8 makes the repository unusable', async () => {
    const folder = victim();
    appendFileSync(join(folder, '.git/config'), Buffer.from('[filter "\xff"]\n\tclean = cat\n', 'latin1'));
    expect((await refusal(open(folder))).details).toMatchObject({ reason: 'configuration' });
  });

  test('a filter from an included file, and one that only applies in a new worktree', async () => {
    const folder = victim('* filter=evil\n');
    disturb(folder);
    writeFileSync(join(folder, '.git/more'), `[filter "evil"]\n\tclean = ${sings('included')}\n`);
    writeFileSync(join(folder, '.git/worktrees-only'), `[filter "evil"]\n\tsmudge = ${sings('smudged')}\n`);
    git(folder, 'config', 'include.path', 'more');
    git(folder, 'config', 'includeIf.gitdir:**/worktrees/**.path', 'worktrees-only');
    provesItself(folder, () => git(folder, 'status'), ['included']);
    provesItself(folder, () => git(folder, 'worktree', 'add', fresh('proof')), ['smudged']);
    await lookEverywhere(folder);
    expect(sung()).toEqual([]);
  });

  test('the fsmonitor', async () => {
    const folder = victim();
    disturb(folder);
    git(folder, 'config', 'core.fsmonitor', `touch '${join(canaries, 'fsmonitor')}'`);
    provesItself(folder, () => git(folder, 'status'), ['fsmonitor']);
    await lookEverywhere(folder);
    expect(sung()).toEqual([]);
  });

  test('hooks, in their folder and elsewhere', async () => {
    const folder = victim();
    const hooks = [
      'post-checkout',
      'post-index-change',
      'reference-transaction',
      'pre-commit',
      'fsmonitor-watchman',
    ];
    for (const place of ['.git/hooks', 'my-hooks']) {
      for (const hook of hooks) {
        write(folder, `${place}/${hook}`, `#!/bin/sh\ntouch '${join(canaries, hook)}'\n`);
        chmodSync(join(folder, place, hook), 0o755);
      }
    }
    git(folder, 'config', 'core.hooksPath', join(folder, 'my-hooks'));
    disturb(folder);
    provesItself(folder, () => git(folder, 'worktree', 'add', fresh('proof')), [
      'post-checkout',
      'reference-transaction',
    ]);
    await lookEverywhere(folder);
    git(folder, 'config', '--unset', 'core.hooksPath');
    await lookEverywhere(folder);
    expect(sung()).toEqual([]);
  });

  test('external diffs and text conversions', async () => {
    const folder = victim('* diff=evil\n');
    disturb(folder);
    git(folder, 'config', 'diff.external', `touch '${join(canaries, 'external')}'`);
    git(folder, 'config', 'diff.evil.textconv', sings('textconv'));
    provesItself(folder, () => git(folder, 'diff'), ['external']);
    git(folder, 'config', 'diff.evil.command', `touch '${join(canaries, 'command')}'`);
    provesItself(folder, () => git(folder, 'diff'), ['command']);
    git(folder, 'config', '--unset', 'diff.evil.command');
    git(folder, 'config', '--unset', 'diff.external');
    provesItself(folder, () => git(folder, 'diff'), ['textconv']);
    git(folder, 'config', 'diff.external', `touch '${join(canaries, 'external')}'`);
    await lookEverywhere(folder);
    expect(sung()).toEqual([]);
  });

  test('a pager, an editor, a signature program, a credential helper', async () => {
    const folder = victim();
    disturb(folder);
    for (const key of [
      'core.pager',
      'pager.status',
      'pager.diff',
      'core.editor',
      'sequence.editor',
      'gpg.program',
      'credential.helper',
      'core.askPass',
      'core.alternateRefsCommand',
      'uploadpack.packObjectsHook',
    ])
      git(folder, 'config', key, `touch '${join(canaries, key)}'`);
    git(folder, 'config', 'log.showSignature', 'true');
    await lookEverywhere(folder);
    expect(sung()).toEqual([]);
  });

  test('ssh, for an object that a partial clone does not have', async () => {
    const folder = victim();
    const oid = git(folder, 'rev-parse', 'HEAD:moved.txt').trim();
    disturb(folder);
    appendFileSync(join(folder, 'moved-away.txt'), 'eight\n');
    git(folder, 'add', '-A');
    write(folder, 'untracked.txt', 'new\n');
    rmSync(join(folder, '.git/objects', oid.slice(0, 2), oid.slice(2)));
    git(folder, 'config', 'core.repositoryFormatVersion', '1');
    git(folder, 'config', 'extensions.partialClone', 'origin');
    git(folder, 'config', 'remote.origin.url', 'ssh://nowhere.example/x');
    git(folder, 'config', 'remote.origin.promisor', 'true');
    git(folder, 'config', 'protocol.allow', 'always');
    git(folder, 'config', 'core.sshCommand', `touch '${join(canaries, 'ssh')}'; false`);
    provesItself(folder, () => git(folder, 'status'), ['ssh']);
    const before = imprint(folder);
    const taken = await captureOf(folder);
    expect(imprint(folder)).toEqual(before);
    expect(taken.manifest.losses).toEqual([{ path: '.', reason: 'no-diff' }]);
    expect(taken.manifest.entries.map(({ path }) => path)).toContain('moved-away.txt');
    expect(sung()).toEqual([]);
  });

  test('the configuration of a submodule', async () => {
    const inner = victim('* filter=evil\n');
    const folder = victim();
    git(folder, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub');
    commit(folder);
    disturb(folder);
    disturb(join(folder, 'sub'));
    git(join(folder, 'sub'), 'config', 'core.fsmonitor', `touch '${join(canaries, 'sub-fsmonitor')}'`);
    git(join(folder, 'sub'), 'config', 'filter.evil.clean', sings('sub-clean'));
    git(folder, 'config', 'status.submoduleSummary', 'true');
    git(folder, 'config', 'diff.submodule', 'diff');
    provesItself(folder, () => git(folder, 'status'), ['sub-fsmonitor', 'sub-clean']);
    const { facts } = await captureOf(folder);
    expect(facts.git?.submodules).toMatchObject([{ path: 'sub', dirty: true }]);
    expect(sung()).toEqual([]);
  });

  test('a git that lies in the workspace, whatever PATH says', async () => {
    const folder = victim();
    disturb(folder);
    write(folder, 'git', `#!/bin/sh\ntouch '${join(canaries, 'git')}'\n`, 0o755);
    write(folder, 'node_modules/.bin/git', `#!/bin/sh\ntouch '${join(canaries, 'git')}'\n`, 0o755);
    const path = ['.', '', folder, join(folder, 'node_modules/.bin'), env['PATH'] ?? ''].join(':');
    const workspace = await open(folder, { env: { ...env, PATH: path } });
    await workspace.probe();
    expect(sung()).toEqual([]);
  });

  test('variables of a surrounding git are not followed', async () => {
    const folder = victim();
    const other = repository();
    disturb(folder);
    const workspace = await open(folder, {
      env: {
        ...env,
        GIT_DIR: join(other, '.git'),
        GIT_WORK_TREE: other,
        GIT_INDEX_FILE: join(other, 'no-index'),
        GIT_EXTERNAL_DIFF: `touch '${join(canaries, 'env-diff')}'`,
        GIT_CONFIG_PARAMETERS: `'core.fsmonitor=touch ${join(canaries, 'env-fsmonitor')}'`,
      },
    });
    const facts = await workspace.probe();
    expect(facts.root).toBe(folder);
    expect(sung()).toEqual([]);
  });
});

describe('a repository may not claim what is not its own', () => {
  test('a working tree elsewhere', async () => {
    const folder = repository();
    const home = fresh('home');
    write(home, 'private.txt');
    git(folder, 'config', 'core.worktree', home);
    expect(await refusal(open(folder))).toMatchObject({
      code: 'workspace-unusable',
      details: { reason: 'foreign-tree' },
    });
  });

  test('a working tree around it', async () => {
    const around = fresh('around');
    write(around, 'private.txt');
    const folder = join(around, 'inner');
    mkdirSync(folder);
    git(folder, 'init', '-q');
    git(folder, 'config', 'core.worktree', around);
    expect(await refusal(open(folder))).toMatchObject({ details: { reason: 'foreign-tree' } });
  });

  test('a configuration that never ends is given up', async () => {
    const folder = repository();
    gitWith(folder, ['config', 'include.path', join(folder, 'pipe')]);
    const { execFileSync } = await import('node:child_process');
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    expect(await refusal(open(folder, { gitMsMax: 300 }))).toMatchObject({ code: 'git-failed' });
  });

  test.each([
    ['core.trustctime', 'false'],
    ['core.checkStat', 'minimal'],
  ])('%s=%s cannot hide an edit of the same size with its old time', async (setting, value) => {
    const folder = repository();
    write(folder, 'price.txt', 'price 10\n');
    commit(folder);
    const { atime, mtime } = statSync(join(folder, 'price.txt'));
    git(folder, 'config', setting, value);
    git(folder, 'status');
    write(folder, 'price.txt', 'price 99\n');
    utimesSync(join(folder, 'price.txt'), atime, mtime);
    const { facts } = await captureOf(folder);
    expect(facts.changes.map(({ path }) => path)).toContain('price.txt');
  });

  test('git before 2.31 would ignore the guard, and is refused', async () => {
    const folder = init();
    const bin = fresh('bin');
    // Answers as an old git does: without what was handed over in the environment.
    write(bin, 'git', `#!/bin/sh\nunset GIT_CONFIG_COUNT\nexec ${gitProgram()} "$@"\n`, 0o755);
    const refused = await refusal(open(folder, { env: { ...env, PATH: `${bin}:${env['PATH'] ?? ''}` } }));
    expect(refused.code).toBe('git-missing');
  });
});

function gitProgram(): string {
  const found = (env['PATH'] ?? '').split(':').map((folder) => join(folder, 'git'));
  return found.find((program) => existsSync(program)) ?? 'git';
}
