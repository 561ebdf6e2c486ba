/** The server as its users start it, and the tokens they make for it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { launcher, staffetta } from './command.ts';
import { asCode, stages, type Stage } from './stage.ts';

interface Up {
  readonly server: ChildProcess;
  readonly url: string;
  readonly link: string;
  readonly words: () => string;
}

async function up(
  { folder }: Stage,
  env: Readonly<Record<string, string>> = {},
  more: readonly string[] = [],
): Promise<Up> {
  const { PATH = '' } = process.env;
  const server = spawn(process.execPath, [launcher, 'up', '--port', '0', '--json', ...more], {
    cwd: folder,
    env: { PATH, HOME: folder, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  server.stderr.on('data', (piece) => (stderr += String(piece)));
  const [first] = (await once(server.stdout, 'data')) as [Buffer];
  const told = JSON.parse(first.toString()) as { url: string; link: string };
  return { server, ...told, words: () => stderr };
}

async function ended(server: ChildProcess, signal: NodeJS.Signals): Promise<unknown> {
  const exit = once(server, 'exit');
  server.kill(signal);
  return (await exit)[0];
}

async function signedIn(link: string): Promise<string> {
  const answer = await fetch(link);
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** What a browser with this cookie is answered. */
async function entry(url: string, cookie: string): Promise<number> {
  return (await fetch(`${url}/api/me`, { headers: { cookie, 'sec-fetch-site': 'same-origin' } })).status;
}

describe('up', () => {
  test('prints a link that signs in once, shows the tasks, and stops on Ctrl-C', async () => {
    const stage = await stages.held();
    const { server, url, link, words } = await up(stage);
    const cookie = await signedIn(link);
    const page = await fetch(url, { headers: { cookie } });
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<div id="app">');
    const list = (await (await fetch(`${url}/api/tasks`, { headers: { cookie } })).json()) as object;
    expect(list).toMatchObject({ tasks: [{ task: stage.task, status: 'held' }] });
    expect((await fetch(link)).status).toBe(403);
    expect((await fetch(url)).status).toBe(401);
    const me = (await (await fetch(`${url}/api/me`, { headers: { cookie } })).json()) as object;
    expect(me).toMatchObject({ actor: { kind: 'human' }, verbs: ['read', 'tell', 'review', 'direct'] });
    const stream = await fetch(`${url}/api/events`, { headers: { cookie } });
    const reader = stream.body?.getReader();
    await reader?.read();
    expect(await ended(server, 'SIGINT')).toBe(0);
    expect(await reader?.read()).toMatchObject({ done: true });
    expect(words()).toBe('');
  });

  test('writes one line of JSON for every answer when asked to, without codes and words', async () => {
    const { server, url, link, words } = await up(await stages.held(), {}, ['--log', 'json']);
    const cookie = await signedIn(link);
    await fetch(`${url}/api/search?q=hidden`, { headers: { cookie } });
    expect(await ended(server, 'SIGINT')).toBe(0);
    const lines = words()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ event, path, status }) => [event, path, status])).toEqual([
      ['started', undefined, undefined],
      ['answered', '/sign-in', 200],
      ['answered', '/api/search', 200],
      ['stopped', undefined, undefined],
    ]);
    expect(words()).not.toContain('hidden');
    expect(words()).not.toContain(new URL(link).searchParams.get('code'));
  });

  test('inside an agent it gives the authority of that agent, never that of a reviewer', async () => {
    const stage = await stages.held();
    const { server, url, link } = await up(stage, { STAFFETTA_AS: 'code' });
    const cookie = await signedIn(link);
    const me = (await (await fetch(`${url}/api/me`, { headers: { cookie } })).json()) as object;
    expect(me).toMatchObject({
      actor: { name: 'code', kind: 'agent' },
      leg: { task: stage.task, generation: 1 },
      verbs: ['read', 'tell'],
    });
    const answer = await fetch(`${url}/api/tasks/${stage.task}/cancel`, {
      method: 'POST',
      headers: { cookie, origin: url, 'content-type': 'application/json' },
      body: JSON.stringify({ why: 'x' }),
    });
    expect(answer.status).toBe(403);
    expect(await ended(server, 'SIGTERM')).toBe(0);
  });

  test('an agent that holds nothing gets nothing from it', async () => {
    const stage = await stages.submitted();
    const options = { cwd: stage.folder, env: { CLAUDECODE: '1' } };
    for (const more of [[], ['--dry-run'], [stage.task]]) {
      const ran = await staffetta(['up', '--no-open', '--port', '0', '--json', ...more], options);
      expect(ran.json).toMatchObject({ error: { code: 'wrong-state' } });
    }
    expect(existsSync(`${stage.store}.tokens`)).toBe(false);
  });

  test('what it gave to an agent is worth nothing once it was killed, and is listed no more', async () => {
    const stage = await stages.held();
    const { server, url, link } = await up(stage, { STAFFETTA_AS: 'code' });
    const own = await signedIn(link);
    const supervised = await up(stage);
    const { port } = new URL(supervised.url);
    const cookie = `staffetta-${port}=${own.split('=')[1] ?? ''}`;
    const listed = async (): Promise<string> =>
      (await staffetta(['token', 'list'], { cwd: stage.folder })).stdout;
    expect([await entry(url, own), await entry(supervised.url, cookie)]).toEqual([200, 401]);
    expect(await listed()).toContain(`all until ${stage.task}/1 ends`);
    await ended(server, 'SIGKILL');
    expect(await entry(supervised.url, cookie)).toBe(401);
    expect(await listed()).toBe('');
    expect(await ended(supervised.server, 'SIGINT')).toBe(0);
  });

  test('a port that is taken is refused by number, and made up for where nobody asked for one', async () => {
    const stage = await stages.held();
    const { server, url } = await up(stage);
    const { port } = new URL(url);
    const ran = await staffetta(['up', '--port', port, '--json'], { cwd: stage.folder });
    expect(ran.status).toBe(1);
    expect(ran.json).toMatchObject({
      error: { code: 'unavailable', hint: 'Choose another: staffetta up --port N' },
    });
    expect((await staffetta(['up', '--port', '70000'], { cwd: stage.folder })).status).toBe(2);
    expect((await staffetta(['up', '--host', '0.0.0.0', '--port', '0'], { cwd: stage.folder })).status).toBe(
      2,
    );
    expect(await ended(server, 'SIGINT')).toBe(0);
  });
});

describe('token', () => {
  test('is made, listed, used and revoked', async () => {
    const stage = await stages.held();
    const inFolder = { cwd: stage.folder };
    const made = await staffetta(['token', 'create', '--may', 'read', '--expires', '1h', '--json'], inFolder);
    const { token, id } = made.json as { token: string; id: string };
    expect(token).toMatch(/^stf_[\w-]{43}$/);
    const listed = await staffetta(['token', 'list', '--json'], inFolder);
    expect(listed.json).toMatchObject({ tokens: [{ id, use: 'bearer', verbs: ['read'] }] });
    expect(listed.stdout).not.toContain(token.slice(4));
    const { server, url } = await up(stage);
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${url}/api/tasks`, { headers })).status).toBe(200);
    expect((await staffetta(['token', 'revoke', id.slice(0, 6)], inFolder)).status).toBe(0);
    expect((await fetch(`${url}/api/tasks`, { headers })).status).toBe(401);
    expect((await staffetta(['token', 'revoke', id], inFolder)).status).toBe(3);
    expect(await ended(server, 'SIGINT')).toBe(0);
  });

  test('of a holder is bound to its leg', async () => {
    const { folder, task } = await stages.held();
    const made = await staffetta(
      ['token', 'create', '--agent', 'code', '--in', 'execute', '--task', task, '--json'],
      {
        cwd: folder,
      },
    );
    expect(made.json).toMatchObject({
      actor: { name: 'code', kind: 'agent' },
      task,
      generation: 1,
      verbs: ['read', 'tell'],
    });
  });

  test('of an agent is for one task, and ends with the leg it has or is given next', async () => {
    const { folder, task } = await stages.held();
    const inFolder = { cwd: folder };
    const own = await staffetta(['token', 'create', ...asCode, '--json'], inFolder);
    expect(own.json).toMatchObject({ actor: { name: 'code' }, task, generation: 1 });
    const other = ['token', 'create', '--agent', 'worker', '--json'];
    expect((await staffetta([...other, '--task', task], inFolder)).json).toMatchObject({
      task,
      generation: 2,
    });
    expect((await staffetta(other, inFolder)).status).toBe(2);
    const listed = async (): Promise<unknown[]> =>
      (await staffetta(['token', 'list', '--json'], inFolder)).json['tokens'] as unknown[];
    expect(await listed()).toHaveLength(2);
    await staffetta(['cancel', task, '--why', 'x'], inFolder);
    expect(await listed()).toEqual([]);
    const idle = await staffetta(['token', 'create', '--as', 'worker', '--task', task, '--json'], inFolder);
    expect(idle.json).toMatchObject({ error: { code: 'wrong-state' } });
  });

  test('is revoked by a person, or by the agent whose own it is', async () => {
    const inFolder = { cwd: (await stages.held()).folder };
    const make = async (...args: readonly string[]): Promise<string> =>
      String((await staffetta(['token', 'create', ...args, '--json'], inFolder)).json['id']);
    const person = await make('--person', 'bob');
    const own = await make(...asCode);
    const refused = await staffetta(['token', 'revoke', person, ...asCode, '--json'], inFolder);
    expect([refused.status, refused.json]).toMatchObject([4, { error: { code: 'denied' } }]);
    expect((await staffetta(['token', 'revoke', own, '--as', 'worker'], inFolder)).status).toBe(4);
    expect((await staffetta(['token', 'revoke', own, ...asCode], inFolder)).status).toBe(0);
    expect((await staffetta(['token', 'revoke', person], inFolder)).status).toBe(0);
  });

  test('that judges or speaks for somebody else is not made by an agent', async () => {
    const { folder, store } = await stages.held();
    for (const args of [
      ['--may', 'review'],
      ['--may', 'direct'],
      ['--person', 'eve'],
      ['--agent', 'quinn'],
      ['--in', 'audit'],
    ]) {
      const ran = await staffetta(['token', 'create', ...args, ...asCode, '--json'], { cwd: folder });
      expect([args, ran.status]).toEqual([args, 4]);
    }
    expect(existsSync(`${store}.tokens`) ? readdirSync(`${store}.tokens`) : []).toEqual([]);
    expect((await staffetta(['token', 'create', ...asCode], { cwd: folder })).status).toBe(0);
  });

  test('carries who spawned its maker, who is never taken for a person', async () => {
    const { folder, task } = await stages.submitted();
    const child = { cwd: folder, env: { STAFFETTA_LINEAGE: 'code' } };
    for (const args of [
      ['--person', 'bob', '--may', 'review,read'],
      ['--agent', 'kid', '--in', 'audit', '--may', 'review'],
      ['--may', 'review'],
    ]) {
      const ran = await staffetta(['token', 'create', ...args, '--task', task, '--json'], child);
      expect([args, ran.status, ran.json]).toMatchObject([args, 4, { error: { code: 'denied' } }]);
    }
    const named = {
      cwd: (await stages.held()).folder,
      env: { STAFFETTA_LINEAGE: 'boss', STAFFETTA_AS: 'code' },
    };
    const own = await staffetta(['token', 'create', '--agent', 'code', '--json'], named);
    expect(own.json).toMatchObject({ actor: { name: 'code', kind: 'agent', lineage: ['boss'] } });
  });

  test('says what it does not understand', async () => {
    const { folder } = await stages.held();
    const refused = [
      ['make'],
      ['create', '--may', 'fly'],
      ['list', '--may', 'read'],
      ['list', 'x'],
      ['revoke'],
    ];
    for (const args of refused) expect((await staffetta(['token', ...args], { cwd: folder })).status).toBe(2);
  });
});
