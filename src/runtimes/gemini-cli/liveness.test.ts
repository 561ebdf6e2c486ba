import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { livesOf, signsOf, type TouchedFile } from './liveness.ts';
import { sessionsOf } from './sessions.ts';

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'staffetta-gemini-life-')));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const at = (path: string, changedAt: number, folder = '/home/ada/a'): TouchedFile => ({
  path,
  folder,
  changedAt,
});
const here = (pid: number, startedAt = 0, folder = '/home/ada/a') => ({ pid, folder, startedAt });

/** As `livesOf` says it of sessions, the newest first, of which all are known. */
function said(sessions: readonly TouchedFile[], ...signs: Parameters<typeof livesOf>[2][]): string[] {
  const [sign = { processes: null, shells: [] }] = signs;
  const lives = livesOf(sessions, () => sessions, sign);
  return sessions.map(({ path }) => {
    const life = lives.get(path);
    return life === undefined ? 'unknown' : `${life.liveness}${life.pid === null ? '' : ` ${life.pid}`}`;
  });
}

describe('what is said of a session', () => {
  test('a process in its folder that was there at its last change holds it', () => {
    expect(said([at('s', 50_000)], { processes: [here(7)], shells: [] })).toEqual(['alive 7']);
    expect(said([at('s', 50_000)], { processes: [here(7, 90_000)], shells: [] })).toEqual(['unknown']);
    expect(said([at('s', 50_000)], { processes: [here(7, 0, '/home/ada/b')], shells: [] })).toEqual([
      'unknown',
    ]);
  });

  test('one process holds one session, the newest', () => {
    const sessions = [at('new', 60_000), at('old', 50_000)];
    expect(said(sessions, { processes: [here(7)], shells: [] })).toEqual(['alive 7', 'unknown']);
    expect(said(sessions, { processes: [here(7), here(8)], shells: [] })).toEqual(['alive 7', 'alive 8']);
  });

  test('a command that nobody saw end, and no process: it was killed in the middle of it', () => {
    expect(said([at('s', 50_000)], { processes: [], shells: [50_200] })).toEqual(['dead']);
    expect(said([at('s', 50_000)], { processes: [here(7, 0, '/home/ada/b')], shells: [50_200] })).toEqual([
      'dead',
    ]);
  });

  test('a command that goes on says nothing of death', () => {
    expect(said([at('s', 50_000)], { processes: [here(7)], shells: [50_200] })).toEqual(['alive 7']);
    const hidden = { pid: 7, folder: null, startedAt: 0 };
    expect(said([at('s', 50_000)], { processes: [hidden], shells: [50_200] })).toEqual(['unknown']);
  });

  test('a command belongs to the session that changed last before it, and shortly before', () => {
    const sessions = [at('after', 60_000), at('its', 50_000, '/home/ada/b'), at('before', 45_000)];
    expect(said(sessions, { processes: [], shells: [50_200] })).toEqual(['unknown', 'dead', 'unknown']);
    expect(said([at('s', 50_000)], { processes: [], shells: [150_000] })).toEqual(['unknown']);
  });

  test('where the system does not tell of processes, nothing is said', () => {
    expect(said([at('s', 50_000)], { processes: null, shells: [50_200] })).toEqual(['unknown']);
  });
});

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** A process as the kernel tells of it. */
function process(pid: number, parent: number, ...args: string[]): void {
  put(`proc/${pid}/cmdline`, `${args.join('\0')}\0`);
  put(`proc/${pid}/stat`, `${pid} (node) S ${parent} ${'0 '.repeat(17)}500 0`);
  symlinkSync('/home/ada/a', join(root, `proc/${pid}/cwd`));
}

describe('what the system tells', () => {
  test('the program is known by its arguments, and started by itself it counts once', () => {
    put('proc/stat', 'cpu 1\nbtime 1000\n');
    process(10, 1, '/usr/bin/node', '--no-warnings', '/usr/local/bin/gemini', '-p', 'x');
    process(11, 10, '/usr/bin/node', '--max-old-space-size=1', '/usr/local/bin/gemini', '-p', 'x');
    process(12, 1, '/usr/bin/vim', '/notes/gemini');
    process(13, 1, '/usr/bin/node', '/srv/app.js', 'gemini');
    expect(signsOf({ TMPDIR: root }, join(root, 'proc'))).toEqual({
      processes: [{ pid: 10, folder: '/home/ada/a', startedAt: 1_005_000 }],
      shells: [],
    });
    expect(signsOf({ TMPDIR: root }, join(root, 'none')).processes).toBeNull();
  });

  test('a folder that a command left is a sign, and others are none', () => {
    for (const name of ['gemini-shell-aB3dE6', 'gemini-shell-', 'gemini-cli-seccomp-aB3dE6'])
      mkdirSync(join(root, 'tmp', name), { recursive: true });
    const { birthtimeMs } = statSync(join(root, 'tmp/gemini-shell-aB3dE6'));
    expect(signsOf({ TMPDIR: join(root, 'tmp') }).shells).toEqual([birthtimeMs]);
  });

  test('a listed session whose command was never seen to end is dead', async () => {
    const session = '{"sessionId":"aaaaaaaa-1","projectHash":"h","startTime":"2026-11-15T18:00:00Z"}';
    const prompt = '{"id":"1","type":"user","content":[{"text":"Measure it."}]}';
    const answer = '{"id":"2","type":"gemini","content":"I measure it."}';
    const path = '.gemini/tmp/demo/chats/session-2026-11-15T18-00-aaaaaaaa.jsonl';
    put('.gemini/tmp/demo/.project_root', '/home/ada/a');
    put(path, `${[session, prompt, answer].join('\n')}\n`);
    utimesSync(join(root, path), 2000, 2000);
    const signs = { processes: [], shells: [2_000_150] };
    for await (const card of sessionsOf(join(root, '.gemini'), { folder: '/home/ada/a' }, signs))
      expect(card).toMatchObject({ id: 'aaaaaaaa-1', liveness: 'dead', pid: null });
    expect.assertions(1);
  });
});
