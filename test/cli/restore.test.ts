/** P10 through the built command: a workspace is brought back whole, or nothing is changed and the task is not taken. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { contentOf, newDamaged, newFolder, staffetta } from './command.ts';
import { stages } from './stage.ts';
import { captured, clean, git, handedOver, read, repository, write } from './worked.ts';

const second = ['--as', 'second'];

function status(folder: string): string {
  return git(folder, 'status', '--porcelain');
}

const worked = ' M limit.js\nD  old.js\n?? notes.txt\n';

describe('restore', () => {
  test('brings files, deletions and the index back into a clean tree, and says so', async () => {
    const { folder, task } = await captured();
    const tried = await staffetta(['restore', task, '--dry-run'], { cwd: folder });
    expect(tried.stdout).toContain('Would restore the workspace');
    expect(status(folder)).toBe('');
    const ran = await staffetta(['restore', task], { cwd: folder });
    expect(ran.stdout).toContain('2 files written, 1 deleted, 1 staged');
    expect(ran.stdout).toContain('Written\n    - limit.js\n    - notes.txt');
    expect(status(folder)).toBe(worked);
    expect(read(folder, 'limit.js')).toBe('export const limit = 20;\n');
  });

  test('makes a new worktree, of an earlier packet if asked', async () => {
    const { folder, task, packet } = await captured();
    const beside = join(newFolder(), 'again');
    const args = ['restore', task, '--at', packet.slice(7, 15), '--worktree', beside, '--json'];
    const ran = await staffetta(args, { cwd: folder });
    expect(ran.json).toMatchObject({ task, packet, root: beside, deleted: ['old.js'] });
    expect(status(beside)).toBe(worked);
    expect(status(folder)).toBe('');
  });

  test('brings back the packet that a forked task starts from', async () => {
    const { folder, task, packet } = await captured();
    const forked = await staffetta(['fork', task, '--at', 'latest', '--why', 'another way', '--json'], {
      cwd: folder,
    });
    const ran = await staffetta(['restore', String(forked.json['task']), '--json'], { cwd: folder });
    expect(ran.json).toMatchObject({ packet, written: ['limit.js', 'notes.txt'] });
    expect(status(folder)).toBe(worked);
  });

  test('holds back what runs by itself, and names the exact option that writes it', async () => {
    const folder = repository();
    write(folder, '.mcp.json', '{"mcpServers":{}}\n');
    write(folder, '.vscode/tasks.json', '{}\n');
    const { task } = await handedOver({ folder });
    clean(folder);
    const tried = await staffetta(['restore', task, '--dry-run'], { cwd: folder });
    const allow = '--allow /.mcp.json --allow .vscode/tasks.json';
    expect(tried.stdout).toContain(`staffetta restore ${task} ${allow}`);
    const ran = await staffetta(['restore', task], { cwd: folder });
    expect(ran.stdout).toContain('Held back');
    expect(ran.stdout).toContain(`staffetta restore ${task} --worktree NEW-FOLDER ${allow}`);
    expect(existsSync(join(folder, '.mcp.json'))).toBe(false);
    clean(folder);
    const allowed = await staffetta(['restore', task, ...allow.split(' ')], { cwd: folder });
    expect(allowed.stdout).not.toContain('Held back');
    expect(existsSync(join(folder, '.mcp.json'))).toBe(true);
  });

  test('says which files have placeholders where secrets were', async () => {
    const folder = repository();
    write(folder, 'env.txt', `token = ghp_${'Ab3dE6gH9j'.repeat(3)}Klm4Pq\n`);
    const { task } = await handedOver({ folder });
    clean(folder);
    const ran = await staffetta(['restore', task], { cwd: folder });
    expect(ran.stdout).toMatch(/Written with placeholders where secrets were\n +env\.txt/);
    expect(read(folder, 'env.txt')).not.toContain('ghp_');
  });
});

describe('taking with the workspace', () => {
  test('restores into this tree, and shows that the facts are true again', async () => {
    const { folder, task } = await captured();
    const ran = await staffetta(['take', task, '--restore', ...second], { cwd: folder });
    expect(ran.status).toBe(0);
    expect(ran.stdout).toContain('Restored the workspace');
    expect(ran.stdout).toMatch(/All \d+ are still true/);
    expect(status(folder)).toBe(worked);
  });

  test('makes a worktree for the next task on offer, and says to go there', async () => {
    const { folder, task } = await captured();
    const beside = join(newFolder(), 'work');
    const ran = await staffetta(['take', '--worktree', beside, ...second], { cwd: folder });
    expect(ran.stdout).toContain(`held by second`);
    expect(ran.stdout).toContain(`changed: workspace: was ${folder}, is ${beside}`);
    expect(ran.stdout).toMatch(/tree, head, limit\.js, notes\.txt, old\.js are still true\./);
    expect(ran.stderr).toContain(`→ cd ${beside}`);
    expect(read(beside, 'notes.txt')).toBe('seen\n');
    expect((await staffetta(['show', task, '--json'], { cwd: beside })).json).toMatchObject({
      status: 'held',
    });
  });

  test('only says what it would do in a dry run', async () => {
    const { folder, store, task } = await captured();
    const before = contentOf(store);
    const ran = await staffetta(['take', task, '--restore', '--dry-run', ...second], { cwd: folder });
    expect(ran.stdout).toContain('Would restore the workspace');
    expect(ran.stderr).toContain('Nothing was taken');
    expect(contentOf(store)).toBe(before);
    expect(status(folder)).toBe('');
  });

  test('is refused before the leg is started where the tree has changes', async () => {
    const { folder, store, task } = await captured();
    write(folder, 'mine.txt', 'mine\n');
    const before = contentOf(store);
    for (const args of [['take', task], ['take']]) {
      const ran = await staffetta([...args, '--restore', ...second], { cwd: folder });
      expect(ran.status).toBe(5);
      expect(ran.stderr).toContain(`Task ${task} was not taken.`);
      expect(ran.stderr).toContain('Restore into a new worktree');
    }
    expect(contentOf(store)).toBe(before);
    expect(status(folder)).toBe('?? mine.txt\n');
  });

  test('takes a task without a workspace all the same, and says so', async () => {
    const { folder, task } = await stages.offered();
    const ran = await staffetta(['take', task, '--restore', ...second], { cwd: folder });
    expect(ran.status).toBe(0);
    expect(ran.stdout).toContain('Nothing was restored: nothing was captured for this task yet.');
  });

  test('repeated with its key restores nothing twice', async () => {
    const { folder, task } = await captured();
    const args = ['take', '--restore', ...second, '--idempotency-key', 'once', '--json'];
    const first = await staffetta(args, { cwd: folder });
    expect(first.json).toMatchObject({ task, restored: { written: ['limit.js', 'notes.txt'] } });
    const again = await staffetta(args, { cwd: folder });
    expect(again).toMatchObject({ status: 0, json: { task, repeated: true, restored: null } });
  });

  test('refuses options that contradict each other or mean nothing', async () => {
    const { folder, task } = await stages.offered();
    const both = await staffetta(['take', task, '--restore', '--worktree', 'x', ...second], { cwd: folder });
    expect(both).toMatchObject({ status: 2 });
    const stray = await staffetta(['take', task, '--allow', 'x', ...second], { cwd: folder });
    expect(stray.stderr).toContain('--allow means nothing here');
  });
});

/** The code of the refusal, which always comes with a hint, and its words. */
async function refusal(cwd: string, args: readonly string[]): Promise<string> {
  const ran = await staffetta([...args, '--json'], { cwd });
  const { error } = ran.json as { error: { code: string; hint?: string } };
  expect({ ...error, status: ran.status === 0 }).toMatchObject({ hint: expect.any(String), status: false });
  return `${error.code} ${ran.stderr}`;
}

describe('a restore that cannot be done changes nothing and says why', () => {
  test('outside a git repository', async () => {
    const { store, task } = await captured();
    const folder = newFolder();
    const restore = ['restore', task, '--store', store];
    expect(await refusal(folder, restore)).toMatch(/^workspace-moved .*not in a git repository/s);
    const made = [...restore, '--worktree', 'new'];
    expect(await refusal(folder, made)).toMatch(/^workspace-moved .*in no git repository/s);
    expect(existsSync(join(folder, 'new'))).toBe(false);
  });

  test('in a bare repository', async () => {
    const { store, task } = await captured();
    const folder = newFolder();
    git(folder, 'init', '-q', '--bare');
    const restore = ['restore', task, '--store', store];
    expect(await refusal(folder, restore)).toMatch(/^workspace-unusable .*bare/s);
  });

  test('where git finds nothing that it could read', async () => {
    const { store, task } = await captured();
    const restore = ['restore', task, '--store', store];
    expect(await refusal(newDamaged(), restore)).toMatch(/^workspace-unusable .*staffetta: /s);
  });

  test('in a worktree whose repository is gone', async () => {
    const { store, task } = await captured();
    const other = repository();
    const linked = join(newFolder(), 'linked');
    git(other, 'worktree', 'add', '-q', '--detach', linked);
    rmSync(join(other, '.git'), { recursive: true });
    const restore = ['restore', task, '--store', store];
    expect(await refusal(linked, restore)).toMatch(/^workspace-unusable .*staffetta: /s);
  });

  test('in a clone that lacks the commit: git is told how to get it', async () => {
    const { folder, store, task } = await captured();
    const clone = join(newFolder(), 'clone');
    git(folder, 'clone', '-q', '.', clone);
    git(folder, 'commit', '-q', '--allow-empty', '-m', 'Only here.');
    write(folder, 'notes.txt', 'again\n');
    const { task: later } = await handedOver({ folder });
    const head = git(folder, 'rev-parse', 'HEAD').trim();
    for (const more of [[], ['--worktree', join(clone, '..', 'new')]]) {
      const ran = await staffetta(['restore', later, '--store', store, ...more, '--json'], { cwd: clone });
      expect(ran.json).toMatchObject({ error: { code: 'commit-missing', details: { commit: head } } });
      expect(ran.stderr).toContain('git fetch --all');
      expect(ran.stderr).toContain(`git push origin ${head}:refs/heads/handoff`);
      expect(ran.stderr).toContain('git bundle create handoff.bundle HEAD');
    }
    const bundle = join(newFolder(), 'handoff.bundle');
    git(folder, 'bundle', 'create', '-q', bundle, 'HEAD');
    git(clone, 'fetch', '-q', bundle, 'HEAD');
    const beside = join(newFolder(), 'new');
    const ran = await staffetta(['restore', later, '--store', store, '--worktree', beside], { cwd: clone });
    expect(ran.status).toBe(0);
    expect(read(beside, 'notes.txt')).toBe('again\n');
    expect(task).not.toBe(later);
  });

  test('into a folder that is there already', async () => {
    const { folder, task } = await captured();
    const taken = newFolder();
    write(taken, 'mine.txt', 'mine\n');
    const restore = ['restore', task, '--worktree', taken];
    expect(await refusal(folder, restore)).toMatch(/^workspace-dirty .*is there already/s);
    expect(read(taken, 'mine.txt')).toBe('mine\n');
    expect(git(folder, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
  });

  test('where HEAD has moved on', async () => {
    const { folder, task } = await captured();
    git(folder, 'commit', '-q', '--allow-empty', '-m', 'On.');
    expect(await refusal(folder, ['restore', task])).toMatch(/^workspace-moved .*was captured at/s);
    expect(status(folder)).toBe('');
  });

  test('where the packet has no workspace, or there is no such packet', async () => {
    const { folder, task } = await stages.unplaced();
    expect(await refusal(folder, ['restore', task])).toMatch(/^unknown-packet .*holds no workspace/s);
    const none = ['restore', task, '--at', 'abcdef'];
    expect(await refusal(folder, none)).toMatch(/^unknown-packet .*has no packet abcdef/s);
  });

  test('without permission', async () => {
    const { folder, task } = await captured();
    const locked = newFolder();
    mkdirSync(join(locked, 'inner'));
    chmodSync(join(locked, 'inner'), 0o555);
    // A user who may do everything may do this, too: then a file stands where the folder should be.
    const target = process.getuid?.() === 0 ? join(locked, 'file', 'new') : join(locked, 'inner', 'new');
    writeFileSync(join(locked, 'file'), 'in the way\n');
    const ran = await staffetta(['restore', task, '--worktree', target, '--json'], { cwd: folder });
    expect(ran.status).not.toBe(0);
    expect(ran.json).toMatchObject({ error: { code: expect.stringMatching(/^(?:git|restore)-failed$/) } });
    expect(ran.stderr).toMatch(/^staffetta: (?!.*bug)/);
    expect(git(folder, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(readFileSync(join(locked, 'file'), 'utf8')).toBe('in the way\n');
  });
});
