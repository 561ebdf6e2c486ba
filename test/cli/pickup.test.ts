/** P6: the receiver of a task, or a user who looks at it, sees each fact of the packet held against the workspace as it is. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Drift } from '../../src/core/tree/workspace-drift.ts';
import { validate } from '../../src/handoff/verbs/validate.ts';
import { newDamaged, newFolder, staffetta } from './command.ts';
import { code, stages } from './stage.ts';
import { captured, claims, contract, git, handedOver, repository, withRelay, work, write } from './worked.ts';

const second = ['--as', 'second'];

function standings(json: Readonly<Record<string, unknown>>): Record<string, string> {
  const drift = (json['drift'] ?? []) as readonly Drift[];
  return Object.fromEntries(drift.map(({ fact, standing }) => [fact, standing]));
}

describe('facts at pickup', () => {
  test('that are all still true take one line, by name', async () => {
    const { folder, task } = await handedOver();
    const taken = await staffetta(['take', task, ...second], { cwd: folder });
    expect(taken.stdout).toMatch(
      /Facts of the packet, looked at again\n {2}All \d+ are still true: workspace, tree, head, branch, limit\.js, notes\.txt, old\.js\.\n/,
    );
    expect(taken.stdout).not.toMatch(/^ +(?:- )?(?:changed|gone|new): /m);
  });

  test('that changed, are gone or are new take a line each, in a dry run and on show as well', async () => {
    const { folder, task } = await handedOver();
    write(folder, 'limit.js', 'export const limit = 30;\n');
    rmSync(join(folder, 'notes.txt'));
    write(folder, 'fresh.txt', 'new\n');
    for (const args of [
      ['take', task, '--dry-run'],
      ['show', task],
      ['take', task],
    ]) {
      const ran = await staffetta([...args, ...second], { cwd: folder });
      expect(ran.stdout).toContain('changed: limit.js (still modified, with another content)');
      expect(ran.stdout).toContain('gone: notes.txt (was untracked)');
      expect(ran.stdout).toContain('new: fresh.txt (untracked)');
      expect(ran.stdout).toMatch(/workspace, head, branch.* are still true\./);
    }
    const { json } = await staffetta(['show', task, '--json'], { cwd: folder });
    expect(standings(json)).toMatchObject({
      tree: 'changed',
      head: 'same',
      'limit.js': 'changed',
      'notes.txt': 'gone',
      'fresh.txt': 'new',
    });
  });

  test('in a fresh clone are not as they were, and gone is only what is not there', async () => {
    const { folder, store, task } = await handedOver();
    const clone = join(newFolder(), 'clone');
    git(folder, 'clone', '-q', '.', clone);
    for (const head of ['the same', 'another']) {
      const { stdout } = await staffetta(['take', task, '--dry-run', '--store', store, ...second], {
        cwd: clone,
      });
      expect(stdout).not.toMatch(/: was .*[0-9a-f]{40}/);
      expect(stdout).toContain('not as it was: limit.js: was modified, is as committed');
      expect(stdout).toContain('not as it was: old.js: was deleted, is there');
      expect(stdout).toContain('gone: notes.txt (was untracked)');
      expect(stdout.match(/head.* still true/g) === null).toBe(head === 'another');
      git(clone, 'commit', '-q', '--allow-empty', '-m', 'On.');
    }
  });

  test('name where a renamed file came from', async () => {
    const folder = repository();
    git(folder, 'mv', 'old.js', 'young.js');
    const { task } = await handedOver({ folder });
    git(folder, 'mv', 'young.js', 'old.js');
    const { stdout } = await staffetta(['show', task], { cwd: folder });
    expect(stdout).toContain('renamed: young.js (from old.js)');
    expect(stdout).toContain('gone: young.js (was renamed from old.js)');
  });

  test('of another tree with many changes are cut to fifty and a count', async () => {
    const { folder, task } = await handedOver();
    for (let i = 0; i < 60; i += 1) write(folder, `many/${i}.txt`, `${i}\n`);
    const { stdout } = await staffetta(['take', task, ...second], { cwd: folder });
    expect(stdout.match(/^ +- (?:changed|gone|new): /gm)).toHaveLength(50);
    expect(stdout).toMatch(/- and \d+ more; all of them with --json/);
    const { json } = await staffetta(['show', task, '--json'], { cwd: folder });
    expect(Object.values(standings(json)).filter((standing) => standing === 'new')).toHaveLength(60);
  });

  test('are not looked at where that is impossible, and the task is taken all the same', async () => {
    const { store, task } = await handedOver();
    const broken = newDamaged();
    const taken = await staffetta(['take', task, '--store', store, ...second], { cwd: broken });
    expect(taken.status).toBe(0);
    expect(taken.stdout).toContain('Facts of the packet, looked at again\n  Not looked at. ');
  });

  test('show nothing where no workspace was captured', async () => {
    const { folder, task } = await stages.unplaced();
    const { stdout } = await staffetta(['show', task], { cwd: folder });
    expect(stdout).not.toContain('Facts of the packet');
  });

  test('keep the terminal safe from the names of files', async () => {
    const folder = repository();
    write(folder, 'red\u001b[31m.txt', 'x\n');
    const { task } = await handedOver({ folder });
    rmSync(join(folder, 'red\u001b[31m.txt'));
    const { stdout } = await staffetta(['show', task], { cwd: folder });
    expect(stdout).not.toContain('\u001b');
    expect(stdout).toContain('gone: red␛.txt');
  });
});

test('a validation is bound to the workspace it was seen on, and stale on any other', async () => {
  const folder = repository();
  const task = await withRelay(folder, async (relay) => {
    const leg = await relay.begin(contract);
    work(folder);
    const by = { ...code, kind: 'agent' as const };
    await validate(relay.context, leg.task, { generation: 1 }, { by });
    await leg.handoff({ to: 'anyone', claims });
    return leg.task;
  });
  const bound = await staffetta(['show', task], { cwd: folder });
  expect(bound.stdout).toMatch(
    /Validation\n {2}node limit\.js: passed .*; bound: on the workspace as it is now/,
  );
  write(folder, 'limit.js', 'export const limit = 30;\n');
  const stale = await staffetta(['take', task, ...second, '--json'], { cwd: folder });
  expect(stale.json['validation']).toEqual([
    expect.objectContaining({ run: ['node', 'limit.js'], outcome: 'passed', standing: 'stale' }),
  ]);
});

test('skills of contract and packet are listed with where they are', async () => {
  const folder = repository();
  write(folder, '.claude/skills/review/SKILL.md', 'Read twice.\n');
  write(folder, 'docs/style.md', 'Short.\n');
  const opened = await withRelay(folder, async (relay) => {
    const leg = await relay.begin({ ...contract, skills: ['review'] });
    await leg.acknowledge();
    return leg.task;
  });
  const skills = ['--skill', 'docs/style.md', '--skill', 'lost', '--skill', '../../etc'];
  const sealed = await staffetta(['checkpoint', opened, ...skills, '--next', 'go on', '--as', 'code'], {
    cwd: folder,
  });
  expect(sealed.status).toBe(0);
  const { stdout } = await staffetta(['show', opened], { cwd: folder });
  expect(stdout).toContain('review (contract): .claude/skills/review/SKILL.md');
  expect(stdout).toContain('docs/style.md (packet): is here');
  expect(stdout).toContain('lost (packet): missing: not found in this workspace');
  expect(stdout).toContain('../../etc (packet): missing');
});

/** A repository that has none of the commits. */
function unrelated(): string {
  const folder = newFolder();
  git(folder, 'init', '-q', '-b', 'main');
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'Elsewhere.');
  return folder;
}

describe('a commit that was not pushed', () => {
  test('is announced where the clone does not have it, with how to get it', async () => {
    const { store, task, folder } = await captured();
    const head = git(folder, 'rev-parse', 'HEAD').trim();
    const clone = unrelated();
    const { stdout } = await staffetta(['show', task, '--store', store], { cwd: clone });
    expect(stdout).toContain(
      `Commit ${head} is not in this clone. The packet was sealed on it in ${folder}: its branch has no upstream.`,
    );
    expect(stdout).toContain('git bundle create handoff.bundle HEAD');
    expect(stdout).toContain('staffetta take --worktree FOLDER, run there');
    git(clone, 'fetch', '-q', folder, 'HEAD');
    const after = await staffetta(['show', task, '--store', store], { cwd: clone });
    expect(after.stdout).not.toContain(`Commit ${head}`);
    const nowhere = await staffetta(['show', task, '--store', store], { cwd: newFolder() });
    expect(nowhere.stdout).not.toContain('is not in this clone');
  });

  test('is not announced once it was', async () => {
    const folder = repository();
    const remote = newFolder();
    git(remote, 'init', '-q', '--bare');
    git(folder, 'remote', 'add', 'origin', remote);
    git(folder, 'push', '-q', '-u', 'origin', 'main');
    const { store, task } = await handedOver({ folder });
    const clone = newFolder();
    git(clone, 'clone', '-q', remote, '.');
    const { json } = await staffetta(['show', task, '--store', store, '--json'], { cwd: clone });
    expect(json['unpushed']).toBeNull();
    const other = await staffetta(['show', task, '--store', store, '--json'], { cwd: unrelated() });
    expect(other.json['unpushed']).toMatchObject({ reason: 'not-fetched', missing: true, root: folder });
  });
});
