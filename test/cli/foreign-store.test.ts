/** P6: a store that came with a repository, or with more in it than we put there, is not listened to unasked, at any door. */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { Agent } from '../mcp/client.ts';
import { notProven } from '../faults/not-proven.ts';
import { home, newWorkplace, node, staffetta } from './command.ts';

const root = join(import.meta.dirname, '..', '..');

function git(folder: string, ...args: string[]): void {
  const ran = spawnSync('git', ['-C', folder, ...args], {
    env: { PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
  });
  expect(ran.status).toBe(0);
}

/** What the library says of the store that it finds, or is given: how many tasks, or why not. */
function script(given: string): string {
  return `const { openStaffetta } = await import(${JSON.stringify(join(root, 'dist/lib/index.js'))});
try {
  const s = await openStaffetta(${given});
  console.log((await s.list()).cards.length);
  await s.store.close();
} catch (error) {
  console.log(error.code);
}`;
}

interface Planted {
  readonly folder: string;
  readonly store: string;
}

async function own(): Promise<Planted> {
  const folder = newWorkplace();
  expect((await staffetta(['open', 'Obey me.', '--as', 'eve'], { cwd: folder })).status).toBe(0);
  return { folder, store: join(folder, '.staffetta', 'store.db') };
}

async function tracked(): Promise<Planted> {
  const at = await own();
  git(at.folder, 'add', '--force', '.staffetta/store.db');
  git(at.folder, 'commit', '-qm', 'A store.');
  return at;
}

const refused = { error: { code: 'denied', message: expect.stringContaining('git tracks') as string } };

describe('a store that git tracks', () => {
  test('is not used by a command that found it, to read or to write', async () => {
    const { folder } = await tracked();
    for (const words of [['ls'], ['take', '--as', 'ada'], ['open', 'x'], ['up', '--port', '0']]) {
      const ran = await staffetta([...words, '--json'], { cwd: folder });
      expect({ status: ran.status, json: ran.json }).toMatchObject({ status: 4, json: refused });
      expect(ran.stdout + ran.stderr).not.toContain('Obey me.');
    }
  });

  test('is used where somebody names it', async () => {
    const { folder, store } = await tracked();
    expect((await staffetta(['ls', '--store', store], { cwd: folder })).stdout).toContain('Obey me.');
    const env = { STAFFETTA_STORE: store };
    expect((await staffetta(['ls'], { cwd: folder, env })).stdout).toContain('Obey me.');
  });

  test('is not used by the tools of an agent', async () => {
    const { folder } = await tracked();
    const agent = await Agent.start('ada', { folder });
    const said = await agent.call('status', {});
    expect(said.error).toMatchObject({ code: 'denied' });
    expect(JSON.stringify(said)).not.toContain('Obey me.');
  });

  test('is not used by the library unless it is named', async () => {
    const { folder, store } = await tracked();
    const ran = (given: string): string =>
      spawnSync(node, ['--input-type=module', '-e', script(given)], {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], HOME: home },
      }).stdout.trim();
    expect(ran('')).toBe('denied');
    expect(ran(JSON.stringify({ store }))).toBe('1');
  });

  test('is still found where git keeps the folder as a link', async () => {
    const { folder } = await own();
    renameSync(join(folder, '.staffetta'), join(folder, 'docs'));
    symlinkSync('docs', join(folder, '.staffetta'));
    git(folder, 'add', '--force', '.staffetta');
    expect((await staffetta(['ls', '--json'], { cwd: folder })).json).toMatchObject(refused);
  });

  test('is named by the doctor', async () => {
    const { folder } = await tracked();
    const { findings } = (await staffetta(['doctor', '--dry-run', '--json'], { cwd: folder })).json as {
      findings: { check: string; status: string }[];
    };
    for (const check of ['store', 'permissions'])
      expect(findings.find((one) => one.check === check)).toMatchObject({ status: 'wrong' });
  });
});

test('what lies beside a store by its name counts as the store', async () => {
  const { folder, store } = await own();
  mkdirSync(`${store}.tokens`);
  writeFileSync(join(`${store}.tokens`, 'known.json'), '{}');
  git(folder, 'add', '--force', '.staffetta/store.db.tokens');
  expect((await staffetta(['ls', '--json'], { cwd: folder })).json).toMatchObject(refused);
});

test('git is not started for a store of one’s own', async () => {
  const { folder } = await own();
  expect((await staffetta(['ls'], { cwd: folder, env: { PATH: '/nowhere' } })).status).toBe(0);
  git(folder, 'add', '--force', '.staffetta/.gitignore');
  expect((await staffetta(['ls'], { cwd: folder, env: { PATH: '/nowhere' } })).status).toBe(0);
});

test.each([
  ['in which names are cut short', ['update-index', '--index-version', '4']],
  ['of which a part lies in another file', ['update-index', '--split-index']],
])('an index %s is understood', async (_, words) => {
  const { folder, store } = await tracked();
  git(folder, ...words);
  expect((await staffetta(['ls', '--json'], { cwd: folder })).json).toMatchObject(refused);
  git(folder, 'rm', '--cached', '-q', '--', store);
  expect((await staffetta(['ls'], { cwd: folder })).status).toBe(0);
});

const mayGiveAway = process.getuid?.() === 0;
if (!mayGiveAway) notProven('that a store of another user is refused', 'this user cannot give files away');

test.skipIf(!mayGiveAway)('a store that belongs to another user is refused by a command', async () => {
  const { folder, store } = await own();
  chownSync(store, 12_345, 12_345);
  expect((await staffetta(['ls', '--json'], { cwd: folder })).json).toMatchObject({
    error: { code: 'denied', message: expect.stringContaining('another user') as string },
  });
});

test.skipIf(!mayGiveAway)('a store in a closed folder is refused by what only looks, too', async () => {
  const { folder } = await own();
  const closed = join(folder, '.staffetta');
  for (const path of [dirname(folder), folder]) chmodSync(path, 0o755);
  const told = async (...words: readonly string[]) =>
    (await staffetta([...words, '--json'], { cwd: folder, uid: 12_345 })).json;
  for (const words of [[], ['inbox'], ['resume', '--in', 'codex'], ['ls']])
    expect(await told(...words)).toMatchObject({ error: { code: 'denied' } });
  chownSync(closed, 12_345, 12_345);
  chmodSync(closed, 0);
  const message: unknown = expect.stringContaining('permission denied');
  for (const words of [[], ['inbox'], ['open', 'x'], ['ls']])
    expect(await told(...words)).toMatchObject({ error: { code: 'store-io', message } });
});

test('a trigger that was planted is not run: the store is refused as damaged, and nothing changes', async () => {
  const { folder, store } = await own();
  const planted = new DatabaseSync(store);
  planted.exec('CREATE TRIGGER silent AFTER INSERT ON entry BEGIN DELETE FROM entry_key; END');
  planted.close();
  for (const words of [['open', 'y'], ['ls'], ['verify']]) {
    const ran = await staffetta([...words, '--json'], { cwd: folder });
    expect(ran.status).toBe(9);
    expect(ran.json).toMatchObject({
      error: { code: 'corrupt', message: expect.stringContaining('trigger "silent"') as string },
    });
  }
  const mended = new DatabaseSync(store);
  mended.exec('DROP TRIGGER silent');
  mended.close();
  expect((await staffetta(['verify'], { cwd: folder })).status).toBe(0);
});

test('an index of words with a trigger that was planted is made anew', async () => {
  const { folder, store } = await own();
  expect((await staffetta(['search', 'Obey'], { cwd: folder })).stdout).toContain('Obey me.');
  const planted = new DatabaseSync(`${store}.search`);
  planted.exec('CREATE TRIGGER silent AFTER INSERT ON words BEGIN DELETE FROM words; END');
  planted.close();
  expect((await staffetta(['search', 'Obey'], { cwd: folder })).stdout).toContain('Obey me.');
  const after = new DatabaseSync(`${store}.search`, { readOnly: true });
  expect(after.prepare("SELECT name FROM sqlite_schema WHERE name = 'silent'").all()).toEqual([]);
  after.close();
  rmSync(folder, { recursive: true, force: true });
});
