import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SessionCard, SessionQuery } from '../../ports/runtime.ts';
import { sessions } from './sessions.ts';

const fixtures = join(import.meta.dirname, '../../../test/runtimes/fixtures/codex');
let root: string;
let home: string;
let proc: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'staffetta-codex-'));
  home = join(root, 'home');
  proc = join(root, 'proc');
  mkdirSync(join(home, 'sessions/2026/11/15'), { recursive: true });
  mkdirSync(join(home, 'thread-writer-locks'));
  mkdirSync(proc);
  writeFileSync(join(proc, 'locks'), '');
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const all = (query?: SessionQuery): SessionCard[] => [...sessions(home, query, { proc })];
const only = (): SessionCard => all()[0] as SessionCard;

/** Lays a fixture into the home, so many seconds after 1970. */
function lay(name: string, seconds: number, place = 0): string {
  const file = readdirSync(join(fixtures, name)).sort()[place] ?? '';
  const path = join(home, 'sessions/2026/11/15', file);
  copyFileSync(join(fixtures, name, file), path);
  utimesSync(path, seconds, seconds);
  return path;
}

const lockOf = (path: string): string =>
  join(
    home,
    'thread-writer-locks',
    `${basename(path).slice('rollout-2026-11-15T18-23-22-'.length, -'.jsonl'.length)}.lock`,
  );

const named = (thread_name: string): string =>
  JSON.stringify({ id: '01a1e073-1cec-7282-b3a4-ad96111843ac', thread_name });

const locked = (path: string, pid: number, device?: string): void => {
  const { ino, dev } = statSync(path);
  // Twelve bits of the major number lie between the eight low and the other bits of the minor one.
  const numbers = [Math.floor(dev / 256) % 4096, (dev % 256) + Math.floor(dev / 2 ** 20) * 256];
  const name = device ?? numbers.map((part) => part.toString(16).padStart(2, '0')).join(':');
  writeFileSync(
    join(proc, 'locks'),
    `1: POSIX  ADVISORY  READ 7 ${name}:${ino} 0 EOF\n2: FLOCK  ADVISORY  WRITE ${pid} ${name}:${ino} 0 EOF\n`,
  );
};

const prompt = (text: string): string =>
  JSON.stringify({
    timestamp: 'T',
    type: 'response_item',
    payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
  });

describe('the list', () => {
  test('has the newest first, and no more than asked for', () => {
    lay('basic', 100);
    lay('crash-mid-tool', 300);
    lay('compaction', 200);
    expect(all().map(({ updatedAt }) => updatedAt)).toEqual([300_000, 200_000, 100_000]);
    expect(all({ limit: 2 })).toHaveLength(2);
    expect(all({ limit: 0 })).toEqual([]);
  });

  test('says of a session what its first and last lines tell', () => {
    const path = lay('after-resume', 100);
    expect(only()).toEqual({
      runtime: 'codex',
      id: '01a1e073-1cec-7282-b3a4-ad96111843ac',
      path,
      folder: '/home/dev/demo',
      startedAt: Date.parse('2026-11-15T18:23:22.875Z'),
      updatedAt: 100_000,
      bytes: statSync(path).size,
      lastPrompt: 'Second turn [[say resumed ok]]',
      title: null,
      version: '0.166.0',
      liveness: 'ended',
      pid: null,
      parent: null,
      pointerOnly: null,
    });
  });

  test('names the session that started another', () => {
    lay('subagent', 100, 1);
    expect(only()).toMatchObject({
      parent: '01a1e084-d526-76d2-9d59-31666258c5e2',
      lastPrompt: 'please do the default thing',
    });
  });

  test('holds what is archived, and names that were given', () => {
    const path = lay('basic', 100);
    mkdirSync(join(home, 'archived_sessions'));
    copyFileSync(path, join(home, 'archived_sessions', basename(path)));
    rmSync(path);
    writeFileSync(join(home, 'session_index.jsonl'), `${named('old')}\n{torn\n${named('new')}\n`);
    expect(only().title).toBe('new');
  });

  test('of a folder holds its sessions, also when it is named through a link', () => {
    const work = join(root, 'work');
    mkdirSync(work);
    symlinkSync(work, join(root, 'link'));
    const head = {
      timestamp: '2026-11-15T18:23:22.875Z',
      type: 'session_meta',
      payload: { id: 'x', cwd: work },
    };
    lay('basic', 100);
    writeFileSync(lay('crash-mid-tool', 100), `${JSON.stringify(head)}\n`);
    expect(all({ folder: work }).map(({ folder }) => folder)).toEqual([work]);
    expect(all({ folder: join(root, 'link') })).toHaveLength(1);
    expect(all({ folder: '/home/dev/demo/' })).toHaveLength(1);
    expect(all({ folder: '/home/dev' })).toEqual([]);
  });

  test('of a home without sessions is empty', () => {
    expect([...sessions(join(root, 'nowhere'), {}, { proc })]).toEqual([]);
  });
});

describe('what cannot be understood', () => {
  test.each([
    ['an empty file', '', 'empty'],
    ['a first line that is no JSON', 'hello\n', 'begin'],
    ['another first record', '{"type":"event_msg","payload":{}}\n', 'begin'],
    [
      'a first line without an end',
      `{"type":"session_meta","payload":{"cwd":"${'x'.repeat(20_000)}`,
      'begin',
    ],
  ])('%s is named with the reason, also for a folder', (_, content, reason) => {
    writeFileSync(lay('basic', 100), content);
    expect(only()).toMatchObject({ id: '01a1e073-1cec-7282-b3a4-ad96111843ac', folder: null });
    expect(only().pointerOnly).toContain(reason);
    expect(all({ folder: '/anywhere' })).toHaveLength(1);
  });

  test('a folder in place of a file, and a compressed session, are named', () => {
    const path = lay('basic', 100);
    rmSync(path);
    mkdirSync(path);
    expect(only().pointerOnly).toBe('it is no file');
    rmSync(path, { recursive: true });
    writeFileSync(`${path}.zst`, 'x');
    expect(only().pointerOnly).toContain('compressed');
  });

  test('other files, and links that lead in circles, are passed over', () => {
    lay('basic', 100);
    writeFileSync(join(home, 'sessions/notes.jsonl'), 'x');
    symlinkSync(join(home, 'sessions'), join(home, 'sessions/2026/loop'));
    expect(all()).toHaveLength(1);
  });
});

describe('liveness', () => {
  /** As the kernel writes it. */

  test('a lock that is held is a live session with its process', () => {
    const lock = lockOf(lay('basic', 100));
    writeFileSync(lock, '');
    locked(lock, 4711, 'zz:zz');
    expect(only().liveness).toBe('dead');
    // Another device is believed if the process has the file open.
    mkdirSync(join(proc, '4711/fd'), { recursive: true });
    symlinkSync(lock, join(proc, '4711/fd/3'));
    locked(lock, 4711, 'ff:ff');
    expect(only()).toMatchObject({ liveness: 'alive', pid: 4711 });
  });

  test('a lock that the daemon of Codex holds is a live session only in the middle of a turn', () => {
    mkdirSync(join(home, 'app-server-daemon'));
    writeFileSync(join(home, 'app-server-daemon', 'daemon.pid'), '{"pid":4711,"processIdentity":{}}');
    for (const [name, expected] of [
      ['basic', { liveness: 'ended', pid: null }],
      ['crash-mid-tool', { liveness: 'alive', pid: 4711 }],
    ] as const) {
      const path = lay(name, 100);
      const lock = lockOf(path);
      writeFileSync(lock, '');
      locked(lock, 4711);
      expect(only()).toMatchObject(expected);
      locked(lock, 4712);
      expect(only()).toMatchObject({ liveness: 'alive', pid: 4712 });
      rmSync(path);
    }
  });

  test('a lock that nobody holds was left by a process that was killed', () => {
    writeFileSync(lockOf(lay('basic', 100)), '');
    expect(only()).toMatchObject({ liveness: 'dead', pid: null });
  });

  test('where the system shows no locks nothing is known', () => {
    writeFileSync(lockOf(lay('basic', 100)), '');
    rmSync(join(proc, 'locks'));
    expect(only().liveness).toBe('unknown');
  });

  test.each([
    ['basic', 'ended'],
    ['crash-mid-tool', 'dead'],
    ['minimal', 'unknown'],
    ['rate-limited', 'ended'],
  ])('without a lock the last turn of %s tells that it is %s', (name, liveness) => {
    lay(name, 100);
    expect(only().liveness).toBe(liveness);
  });

  test('the device that the kernel names is the one of the file', () => {
    const lock = lockOf(lay('basic', 100));
    writeFileSync(lock, '');
    locked(lock, 12);
    expect(only()).toMatchObject({ liveness: 'alive', pid: 12 });
  });
});

describe('the last prompt', () => {
  const head = JSON.stringify({
    timestamp: '2026-11-15T18:23:22.875Z',
    type: 'session_meta',
    payload: { id: 'x', cwd: '/' },
  });

  test('is one line and shortened, and injected context is none', () => {
    const lines = [head, prompt(`do\n ${'ab '.repeat(200)}`), prompt('<environment_context>x')];
    writeFileSync(lay('basic', 100), `${lines.join('\n')}\n`);
    expect(only().lastPrompt).toMatch(/^do ab .*…$/);
    expect(Array.from(only().lastPrompt ?? '')).toHaveLength(160);
  });

  test('is not known where it lies too far back', () => {
    writeFileSync(
      lay('basic', 100),
      `${head}\n${prompt('far')}\n${`{"x":"${'y'.repeat(1000)}"}\n`.repeat(40)}`,
    );
    expect(only()).toMatchObject({ lastPrompt: null, liveness: 'dead' });
  });
});
