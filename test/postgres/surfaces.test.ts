/** Every surface over PostgreSQL, named in each of the ways there are: one repository, one relay, the parts of the product as its users start them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStaffetta } from '../../src/library/staffetta.ts';
import { launcher, newFolder, newWorkplace, node, staffetta, type Json } from '../cli/command.ts';
import { claudePlace, put, sessionText } from '../cli/programs.ts';
import { tell, until } from '../hook/event.ts';
import { Agent, contract } from '../mcp/client.ts';
import { postgresSpace, type TestSpace } from '../support/postgres.ts';
import { sandboxed } from '../support/sandboxed.ts';

let space: TestSpace;
/** Without its password, which goes by the environment as it does in ~/.pgpass. */
let plain = '';
let password = '';
const [folder, home] = [newWorkplace(), newFolder()];
const session = '11111111-2222-3333-4444-555555555555';

beforeAll(async () => {
  space = await postgresSpace();
  const url = new URL(space.url);
  password = decodeURIComponent(url.password);
  url.password = '';
  plain = url.href;
});
afterAll(async () => await space[Symbol.asyncDispose]());

function env(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { ...sandboxed, HOME: home, PATH: process.env['PATH'] ?? '', PGPASSWORD: password, ...more };
}

/** A command in the folder, which names the store. */
async function here(...args: readonly string[]): Promise<Json> {
  const ran = await staffetta([...args, '--json'], { cwd: folder, env: env() });
  expect(ran.status, `${args.join(' ')}: ${ran.stderr}`).toBe(0);
  expect(`${ran.stdout}${ran.stderr}`).not.toContain(password);
  return ran.json;
}

async function statusOf(task: string): Promise<unknown> {
  return (await here('show', task))['status'];
}

test('init names the store in the folder, for everybody who works there, and keeps no password', async () => {
  for (const url of [space.url, `${plain}&password=${encodeURIComponent(password)}`]) {
    const refused = await staffetta(['init', '--yes', '--store', url], { cwd: folder, env: env() });
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(refused.stderr).not.toContain(password);
    expect(existsSync(join(folder, '.staffetta'))).toBe(false);
  }
  const named = await staffetta(['init', '--yes', '--store', plain], { cwd: folder, env: env() });
  expect(named.stderr).not.toContain('No agent is told of it');
  expect(named.stdout).toContain('as the store of this folder');
  const link = join(folder, '.staffetta', 'store.url');
  expect(readFileSync(link, 'utf8')).toBe(`${plain}\n`);
  expect(statSync(link).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(folder, '.staffetta', '.gitignore'), 'utf8')).toBe('*\n');
  // By option, by the environment and by the folder it is the same store.
  await here('open', 'Mend the fence', '--title', 'Fence', '--to', 'agent:nobody');
  const lists = [
    await staffetta(['ls', '--json', '--store', plain], { env: env() }),
    await staffetta(['ls', '--json'], { env: env({ STAFFETTA_STORE: space.url }) }),
    await staffetta(['ls', '--json'], { cwd: folder, env: env() }),
  ];
  for (const { json } of lists) expect(json).toMatchObject({ tasks: [{ title: 'Fence' }] });
});

test('a link that says nothing, or came with the repository, leads to no other store', async () => {
  const other = newWorkplace();
  await staffetta(['init', '--yes', '--store', plain], { cwd: other, env: env() });
  const link = join(other, '.staffetta', 'store.url');
  writeFileSync(link, 'db.example\n');
  const refused = await staffetta(['ls'], { cwd: other, env: env() });
  expect(refused.stderr).toContain('does not hold the address of a store');
  expect(existsSync(join(other, '.staffetta', 'store.db'))).toBe(false);
  writeFileSync(link, `${plain}\n`);
  const add = spawn('git', ['-C', other, 'add', '--force', link], { stdio: 'ignore' });
  await once(add, 'exit');
  const foreign = await staffetta(['ls'], { cwd: other, env: env() });
  expect(foreign.stderr).toContain('git tracks');
  const start = { session_id: session, source: 'startup' };
  await tell(['claude-code', 'SessionStart'], start, { folder: other, env: env({ HOME: other }) });
  expect(existsSync(join(other, '.local', 'share', 'staffetta', 'homes'))).toBe(false);
});

test('MCP, the library, a hook, the server and a crew go on with what the others left', async () => {
  // MCP opens and hands over, the library takes and hands on.
  const agent = await Agent.start('coder', { folder, env: env() });
  const task = String((await agent.done('open', contract)).data['task']);
  await agent.done('note', { task, text: 'The second post is of oak.' });
  expect(await statusOf(task)).toBe('held');
  await agent.close();
  const relay = await openStaffetta({ gate: 'record', store: space.url, as: 'bob' });
  const mine = await relay.begin({ goal: 'Paint it' });
  await mine.handoff({ to: 'runtime:claude-code', claims: { next: 'Take the brush.' } });
  await relay.close();

  // The server shows what the library offered, and a token that it makes is known to a second server, until one of them revokes it.
  const { token, id } = (await here('token', 'create', '--person', 'eve')) as { token: string; id: string };
  const ask = async (url: string): Promise<number> =>
    (await fetch(`${url}/api/tasks`, { headers: { authorization: `Bearer ${token}` } })).status;
  const [one, two] = [await up(home), await up(newFolder())];
  expect([await ask(one.url), await ask(two.url)]).toEqual([200, 200]);
  const page = await fetch(`${one.url}/api/tasks/${mine.task}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await page.json()).toMatchObject({ state: { task: mine.task, status: 'offered' } });
  await here('token', 'revoke', id);
  expect([await ask(one.url), await ask(two.url)]).toEqual([401, 401]);
  for (const { end } of [one, two]) await end();

  // A crew carries a plan to its end; its agents are told the same store.
  const plan = join(home, 'words.yaml');
  const command = JSON.stringify([node, join(import.meta.dirname, '../crew/agent.mjs')]);
  writeFileSync(
    plan,
    `goal: A word\ndefaults: { review: lane:audit }\ntasks:\n  alpha: { goal: alpha.txt is there, paths: [alpha.txt] }\ncrew:\n  agents:\n    code: { lane: execute, command: ${command} }\n    qa: { lane: audit, command: ${command} }\n`,
  );
  const ran = await staffetta(['run', plan], { cwd: folder, env: env() });
  expect(`${ran.stdout}${ran.stderr}`).toContain('The run words is done: 1 task.');

  // A session of a coding agent hears of the offer, takes it, and what it only said is sealed when its turn is over.
  const at = { folder, env: env() };
  const heard = await tell(['claude-code', 'SessionStart'], { session_id: session, source: 'startup' }, at);
  expect(heard.context).toContain(mine.task);
  const inside = env({ CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: session });
  const taken = await staffetta(['take', mine.task, '--json'], { cwd: folder, env: inside });
  expect(taken.json).toMatchObject({ task: mine.task, generation: 2 });
  const transcript = claudePlace(home, folder, session);
  put(transcript, sessionText('basic.jsonl', folder));
  const event = { session_id: session, transcript_path: transcript };
  const used = { ...event, tool_name: 'Bash', tool_input: { command: `staffetta show ${mine.task}` } };
  await tell(['claude-code', 'PostToolUse'], used, at);
  const before = (await here('show', mine.task))['packet'];
  await tell(['claude-code', 'Stop'], event, at);
  await until(async () => {
    const { packet } = (await here('show', mine.task)) as { readonly packet: string | null };
    return packet !== before && packet !== null ? packet : undefined;
  });
  expect(existsSync(join(folder, '.staffetta', 'store.db'))).toBe(false);
  expect((await here('verify'))['faults']).toEqual([]);
});

async function up(at: string): Promise<{ readonly url: string; readonly end: () => Promise<void> }> {
  const server = spawn(node, [launcher, 'up', '--port', '0', '--json', '--no-open'], {
    cwd: folder,
    env: env({ HOME: at }),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [first] = (await once(server.stdout, 'data')) as [Buffer];
  const { url } = JSON.parse(first.toString()) as { readonly url: string };
  return {
    url,
    async end() {
      const exit = once(server, 'exit');
      server.kill('SIGINT');
      await exit;
      rmSync(join(at, '.local'), { recursive: true, force: true });
    },
  };
}
