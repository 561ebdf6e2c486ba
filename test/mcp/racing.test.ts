/** Several servers at one store, and one that dies in the middle of a call. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { home, launcher, newWorkplace, node, staffetta } from '../cli/command.ts';
import { Agent, contract, words } from './client.ts';

test('of two agents that take one task through two servers, one gets it, every time', async () => {
  const ada = await Agent.start('ada');
  const bea = await Agent.start('bea', { folder: ada.folder });
  const cyd = await Agent.start('cyd', { folder: ada.folder });
  for (let round = 0; round < 10; round += 1) {
    const { data } = await ada.done('open', { ...contract, to: 'anyone' });
    const { task } = data;
    const tries = await Promise.all([bea.call('take', { task }), cyd.call('take', { task })]);
    const winners = tries.filter(({ error }) => error === undefined);
    const loser = tries.find(({ error }) => error !== undefined);
    expect(winners).toHaveLength(1);
    expect(loser?.error).toMatchObject({ code: 'held' });
    expect(loser?.error?.message).toMatch(/held by (?:bea|cyd)/);
  }
});

test('calls that one host makes at once are all answered, and all on record', async () => {
  const ada = await Agent.start('ada');
  const { data } = await ada.done('open', contract);
  const notes = Array.from({ length: 40 }, async (_, i) => await ada.done('note', { text: `note ${i}` }));
  const entries = (await Promise.all(notes)).map((said) => Number(said.data['entry']));
  expect(entries.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
  expect((await staffetta(['verify', String(data['task'])], { cwd: ada.folder })).status).toBe(0);
});

test('a server that is killed in the middle of a call leaves a sound store, and the next one goes on with the key', async () => {
  const folder = newWorkplace();
  const ada = await Agent.start('ada', { folder });
  const { data } = await ada.done('open', contract);
  const { task } = data;
  // Enough to capture that the kill comes while the call is under way.
  for (let i = 0; i < 200; i += 1) writeFileSync(join(folder, `post-${i}.txt`), `post ${i}\n`.repeat(2000));
  const args = { ...words, task, idempotencyKey: 'seal-1' };
  for (let round = 0; round < 3; round += 1) {
    const doomed = await Agent.start('ada', { folder });
    const call = doomed.call('seal', args);
    // The server has the call once it answers one that came after.
    await doomed.client.ping();
    process.kill(doomed.pid, 'SIGKILL');
    await expect(call).rejects.toThrow('closed');
  }
  expect((await staffetta(['verify'], { cwd: folder })).status).toBe(0);
  const next = await Agent.start('ada', { folder });
  const sealed = await next.done('seal', args);
  const again = await next.done('seal', args);
  expect(again.data).toMatchObject({
    repeated: true,
    packet: sealed.data['packet'],
    entry: sealed.data['entry'],
  });
  expect(sealed.data['entry']).toBe(1);
  await next.done('note', { task, text: 'going on' });
});

test('a server ends when its host closes the connection, with everything answered', async () => {
  const folder = newWorkplace();
  const child = spawn(node, [launcher, 'mcp'], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: home, STAFFETTA_AS: 'ada' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end();
  const [status, signal] = (await once(child, 'close')) as [number | null, string | null];
  expect({ status, signal }).toEqual({ status: 0, signal: null });
});
