/** Stores and tasks that a command cannot work with: it says so, and leaves them as they were. */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { openStaffetta } from '../../src/library/staffetta.ts';
import { taskIdForKey } from '../../src/core/journal/id.ts';
import { notProven } from '../faults/not-proven.ts';
import { contentOf, newFolder, newRepository, newWorkplace, staffetta } from './command.ts';
import { asCode, code, stages } from './stage.ts';

/** Two keys whose tasks begin alike. */
function twinKeys(): readonly [string, string] {
  const seen = new Map<string, string>();
  for (let i = 0; ; i += 1) {
    const key = `twin ${i}`;
    const beginning = taskIdForKey(code.name, key).slice(0, 4);
    const other = seen.get(beginning);
    if (other !== undefined) return [other, key];
    seen.set(beginning, key);
  }
}

describe('a command in an unfit place', () => {
  test('a store that lies in the workspace is no work: what was proven stays proven', async () => {
    const cwd = newWorkplace();
    const run = async (...args: readonly string[]) =>
      await staffetta([...args, '--store', './my.db', '--json'], { cwd });
    const terms = [
      '--accept',
      'fence.txt holds 1',
      '--non-goal',
      'paint',
      '--review',
      'human',
      '--kind',
      'code',
    ];
    const proof = ['--validate', 'grep -q 1 fence.txt'];
    const holder = ['--take', '--as', 'bob', '--lane', 'execute'];
    const opened = await run('open', 'fence.txt holds 1', ...terms, ...proof, ...holder);
    const task = String(opened.json['task']);
    const restated = ['--goal', 'it holds 1', '--gate', 'grep passes', '--next', 'write it'];
    expect((await run('ack', task, '--as', 'bob', ...restated)).status).toBe(0);
    writeFileSync(join(cwd, 'fence.txt'), '1\n');
    expect((await run('validate', task, '--as', 'bob')).status).toBe(0);
    const done = ['--done', 'it holds 1 [file:fence.txt]', '--next', 'look at the diff'];
    expect((await run('submit', task, '--as', 'bob', ...done)).json).toMatchObject({ status: 'submitted' });
    const shown = await run('show', task, '--packet', 'latest');
    expect(shown.stdout).toContain('fence.txt');
    expect(JSON.stringify(shown.json['packet'] ?? shown.json)).not.toContain('"my.db');
  });

  test('a store that became an empty file is missed, and nothing new begins in its place', async () => {
    const { folder, store } = await stages.offered();
    expect((await staffetta(['verify'], { cwd: folder })).status).toBe(0);
    truncateSync(store, 0);
    for (const file of ['-wal', '-shm']) rmSync(`${store}${file}`, { force: true });
    for (const args of [['ls'], ['open', 'new'], ['verify']]) {
      const ran = await staffetta([...args, '--json'], { cwd: folder });
      expect(ran).toMatchObject({ status: 9, json: { error: { code: 'corrupt' } } });
      expect(ran.stderr).toContain('Put a backup back');
    }
    expect(statSync(store).size).toBe(0);
  });

  test('a folder without a store says how to get one', async () => {
    const ran = await staffetta(['ls', '--json'], { cwd: newRepository() });
    expect(ran).toMatchObject({ status: 3, json: { error: { code: 'store-missing' } } });
    expect(ran.stderr).toContain('staffetta open');
  });

  test('a need that is not met yet is waited for', async () => {
    const { folder, store, task } = await stages.survey();
    const opened = await staffetta(['open', 'paint it', '--need', task, '--json'], { cwd: folder });
    expect(opened.json).toMatchObject({ status: 'blocked' });
    const blocked = String(opened.json['task']);
    const refused = await staffetta(['take', blocked, '--as', 'other', '--json'], { cwd: folder });
    expect(refused).toMatchObject({
      status: 8,
      json: { error: { code: 'needs-unmet', details: { unmet: [task] } } },
    });
    const relay = await openStaffetta({ gate: 'record', store, as: code });
    await (await relay.leg(task)).complete();
    await relay.close();
    expect((await staffetta(['take', blocked, '--as', 'other'], { cwd: folder })).status).toBe(0);
  });

  test('the beginning of two ids names both', async () => {
    const { folder, store } = await stages.offered();
    const relay = await openStaffetta({ gate: 'record', store, as: code });
    const twins: string[] = [];
    for (const key of twinKeys()) twins.push((await relay.open({ goal: 'twin' }, { key })).task);
    await relay.close();
    const ran = await staffetta(['show', String(twins[0]).slice(0, 4), '--json'], { cwd: folder });
    expect(ran).toMatchObject({
      status: 3,
      json: { error: { code: 'ambiguous-task', details: { candidates: twins.sort() } } },
    });
    expect(ran.stderr).toContain('Give more of the id.');
  });

  test('a store from the future is not touched', async () => {
    const { folder, store } = await stages.held();
    const db = new DatabaseSync(store);
    db.exec('PRAGMA user_version = 999');
    db.exec("INSERT OR REPLACE INTO meta(key, value) VALUES ('readable_by', '999')");
    db.close();
    const before = contentOf(store);
    const ran = await staffetta(['open', 'x', '--json'], { cwd: folder });
    expect(ran).toMatchObject({ status: 1, json: { error: { code: 'store-newer' } } });
    expect(ran.stderr).toMatch(/newer Staffetta.*\n {2}Update staffetta\. Nothing was changed\./);
    expect(contentOf(store)).toBe(before);
  });

  test('a store of a kind that this version does not have is refused, and its password is told and kept nowhere', async () => {
    const [cwd, data] = [newWorkplace(), newFolder()];
    const word = 'sesame';
    const env = {
      STAFFETTA_STORE: `redis://ada:${word}@db.example/work`,
      HOME: data,
      XDG_DATA_HOME: data,
    };
    const said: string[] = [];
    for (const args of [['ls'], ['open', 'x'], ['open', 'x', '--dry-run'], ['init', '--yes'], []]) {
      const ran = await staffetta([...args, '--json'], { cwd, env });
      expect(ran).toMatchObject({ status: 1, json: { error: { code: 'store-unsupported' } } });
      expect(ran.stderr).toContain('There is no store for redis:// addresses in this version.');
      said.push(ran.stdout, ran.stderr);
    }
    for (const args of [['doctor'], ['mcp', '--dry-run'], ['watch', '--off'], ['uninstall', '--yes']]) {
      const ran = await staffetta(args, { cwd, env });
      said.push(ran.stdout, ran.stderr);
    }
    const event = JSON.stringify({
      session_id: 's1',
      cwd,
      hook_event_name: 'SessionStart',
      source: 'startup',
    });
    const hook = await staffetta(['hook', 'claude-code', 'SessionStart'], { cwd, env, stdin: event });
    expect(hook).toMatchObject({ status: 0, stdout: '' });
    const kept = readdirSync(data, { recursive: true, encoding: 'utf8' });
    expect(kept.join('\n')).toMatch(/homes.redis-db\.example-work-[0-9a-f]{16}.hook\.log/);
    for (const name of kept)
      if (statSync(join(data, name)).isFile()) said.push(name, readFileSync(join(data, name), 'utf8'));
    expect(said.join('\n')).toContain('redis://db.example/work');
    expect(said.join('\n')).not.toContain('sesame');
    expect(existsSync(join(cwd, '.staffetta'))).toBe(false);
  });

  test('a file that is no database is not taken for one', async () => {
    const store = join(newFolder(), 'notes.txt');
    writeFileSync(store, 'dear diary, '.repeat(1000));
    const ran = await staffetta(['open', 'x', '--store', store, '--json']);
    expect(ran).toMatchObject({ status: 9, json: { error: { code: 'corrupt' } } });
    expect(ran.stderr).toContain(store);
  });

  test('a transcript longer than a packet may add is refused before it is read', async () => {
    const { folder, task } = await stages.held();
    const file = join(folder, 'long.jsonl');
    writeFileSync(file, '');
    truncateSync(file, 2 ** 31);
    const ran = await staffetta(['checkpoint', task, '--transcript', file, '--json', ...asCode], {
      cwd: folder,
    });
    expect(ran).toMatchObject({ status: 2, json: { error: { code: 'too-large' } } });
  });

  test('one task whose card is damaged is left out and named, and the others are listed', async () => {
    const { folder, store, task } = await stages.offered();
    const other = String((await staffetta(['open', 'another', '--json'], { cwd: folder })).json['task']);
    const db = new DatabaseSync(store);
    db.prepare("UPDATE task SET card = '{' WHERE id = ?").run(task);
    db.close();
    const listed = await staffetta(['ls'], { cwd: folder });
    expect(listed.status).toBe(9);
    expect(listed.stdout).toContain(other);
    expect(listed.stderr).toMatch(
      new RegExp(`^Task ${task} is damaged and was passed over: .*\n.*staffetta verify`),
    );
    const { json } = await staffetta(['ls', '--json'], { cwd: folder });
    expect(json).toMatchObject({ tasks: [{ task: other }], damaged: [{ task }] });
    const here = await staffetta([], { cwd: folder });
    expect(here).toMatchObject({ status: 9, stdout: expect.stringContaining(other) as string });
    const put = await staffetta(['recover', '--json'], { cwd: folder });
    expect(put).toMatchObject({ status: 9, json: { damaged: [{ task }] } });
    const verified = await staffetta(['verify', '--json'], { cwd: folder });
    expect(verified).toMatchObject({ status: 9, json: { tasks: 2 } });
    expect(JSON.stringify(verified.json['faults'])).toContain(task);
    const taken = await staffetta(['take', '--json', '--as', 'other'], { cwd: folder });
    expect(taken).toMatchObject({ status: 0, json: { status: 'held' } });
  });

  test('a task whose row is lost is named by its entries', async () => {
    const { folder, store, task } = await stages.held();
    const db = new DatabaseSync(store);
    db.prepare('DELETE FROM task WHERE id = ?').run(task);
    db.close();
    const { status, stdout } = await staffetta(['verify'], { cwd: folder });
    expect(status).toBe(9);
    expect(stdout).toMatch(
      new RegExp(`The row of task ${task} is missing; \\d+ journal entr(?:y|ies) of it`),
    );
  });

  test('a person who verifies a file that is cut short is not told to verify it', async () => {
    const { folder, store } = await stages.held();
    truncateSync(store, 5000);
    const listed = await staffetta(['ls', '--json'], { cwd: folder });
    expect(listed.stderr).toContain('Run: staffetta verify');
    const ran = await staffetta(['verify', '--json'], { cwd: folder });
    expect(ran).toMatchObject({ status: 9, json: { error: { code: 'corrupt' } } });
    expect(ran.stderr).toContain('Not even verify can read on.');
    expect(ran.stderr).not.toContain('Run: staffetta verify');
    expect(ran.stderr).toContain('backup');
  });

  test('a backup to stdout is refused, with the way to a file of that name', async () => {
    const { folder } = await stages.held();
    const ran = await staffetta(['backup', '-'], { cwd: folder });
    expect(ran).toMatchObject({ status: 2, stdout: '' });
    expect(ran.stderr).toContain('./-');
    expect((await staffetta(['backup', './-'], { cwd: folder })).status).toBe(0);
  });

  test('an altered store is found out, and the damage is named', async () => {
    const { folder, store, task } = await stages.handedOff();
    const db = new DatabaseSync(store);
    db.exec("UPDATE task SET snapshot = replace(snapshot, 'code', 'evil')");
    db.close();
    const ran = await staffetta(['verify', '--json'], { cwd: folder });
    expect(ran.status).toBe(9);
    expect(JSON.stringify(ran.json['faults'])).toContain(task);
  });

  test('a full disk is named, and what was acknowledged stays', async ({ skip, onTestFinished }) => {
    const disk = newFolder();
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk]).status !== 0) {
      notProven('that a full disk is told', 'a small file system cannot be mounted here (that takes root)');
      skip();
    }
    onTestFinished(() => {
      spawnSync('umount', [disk]);
    });
    const store = ['--store', join(disk, 'store.db'), '--json'];
    let opened = 0;
    let last = await staffetta(['open', 'small', ...store]);
    for (; last.status === 0; opened += 1)
      last = await staffetta(['open', randomBytes(12_000).toString('hex'), ...store]);
    expect(last).toMatchObject({ status: 1, json: { error: { code: 'store-full' } } });
    expect(last.stderr).toMatch(/The disk is full\.\n {2}Nothing was acknowledged\. Free some space/);
    expect((await staffetta(['verify', ...store])).json).toMatchObject({ tasks: opened, faults: [] });
  });

  test('a store that cannot be written says so, and so does a folder', async ({ skip }) => {
    const { folder, store, task } = await stages.held();
    const sealed = join(folder, 'sealed');
    mkdirSync(sealed, { mode: 0o555 });
    for (const [path, mode] of [
      [folder, 0o755],
      [join(folder, '.staffetta'), 0o555],
      [store, 0o444],
    ] as const)
      chmodSync(path, mode);
    // Root may write anywhere, so it lets somebody else try.
    const as = process.getuid?.() === 0 ? { uid: 65_534 } : {};
    const options = { cwd: folder, ...as };
    const able = await staffetta(['--version'], options).catch(() => ({ status: null }));
    if (able.status !== 0) {
      notProven(
        'that a store which cannot be written is told',
        'nobody but root can run the command here, and root can write anywhere',
      );
      skip();
    }
    // Named, because that user would not be served with a store of somebody else's.
    const noted = await staffetta(['note', task, 'x', '--store', store, '--json', ...asCode], options);
    const opened = await staffetta(['open', 'x', '--store', join(sealed, 'a', 'b.db'), '--json'], options);
    chmodSync(join(folder, '.staffetta'), 0o700);
    expect(noted.status).toBe(1);
    expect(noted.json).toMatchObject({ error: { code: expect.stringMatching(/^store-(readonly|io)$/) } });
    expect(noted.stderr).toMatch(/allow it to write the folder of the store/);
    expect(opened).toMatchObject({ status: 1, json: { error: { code: 'store-readonly' } } });
    expect(opened.stderr).toMatch(/the folder is read-only\.\n {2}Choose another place with --store/);
  });
});
