import { spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fixture, folder, lines, put, user } from '../../../test/runtimes/fixtures/claude-code/load.ts';
import type { SessionCard, SessionQuery } from '../../ports/runtime.ts';
import { projectName } from './locate.ts';
import { sessions, startedBy } from './sessions.ts';

async function cards(home: string, query?: SessionQuery): Promise<SessionCard[]> {
  const found: SessionCard[] = [];
  for await (const card of sessions(home, query)) found.push(card);
  return found;
}

function session(home: string, at: string, id: string, bytes: string, seconds = 1000): string {
  const path = join(home, 'projects', projectName(at), `${id}.jsonl`);
  put(path, bytes);
  utimesSync(path, seconds, seconds);
  return path;
}

const prompt = (words: string, cwd: string): string => lines(user('u', null, words, { cwd }));

function held(home: string, pid: number, more: object = {}): void {
  put(join(home, 'sessions', `${pid}.json`), JSON.stringify({ pid, sessionId: 'one', ...more }));
}

describe('listing', () => {
  test('gives what the ends of a file tell', async () => {
    const home = folder();
    const path = join(home, 'projects', '-home-dev-demo', '246b28e2-f5d7-4c6f-9cee-22ae9ee57704.jsonl');
    put(path, readFileSync(fixture('after-resume.jsonl').path));
    utimesSync(path, 5, 5);
    expect(await cards(home, { folder: '/home/dev/demo/' })).toEqual([
      {
        runtime: 'claude-code',
        id: '246b28e2-f5d7-4c6f-9cee-22ae9ee57704',
        path,
        folder: '/home/dev/demo',
        startedAt: Date.parse('2026-11-15T18:22:48.905Z'),
        updatedAt: 5000,
        bytes: statSync(path).size,
        lastPrompt: 'Second turn [[say resumed ok]]',
        title: null,
        version: '2.1.325',
        liveness: 'ended',
        pid: null,
        parent: null,
        pointerOnly: null,
      },
    ]);
  });

  test('is newest first, over all projects, and no longer than asked', async () => {
    const home = folder();
    session(home, '/a', 'old', prompt('x', '/a'), 10);
    session(home, '/b', 'new', prompt('x', '/b'), 30);
    session(home, '/a', 'mid', prompt('x', '/a'), 20);
    expect((await cards(home)).map(({ id }) => id)).toEqual(['new', 'mid', 'old']);
    expect((await cards(home, { limit: 2 })).map(({ id }) => id)).toEqual(['new', 'mid']);
    expect(await cards(home, { limit: 0 })).toEqual([]);
  });

  test('of a folder names those that began where it was before it was moved', async () => {
    const home = folder();
    const here = folder();
    const [stays, gone] = [folder(), join(folder(), 'gone')];
    session(home, gone, 'moved', prompt('x', gone) + prompt('y', here));
    session(home, gone, 'elsewhere', prompt('x', gone));
    session(home, stays, 'visitor', prompt('x', stays) + prompt('y', here));
    expect((await cards(home, { folder: here })).map(({ id }) => id)).toEqual(['moved']);
  });

  test('tells folders apart that have the same name as a project', async () => {
    const home = folder();
    session(home, '/a/b', 'slash', prompt('x', '/a/b'), 20);
    session(home, '/a-b', 'dash', prompt('x', '/a-b'), 10);
    session(home, '/a/b', 'silent', lines({ type: 'mode' }), 5);
    session(home, '/a/b', 'moved', prompt('x', '/elsewhere'), 4);
    expect((await cards(home, { folder: '/a/b' })).map(({ id }) => id)).toEqual(['slash', 'silent', 'moved']);
  });

  test('finds a folder by its real path and by a long one', async () => {
    const home = folder();
    const real = join(home, 'real');
    mkdirSync(real);
    symlinkSync(real, join(home, 'link'));
    session(home, real, 'linked', prompt('x', real));
    const long = `/${'deep/'.repeat(60)}end`;
    const name = `${projectName(long).slice(0, 200)}-1x2y3z`;
    put(join(home, 'projects', name, 'far.jsonl'), prompt('x', long));
    expect((await cards(home, { folder: join(home, 'link') })).map(({ id }) => id)).toEqual(['linked']);
    expect((await cards(home, { folder: long })).map(({ id }) => id)).toEqual(['far']);
  });

  test('names the agents of a session with their parent', async () => {
    const home = folder();
    const path = session(home, '/home/dev/demo', 'main', prompt('x', '/home/dev/demo'), 10);
    const agents = join(path.slice(0, -'.jsonl'.length), 'subagents');
    mkdirSync(agents, { recursive: true });
    copyFileSync(fixture('subagent.jsonl').path, join(agents, 'agent-abc.jsonl'));
    put(join(agents, 'agent-abc.meta.json'), '{}');
    const found = await cards(home, { folder: '/home/dev/demo' });
    expect(found.map(({ id, parent }) => [id, parent])).toEqual([
      ['abc', 'main'],
      ['main', null],
    ]);
  });

  test('names the files of agents that a session started, the earliest first', () => {
    const home = folder();
    const path = session(home, '/home/dev/demo', 'main', prompt('x', '/home/dev/demo'), 10);
    const agents = join(path.slice(0, -'.jsonl'.length), 'subagents');
    put(
      join(agents, 'agent-aa.jsonl'),
      lines(user('a', null, 'second', { timestamp: '2026-11-15T10:00:02Z' })),
    );
    put(
      join(agents, 'agent-bb.jsonl'),
      lines(user('b', null, 'first', { timestamp: '2026-11-15T10:00:01Z' })),
    );
    put(join(agents, 'agent-bb.meta.json'), '{}');
    expect(startedBy({ path }).map(({ id, path: file }) => [id, file])).toEqual([
      ['bb', join(agents, 'agent-bb.jsonl')],
      ['aa', join(agents, 'agent-aa.jsonl')],
    ]);
    expect(startedBy({ path: join(agents, 'agent-aa.jsonl') })).toEqual([]);
  });

  test('takes the newest title, a given one before a made one, and a short line of the last prompt', async () => {
    const home = folder();
    const long = `${'many words '.repeat(2000)}\n`;
    const bytes = lines(
      { type: 'custom-title', customTitle: 'Given' },
      user('u1', null, long, { cwd: '/a' }),
      { type: 'ai-title', aiTitle: 'Made' },
      user('u2', 'u1', `line one\n\tline two ${'x'.repeat(300)}`),
      user('u3', 'u2', 'not a person', { isMeta: true }),
      user('u4', 'u3', [{ type: 'tool_result', tool_use_id: 'c', content: 'x' }]),
    );
    session(home, '/a', 'one', bytes);
    const [card] = await cards(home);
    expect(card?.title).toBe('Given');
    expect(card?.lastPrompt).toMatch(/^line one line two x+…$/);
    expect(card?.lastPrompt).toHaveLength(200);
  });

  test('names what cannot be read with a reason', async () => {
    const home = folder();
    session(home, '/a', 'empty', '', 40);
    session(home, '/a', 'words', 'no records here\n', 30);
    mkdirSync(join(home, 'projects', '-a', 'folder.jsonl'));
    symlinkSync('/nowhere', join(home, 'projects', '-a', 'gone.jsonl'));
    const found = await cards(home);
    expect(Object.fromEntries(found.map(({ id, pointerOnly }) => [id, pointerOnly]))).toEqual({
      empty: 'It is empty.',
      words: 'None of its lines is a record.',
      folder: 'It is not a file.',
    });
  });

  test.runIf(process.getuid?.() !== 0)('names a session that may not be read', async () => {
    const home = folder();
    chmodSync(session(home, '/a', 'closed', prompt('x', '/a')), 0);
    expect((await cards(home))[0]?.pointerOnly).toBe('It cannot be read (EACCES).');
  });

  test('has nothing where there is no data', async () => {
    expect(await cards('/nowhere')).toEqual([]);
  });

  test('changes no time stamp of what it looks at', async () => {
    const home = folder();
    const path = session(home, '/a', 'one', prompt('x', '/a'));
    const before = statSync(path);
    await cards(home);
    const after = statSync(path);
    expect([after.atimeMs, after.mtimeMs, after.ctimeMs]).toEqual([
      before.atimeMs,
      before.mtimeMs,
      before.ctimeMs,
    ]);
    expect(readdirSync(home)).toEqual(['projects']);
  });
});

async function livenessWith(
  arrange: (home: string) => void,
): Promise<[string | undefined, number | null | undefined]> {
  const home = folder();
  session(home, '/a', 'one', prompt('x', '/a'));
  arrange(home);
  const [card] = await cards(home);
  return [card?.liveness, card?.pid];
}
const startOf = (pid: number): string | undefined =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19];

const odd = (home: string): void => {
  held(home, 1, { pid: 'x' });
  put(join(home, 'sessions', '7.json'), 'torn {');
  put(join(home, 'sessions', 'notes.json'), JSON.stringify({ pid: process.pid, sessionId: 'one' }));
  mkdirSync(join(home, 'sessions', '8.json'));
};

describe('liveness', () => {
  test('nothing says anything', async () => {
    expect(await livenessWith(() => undefined)).toEqual(['unknown', null]);
  });

  test('a process that runs holds its session', async () => {
    expect(await livenessWith((home) => held(home, process.pid))).toEqual(['alive', process.pid]);
  });

  test('a process that was killed has left a dead session', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const pid = child.pid ?? 0;
    await new Promise((done) => {
      child.once('exit', done);
      child.kill('SIGKILL');
    });
    expect(await livenessWith((home) => held(home, pid))).toEqual(['dead', pid]);
  });

  test.runIf(process.platform === 'linux')(
    'a process that was killed and not yet asked for its end has left a dead session',
    async () => {
      // The shell becomes a program that never asks how its child ended.
      const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600']);
      const pid = Number(await new Promise((done) => parent.stdout.once('data', done)));
      // As long as it is a shell, it asks.
      while (readFileSync(`/proc/${parent.pid}/comm`, 'utf8').trim() !== 'sleep')
        await new Promise((done) => setImmediate(done));
      process.kill(pid, 'SIGKILL');
      while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')))
        await new Promise((done) => setImmediate(done));
      try {
        expect(await livenessWith((home) => held(home, pid))).toEqual(['dead', pid]);
      } finally {
        parent.kill('SIGKILL');
      }
    },
  );

  test.runIf(process.platform === 'linux')(
    'a number that was given to another process does not hold it',
    async () => {
      const start = startOf(process.pid);
      expect(await livenessWith((home) => held(home, process.pid, { procStart: start }))).toEqual([
        'alive',
        process.pid,
      ]);
      expect(await livenessWith((home) => held(home, process.pid, { procStart: '1' }))).toEqual([
        'dead',
        process.pid,
      ]);
    },
  );

  test.runIf(process.platform === 'linux')(
    'a number of another machine or container says nothing',
    async () => {
      const here = `linux:x:${readlinkSync('/proc/self/ns/pid')}`;
      expect((await livenessWith((home) => held(home, process.pid, { pidDomain: here })))[0]).toBe('alive');
      const there = { pidDomain: 'linux:x:pid:[1]' };
      expect((await livenessWith((home) => held(home, process.pid, there)))[0]).toBe('unknown');
    },
  );

  test('files that make no sense say nothing', async () => {
    expect((await livenessWith(odd))[0]).toBe('unknown');
  });

  test('of several processes the one that lives counts', async () => {
    // Above the highest number that a system gives.
    const gone = Array.from({ length: 20 }, (_, i) => 4_194_400 + i * 7);
    const arrange = (home: string): void => [...gone, process.pid].forEach((pid) => held(home, pid));
    expect(await livenessWith(arrange)).toEqual(['alive', process.pid]);
  });

  test('an agent lives as long as the session that started it', async () => {
    const home = folder();
    const path = session(home, '/a', 'one', prompt('x', '/a'));
    put(join(path.slice(0, -'.jsonl'.length), 'subagents', 'agent-x.jsonl'), prompt('y', '/a'));
    held(home, process.pid);
    expect((await cards(home)).map(({ liveness }) => liveness)).toEqual(['alive', 'alive']);
  });
});
