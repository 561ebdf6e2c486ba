import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sha256Hex } from '../../core/journal/sha256.ts';
import type { SessionCard, SessionQuery } from '../../ports/runtime.ts';
import { runtime as geminiCliRuntime } from './index.ts';

const fixtures = join(import.meta.dirname, '../../../test/runtimes/fixtures/gemini-cli');
let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'staffetta-gemini-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function put(path: string, content: string, seconds = 1000): string {
  const full = join(root, '.gemini', path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, content);
  utimesSync(full, seconds, seconds);
  return full;
}

const header = (id: string) =>
  `${JSON.stringify({ sessionId: id, projectHash: 'h', startTime: '2026-11-15T18:00:00Z' })}\n`;
const said = (text: string) => `${JSON.stringify({ id: text, type: 'user', content: [{ text }] })}\n`;

async function list(query?: SessionQuery): Promise<SessionCard[]> {
  const cards: SessionCard[] = [];
  for await (const card of geminiCliRuntime({ GEMINI_CLI_HOME: root }).sessions(query)) cards.push(card);
  return cards;
}

describe('finding the program', () => {
  test('its home stands for the home of the user', async () => {
    mkdirSync(join(root, '.gemini'));
    const bin = join(root, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'gemini'), '', { mode: 0o755 });
    const env = { HOME: '/nowhere', GEMINI_CLI_HOME: root, PATH: `relative:${bin}` };
    expect(await geminiCliRuntime(env).locate()).toEqual({
      home: join(root, '.gemini'),
      program: join(bin, 'gemini'),
    });
    expect(await geminiCliRuntime({ HOME: root, PATH: '' }).locate()).toEqual({
      home: join(root, '.gemini'),
      program: null,
    });
  });

  test('nothing is found where there is neither data nor a program', async () => {
    expect(await geminiCliRuntime({ HOME: join(root, 'none'), PATH: '' }).locate()).toBeNull();
    expect(await geminiCliRuntime({}).locate()).toBeNull();
    expect(await list()).toEqual([]);
  });
});

describe('listing', () => {
  test('sessions come newest first, with what was said last', async () => {
    put('tmp/demo/.project_root', '/home/dev/demo');
    put('tmp/demo/chats/session-2026-11-15T18-00-aaaaaaaa.jsonl', header('aaaaaaaa-1') + said('old'), 1000);
    put(
      'tmp/demo/chats/session-2026-11-15T19-00-bbbbbbbb.jsonl',
      `${header('bbbbbbbb-1') + said('new') + said('p'.repeat(500))}{"$set":{"summary":"A title"}}\n`,
      2000,
    );
    const cards = await list({ folder: '/home/dev/demo' });
    expect(cards.map(({ id, updatedAt, title }) => [id, updatedAt, title])).toEqual([
      ['bbbbbbbb-1', 2_000_000, 'A title'],
      ['aaaaaaaa-1', 1_000_000, null],
    ]);
    expect(cards[0]?.lastPrompt).toHaveLength(200);
    expect(cards[1]).toMatchObject({
      runtime: 'gemini-cli',
      folder: '/home/dev/demo',
      startedAt: Date.parse('2026-11-15T18:00:00Z'),
      lastPrompt: 'old',
      liveness: 'unknown',
      pid: null,
      parent: null,
      pointerOnly: null,
    });
    expect(await list({ limit: 1 })).toHaveLength(1);
  });

  test('a folder is found by its marker, its registration or its hash; the marker wins', async () => {
    put('projects.json', JSON.stringify({ projects: { '/home/dev/one': 'one', '/home/dev/lost': 'two' } }));
    put('tmp/one/chats/session-1-aaaaaaaa.jsonl', header('one') + said('x'));
    put('tmp/two/.project_root', '/home/dev/two\n');
    put('tmp/two/chats/session-1-bbbbbbbb.jsonl', header('two') + said('x'));
    put(`tmp/${sha256Hex('/home/dev/three')}/chats/session-1-cccccccc.jsonl`, header('three') + said('x'));
    put('tmp/bin/rg', 'a program, not a project');
    for (const name of ['one', 'two', 'three'])
      expect((await list({ folder: `/home/dev/${name}/` })).map(({ id, folder }) => [id, folder])).toEqual([
        [name, `/home/dev/${name}`],
      ]);
    expect(await list({ folder: '/home/dev/lost' })).toEqual([]);
    expect(await list()).toHaveLength(3);
  });

  test('a registry that cannot be read hides no session', async () => {
    put('projects.json', '{"projects":');
    put('tmp/one/chats/session-1-aaaaaaaa.jsonl', header('one') + said('x'));
    expect(await list()).toMatchObject([{ id: 'one', folder: null }]);
  });

  test('the header that a continued session leaves behind is no session of its own', async () => {
    for (const name of ['after-resume', 'compaction']) {
      put(`tmp/${name}/.project_root`, `/home/dev/${name}`);
      cpSync(join(fixtures, name), join(root, '.gemini/tmp', name, 'chats'), { recursive: true });
      const cards = await list({ folder: `/home/dev/${name}` });
      expect(cards).toHaveLength(1);
      expect(cards[0]?.lastPrompt).toMatch(/^Second/);
      expect(cards[0]?.pointerOnly).toBeNull();
    }
  });

  test('such a header alone is named, with the reason', async () => {
    const name = 'session-2026-11-15T18-25-25bdb493.jsonl';
    cpSync(join(fixtures, 'after-resume', name), put(`tmp/demo/chats/${name}`, ''));
    expect(await list()).toMatchObject([
      { id: '25bdb493-c916-4d90-95ce-2fd5cf521f2a', pointerOnly: 'it holds a header and no conversation' },
    ]);
  });

  test('files that share eight digits and nothing else are sessions of their own', async () => {
    put('tmp/demo/chats/session-1-aaaaaaaa.jsonl', header('aaaaaaaa-1'), 2000);
    put('tmp/demo/chats/session-2-aaaaaaaa.jsonl', header('aaaaaaaa-2') + said('x'), 1000);
    expect((await list()).map(({ id }) => id)).toEqual(['aaaaaaaa-1', 'aaaaaaaa-2']);
  });

  test('subagents are listed with the session that started them', async () => {
    cpSync(join(fixtures, 'subagent'), join(root, '.gemini/tmp/demo/chats'), { recursive: true });
    const cards = await list();
    expect(new Map(cards.map(({ id, parent }) => [id.slice(0, 8), parent?.slice(0, 8) ?? null]))).toEqual(
      new Map([
        ['3071b311', null],
        ['aa926c4e', '3071b311'],
      ]),
    );
  });

  test('old documents are listed, unless a resume has copied them', async () => {
    const document = JSON.stringify({ sessionId: 'old', messages: [JSON.parse(said('hi'))] }, null, 1);
    put('tmp/demo/chats/session-1-aaaaaaaa.json', document);
    expect(await list()).toMatchObject([{ id: 'old', lastPrompt: 'hi', pointerOnly: null }]);
    put('tmp/demo/chats/session-1-aaaaaaaa.jsonl', header('old') + said('hi') + said('more'));
    expect(await list()).toMatchObject([{ id: 'old', lastPrompt: 'more' }]);
  });

  test('a session that the program put aside as unreadable is not forgotten', async () => {
    put('tmp/demo/chats/session-1-aaaaaaaa.jsonl', header('aaaaaaaa-1') + said('anew'), 2000);
    put('tmp/demo/chats/session-1-aaaaaaaa.jsonl.unreadable-17', header('aaaaaaaa-1') + said('before'), 1000);
    expect((await list()).map(({ id, lastPrompt }) => [id, lastPrompt])).toEqual([
      ['aaaaaaaa-1', 'anew'],
      ['aaaaaaaa-1', 'before'],
    ]);
  });

  test('what cannot be understood is named with a reason', async () => {
    put('tmp/demo/chats/session-1-aaaaaaaa.jsonl', '', 5000);
    put('tmp/demo/chats/session-2-bbbbbbbb.jsonl', '\u0000\u0000\u0000', 4000);
    mkdirSync(join(root, '.gemini/tmp/demo/chats/session-3-cccccccc.jsonl'));
    const loop = join(root, '.gemini/tmp/demo/chats/session-4-dddddddd.jsonl');
    symlinkSync(loop, loop);
    const cards = await list();
    expect(new Map(cards.map(({ id, pointerOnly }) => [id, pointerOnly]))).toEqual(
      new Map([
        ['1-aaaaaaaa', 'it is empty'],
        ['2-bbbbbbbb', 'its first line is no header of a session'],
        ['3-cccccccc', 'it is no regular file'],
        ['4-dddddddd', expect.stringMatching(/ELOOP/)],
      ]),
    );
  });

  test('a header longer than what is read still gives its id', async () => {
    const long = JSON.stringify({
      sessionId: 'long',
      startTime: '2026-11-15T18:00:00Z',
      firstUserMessage: 'x'.repeat(50_000),
    });
    put('tmp/demo/chats/session-1-aaaaaaaa.jsonl', `${long}\n${said('hi')}`);
    expect(await list()).toMatchObject([
      { id: 'long', startedAt: Date.parse('2026-11-15T18:00:00Z'), lastPrompt: 'hi' },
    ]);
  });

  test('a thousand large sessions are listed from their edges alone', async () => {
    const body = said('x'.repeat(4000)).repeat(10);
    for (let i = 0; i < 1000; i += 1)
      put(
        `tmp/demo/chats/session-${i}-${String(i).padStart(8, '0')}.jsonl`,
        header(`s${i}`) + body + said('last'),
        i + 1,
      );
    const cards = await list();
    expect(cards).toHaveLength(1000);
    expect(cards[0]).toMatchObject({ id: 's999', lastPrompt: 'last' });
  });
});
