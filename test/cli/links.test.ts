/** Links for a server that runs: who gets one, what it is worth, and where. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { launcher, staffetta, type Ran } from './command.ts';
import { stages, type Stage } from './stage.ts';

const started: ChildProcess[] = [];
afterEach(async () => {
  for (const server of started.splice(0))
    if (server.exitCode === null && server.signalCode === null) await ended(server, 'SIGINT');
});

async function up({ folder }: Stage): Promise<{ readonly server: ChildProcess; readonly url: string }> {
  const { PATH = '' } = process.env;
  const server = spawn(process.execPath, [launcher, 'up', '--port', '0', '--json', '--no-open'], {
    cwd: folder,
    env: { PATH, HOME: folder },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  started.push(server);
  const [first] = (await once(server.stdout, 'data')) as [Buffer];
  return { server, url: (JSON.parse(first.toString()) as { url: string }).url };
}

async function ended(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exit = once(server, 'exit');
  server.kill(signal);
  await exit;
}

async function link({ folder }: Stage, env = {}, ...more: readonly string[]): Promise<Ran> {
  return await staffetta(['up', '--link', '--json', ...more], { cwd: folder, env });
}

async function meAt(given: string): Promise<unknown> {
  const answer = await fetch(given);
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  return await (await fetch(`${new URL(given).origin}/api/me`, { headers: { cookie } })).json();
}

describe('a link for a server that runs', () => {
  test('signs a person in once, and says of a used one how to get another', async () => {
    const stage = await stages.held();
    const { url } = await up(stage);
    const made = await link(stage, {}, stage.task);
    const given = String(made.json['link']);
    expect(given).toContain(`${url}/sign-in?code=`);
    expect(given).toContain(`&to=/tasks/${stage.task}`);
    expect(await meAt(given)).toMatchObject({
      actor: { kind: 'human' },
      verbs: ['read', 'tell', 'review', 'direct'],
    });
    const again = await fetch(given);
    expect(again.status).toBe(403);
    expect(await again.text()).toContain('<code>staffetta up --link</code>');
  });

  test('gives an agent no more than it has, whoever started the server', async () => {
    const stage = await stages.held();
    await up(stage);
    const { json } = await link(stage, { STAFFETTA_AS: 'code' });
    expect(await meAt(String(json['link']))).toMatchObject({
      actor: { kind: 'agent', name: 'code' },
      leg: { task: stage.task, generation: 1 },
      verbs: ['read', 'tell'],
    });
    const none = await link(stage, { STAFFETTA_AS: 'other' });
    expect(none.json).toMatchObject({ error: { code: 'wrong-state' } });
  });

  test('is kept as a hash in files that only their owner can read, until it is used', async () => {
    const stage = await stages.held();
    await up(stage);
    const given = String((await link(stage)).json['link']);
    const folder = `${stage.store}.tokens`;
    const files = readdirSync(folder).map((name) => join(folder, name));
    expect(files.map((file) => file.replace(/^.*\./, '')).toSorted()).toEqual(['link', 'server']);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const code = new URL(given).searchParams.get('code') ?? '';
    for (const file of files) {
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(readFileSync(file, 'utf8')).not.toContain(code);
    }
    await fetch(given);
    expect(readdirSync(folder).filter((name) => name.endsWith('.link'))).toEqual([]);
  });

  test('is worth nothing at another server of the same store', async () => {
    const stage = await stages.held();
    const first = await up(stage);
    const second = await up(stage);
    const port = new URL(first.url).port;
    const given = String((await link(stage, {}, '--port', port)).json['link']);
    expect(given.startsWith(first.url)).toBe(true);
    expect((await fetch(given.replace(first.url, second.url))).status).toBe(403);
    expect((await fetch(given)).status).toBe(200);
  });

  test('is refused where no server runs, also after one was killed', async () => {
    const stage = await stages.held();
    const { server } = await up(stage);
    await ended(server, 'SIGKILL');
    for (const more of [[], ['--port', '1']]) {
      const { status, stderr } = await link(stage, {}, ...more);
      expect([status, stderr]).toEqual([1, expect.stringContaining('No server of this store runs')]);
    }
    const stopped = await up(stage);
    await ended(stopped.server, 'SIGINT');
    expect((await link(stage)).status).toBe(1);
  });

  test('is not mixed with what starts a server', async () => {
    const stage = await stages.held();
    const { status, stderr } = await link(stage, {}, '--host', '127.0.0.1');
    expect([status, stderr]).toEqual([2, expect.stringContaining('--host')]);
  });
});
