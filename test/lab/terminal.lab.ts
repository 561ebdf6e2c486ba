/**
 * Cline takes no words with a session that it goes on with in a terminal: they stand in it before it opens, and it goes on when somebody says
 * so. `script` of util-linux is the terminal here.
 */
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { joinCommand } from '../../src/core/base/command-line.ts';
import { answerOf, proves, sourceOf } from './lab.ts';
import { FakeModel } from './model/fake-model.ts';
import { field, text } from './model/json.ts';
import { difference } from './proof.ts';
import { start } from './running.ts';

const command = join(import.meta.dirname, '../../bin/staffetta.cjs');

/** Its hub would be that of everybody on this machine. */
async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return String(port);
}

test('claude-code → cline in a terminal, when it is told to go on', async (context) => {
  const [from, to] = ['claude-code', 'cline'] as const;
  proves(context, { kind: 'in a terminal', from, to });
  if (process.platform !== 'linux') context.skip('There is no script of util-linux here.');
  const source = await sourceOf(from);
  await using model = await FakeModel.start({ text: 'I go on.' });
  using machine = source.machine.copy(model.origin);
  const env = {
    ...machine.env,
    TERM: 'xterm-256color',
    CLINE_HUB_PORT: await freePort(),
    STAFFETTA_STORE: join(machine.root, 'store.db'),
  };
  const answer = await answerOf(machine, 'handoff', '--from', from, '--to', to, '--next', 'say what is left');
  const how = ['resume', text(field(answer, 'task')), '--in', to, '--history', 'full', '--launch'];
  const line = joinCommand([process.execPath, command, ...how]);
  const child = spawn('script', ['-qfec', line, '/dev/null'], { cwd: machine.work, env, detached: true });
  try {
    let screen = '';
    child.stdout.on('data', (piece) => (screen += String(piece)));
    const shows = async (words: string): Promise<void> => {
      while (!screen.includes(words)) await new Promise((go) => setTimeout(go, 100));
    };
    await shows('Read the file');
    await shows('Ask anything');
    child.stdin.write('go on');
    await shows('go on');
    child.stdin.write('\r');
    await model.asked(1);
  } finally {
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    await start({ program: 'cline', args: ['hub', 'stop'], cwd: machine.work, env }).ended;
  }
  const [, file = ''] = /Read the file (\S+\.md) and go on/.exec(JSON.stringify(model.told[0])) ?? [];
  const words = [{ user: `Read the file ${file} and go on from what it says.` }, { user: 'go on' }];
  expect(file).toContain(text(field(answer, 'task')));
  expect(difference(model.told[0] ?? [], [...source.told, ...words], to)).toBeNull();
});
