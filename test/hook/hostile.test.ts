/** Whatever is wrong, the host goes on undisturbed: exit 0, nothing said, and the log says why. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, test } from 'vitest';
import { newFolder, newWorkplace, staffetta, type Json } from '../cli/command.ts';
import { notProven } from '../faults/not-proven.ts';
import { bareBones } from '../support/bare-bones.ts';
import { asAgent, logOf, tell, until } from './event.ts';

async function place(): Promise<string> {
  const folder = newWorkplace();
  await staffetta(['open', 'A goal that waits', '--as', 'ada'], { cwd: folder });
  return folder;
}

const quiet = { status: 0, stdout: '', stderr: '' };
const event = { session_id: 's-1', source: 'startup' };

describe.concurrent('events that nobody should send', () => {
  const bad: Readonly<Record<string, readonly [string | Uint8Array, string]>> = {
    'nothing at all': ['', 'standard input is empty'],
    'no JSON': ['{"session_id": ', 'standard input is not JSON'],
    'a list': ['[1]', 'standard input is not an object'],
    'no session': ['{"cwd": "/"}', 'names no session_id'],
    'a session that is no text': ['{"session_id": {"a": 1}}', 'names no session_id'],
    'bytes that are no text': [new Uint8Array([0xff, 0xfe, 0x00]), 'standard input is not JSON'],
  };
  for (const [what, [stdin, why]] of Object.entries(bad)) {
    test(`${what}: the log says so`, async () => {
      const folder = await place();
      for (const name of ['SessionStart', 'PostToolUse', 'Stop'])
        expect(await tell(['claude-code', name], {}, { folder, stdin })).toMatchObject(quiet);
      expect(logOf(folder).split('\n')).toHaveLength(4);
      expect(logOf(folder)).toContain(`claude-code SessionStart: `);
      expect(logOf(folder)).toContain(why);
    });
  }

  test('100 MB are read to their end and not kept', async () => {
    const folder = await place();
    const stdin = Buffer.alloc(100 * 1024 * 1024, 'x');
    expect(await tell(['codex', 'PostToolUse'], {}, { folder, stdin })).toMatchObject(quiet);
    expect(logOf(folder)).toContain('standard input is longer than');
  });

  test('an input that never ends is left when the budget is spent', async () => {
    const folder = await place();
    const env = { STAFFETTA_HOOK_MS: '300' };
    expect(await tell(['codex', 'Stop'], {}, { folder, stdin: null, env })).toMatchObject({
      status: 0,
      stdout: '',
    });
    expect(logOf(folder)).toContain('codex Stop: stopped after 300 ms, its budget');
  });

  test.each([[['claude-code']], [['claude-code', 'Stop', 'more']], [['claude-code', 'Stop', '--nope']]])(
    'a call that is no event ends well and is in the log: %j',
    async (words) => {
      const folder = await place();
      const ran = await staffetta(['hook', ...words], { cwd: folder, stdin: '{}' });
      expect(ran).toMatchObject(quiet);
      expect(logOf(folder)).toContain('hook: ');
    },
  );

  test('an unknown event or program is named', async () => {
    const folder = await place();
    expect(await tell(['claude-code', 'NoSuch'], event, { folder })).toMatchObject(quiet);
    expect(await tell(['nobody', 'Stop'], event, { folder })).toMatchObject(quiet);
    expect(logOf(folder)).toMatch(/NoSuch: there is no such event.*\n.*nobody Stop: there is no such event/);
  });

  test('names that would lead elsewhere lead nowhere', async () => {
    const folder = await place();
    const hostile = {
      session_id: '../../../evil',
      cwd: folder,
      transcript_path: '/dev/zero',
      source: 'startup',
    };
    const started = await tell(['claude-code', 'SessionStart'], hostile, { folder });
    expect(started.status).toBe(0);
    expect(started.context).toContain('A goal that waits');
    expect(existsSync(join(folder, '..', 'evil.json'))).toBe(false);
    expect(
      await tell(['claude-code', 'PostToolUse'], { ...hostile, tool_name: 'Edit' }, { folder }),
    ).toMatchObject(quiet);
  });

  test.each([
    ['that are switched off', { STAFFETTA_HOOKS: 'off' }],
    ['that Copilot CLI found in the settings of another program', { COPILOT_PROJECT_DIR: '/w' }],
  ])('hooks %s do nothing', async (_which, env) => {
    const folder = await place();
    expect(await tell(['claude-code', 'SessionStart'], event, { folder, env })).toMatchObject(quiet);
    expect(existsSync(join(folder, '.staffetta', 'hooks'))).toBe(false);
  });
});

describe.concurrent('a store that cannot be used', () => {
  test('is not waited for: the hook is over while another process still has it', async () => {
    const folder = await place();
    const other = new DatabaseSync(join(folder, '.staffetta', 'store.db'));
    other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    try {
      const env = { STAFFETTA_HOOK_MS: '2500' };
      const ran = await tell(['claude-code', 'SessionStart'], event, { folder, env });
      expect(ran).toMatchObject({ status: 0, stderr: '' });
    } finally {
      other.close();
    }
    expect(logOf(folder)).toMatch(/claude-code SessionStart: .*(busy|locked|another|budget)/i);
  });

  test('while a task is taken keeps nobody from hearing of it when the session is over', async () => {
    const folder = await place();
    const at = { ...event, session_id: '11111111-2222-3333-4444-555555555555' };
    await tell(['claude-code', 'SessionStart'], at, { folder });
    const listed = (await staffetta(['ls', '--json'], { cwd: folder })).json['tasks'] as Json[];
    const task = String(listed[0]?.['task']);
    await asAgent(folder, at.session_id, 'take', task);
    const other = new DatabaseSync(join(folder, '.staffetta', 'store.db'));
    other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    try {
      const used = { ...at, tool_name: 'mcp__staffetta__take', tool_input: { task } };
      const env = { STAFFETTA_HOOK_MS: '2500' };
      expect(await tell(['claude-code', 'PostToolUse'], used, { folder, env })).toMatchObject({ status: 0 });
    } finally {
      other.close();
    }
    await tell(['claude-code', 'SessionEnd'], at, { folder });
    const shown = await until(async () => {
      const { json } = await staffetta(['show', task, '--json'], { cwd: folder });
      return json['status'] === 'offered' ? json : undefined;
    });
    expect(shown).toMatchObject({ leg: null, offer: { to: 'anyone' } });
  });

  test('is damaged, which is told in the log', async () => {
    const folder = await place();
    writeFileSync(join(folder, '.staffetta', 'store.db'), 'no database at all'.repeat(1000));
    expect(await tell(['claude-code', 'SessionStart'], event, { folder })).toMatchObject(quiet);
    expect(logOf(folder)).not.toBe('');
  });
});

function git(folder: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync('git', ['-C', folder, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

describe.concurrent('a store that is not this folder’s and this user’s own', () => {
  test('came with a repository: nothing of it is said, the log of the user and the doctor say why', async () => {
    const origin = await place();
    git(origin, 'add', '-f', '.staffetta/store.db');
    git(origin, '-c', 'user.name=Eve', '-c', 'user.email=eve@example.com', 'commit', '-qm', 'Add.');
    const folder = join(newFolder(), 'clone');
    git(origin, 'clone', '-q', origin, folder);
    const temporary = newFolder();
    const env = { TMPDIR: temporary };
    for (const name of ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'SessionEnd'])
      expect(await tell(['claude-code', name], event, { folder, env })).toMatchObject(quiet);
    expect(existsSync(join(folder, '.staffetta', 'hooks'))).toBe(false);
    const log = join(temporary, `staffetta-hook-${process.getuid?.() ?? 0}.log`);
    expect(readFileSync(log, 'utf8')).toContain('it came with the repository');
    const { json } = await staffetta(['doctor', '--dry-run', '--json'], { cwd: folder });
    expect(json['findings']).toContainEqual(
      expect.objectContaining({ check: 'permissions', status: 'wrong' }),
    );
  });

  test('is that of another folder outside git: work of one is not told in another', async () => {
    const [home, one, other] = [newFolder(), newFolder(), newFolder()];
    const env = { HOME: home };
    await staffetta(['open', 'A secret plan of one folder', '--as', 'ada'], { cwd: one, env });
    expect(await tell(['claude-code', 'SessionStart'], event, { folder: other, env })).toMatchObject(quiet);
    const { context } = await tell(['claude-code', 'SessionStart'], event, { folder: one, env });
    expect(context).toContain('A secret plan of one folder');
  });
});

describe('the log', () => {
  test('is for the user alone, and is kept short', async () => {
    const folder = await place();
    const path = join(folder, '.staffetta', 'hook.log');
    await tell(['claude-code', 'Stop'], {}, { folder, stdin: 'x' });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    writeFileSync(path, 'old\n'.repeat(100_000));
    await tell(['claude-code', 'Stop'], {}, { folder, stdin: 'x' });
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(2);
    expect(readFileSync(`${path}.1`, 'utf8')).toContain('old');
  });
});

const disks: string[] = [];
afterAll(() => {
  for (const disk of disks) {
    spawnSync('umount', ['-l', disk]);
    rmSync(disk, { recursive: true, force: true });
  }
});

function smallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'staffetta-hook-full-'));
  disks.push(folder);
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]);
  return status === 0 ? folder : undefined;
}

const disk = smallDisk();
if (disk === undefined)
  notProven(
    'that a full disk disturbs no host',
    'a small file system cannot be mounted here (that takes root)',
  );

describe.skipIf(disk === undefined)('a disk that is full', () => {
  test('disturbs nobody, and the log is where there is room', async () => {
    const folder = join(disk ?? '', 'work');
    const temporary = newWorkplace();
    bareBones(folder);
    const store = join(folder, '.staffetta', 'store.db');
    await staffetta(['open', 'A goal that waits', '--as', 'ada', '--store', store], { cwd: folder });
    for (const bytes of [1024 * 1024, 4096, 1]) {
      try {
        writeFileSync(join(folder, `ballast-${bytes}`), Buffer.alloc(bytes));
      } catch {
        // As full as it gets.
      }
    }
    const env = { TMPDIR: temporary };
    for (const name of ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'Stop', 'SessionEnd'])
      expect(await tell(['claude-code', name], event, { folder, env })).toMatchObject({
        status: 0,
        stderr: '',
      });
    const log = join(temporary, `staffetta-hook-${process.getuid?.() ?? 0}.log`);
    expect(readFileSync(log, 'utf8')).toMatch(/claude-code SessionStart: .*(ENOSPC|full|space)/i);
  });
});
