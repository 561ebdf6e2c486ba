/** Which task a call means that names none: the same for the command and for a tool, with the same environment. */
import { beforeAll, expect, test } from 'vitest';
import { Agent } from '../mcp/client.ts';
import { newWorkplace, staffetta } from './command.ts';

const folder = newWorkplace();
const tasks: Record<string, string> = {};

function as(session: string): Record<string, string> {
  return { STAFFETTA_AS: 'alice', STAFFETTA_SESSION: session };
}

beforeAll(async () => {
  for (const session of ['s1', 's2']) {
    const { json } = await staffetta(['open', session, '--take', '--json'], {
      cwd: folder,
      env: as(session),
    });
    tasks[session] = String(json['task']);
  }
});

test.each(['s1', 's2'])(
  'of two sessions of one name each means its own task, in the command and in a tool: %s',
  async (session) => {
    const ran = await staffetta(['note', 'by the command', '--json'], { cwd: folder, env: as(session) });
    expect(ran.json).toMatchObject({ task: tasks[session] });
    const agent = await Agent.start('', { folder, env: as(session) });
    expect((await agent.done('note', { text: 'by a tool' })).data).toMatchObject({ task: tasks[session] });
  },
);

test('a session that holds none is told so by both, and a name without a session is told of all', async () => {
  const words = 'Which task? alice holds none in this session.';
  const ran = await staffetta(['note', 'x', '--json'], { cwd: folder, env: as('s3') });
  expect(ran.status).toBe(2);
  expect(ran.json).toMatchObject({ error: { message: words } });
  const agent = await Agent.start('', { folder, env: as('s3') });
  expect(await agent.refused('note', { text: 'x' })).toMatchObject({ message: words });
  const { json } = await staffetta(['note', 'x', '--as', 'alice', '--json'], { cwd: folder });
  const { message } = json['error'] as { message: string };
  for (const task of Object.values(tasks)) expect(message).toContain(task);
});

test('who only looks where one task is open means that one, and is asked where there are two', async () => {
  const cwd = newWorkplace();
  const run = async (...args: readonly string[]) => await staffetta(args, { cwd });
  const task = String((await run('open', 'The fence stands', '--json')).json['task']);
  for (const look of ['show', 'log', 'history']) {
    const { status, stdout } = await run(look);
    expect([look, status]).toEqual([look, 0]);
    expect(stdout).toContain('The fence stands');
  }
  expect((await run('diff')).stderr).toContain(`Task ${task} has no packet yet.`);
  expect(await run('cancel', '--why', 'rain')).toMatchObject({ status: 2 });
  await run('open', 'The gate shuts');
  expect(await run('show')).toMatchObject({ status: 2, stderr: expect.stringContaining('Which task?') });
});
