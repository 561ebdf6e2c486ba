/** What a hook recorded of a session says in whose name its MCP server speaks. */
import { expect, test } from 'vitest';
import { homeAt } from '../support/home-at.ts';
import { startOf } from '../../src/process/process-tree.ts';
import { writeRecord, type SessionRecord } from '../../src/home/session-record.ts';
import { Agent, contract } from './client.ts';

function recordOf(folder: string, session: string): SessionRecord {
  return {
    v: 1,
    runtime: 'gemini-cli',
    session,
    agent: `gemini-cli-${session}`,
    // This process starts the server, as a host does.
    host: { pid: process.pid, started: startOf(process.pid) ?? null },
    folder,
    transcript: null,
    at: Date.now(),
    turn: 'open',
    leg: null,
    changed: false,
    news: false,
    lookedBytes: 0,
    greeted: null,
    ended: false,
  };
}

test.runIf(process.platform === 'linux')(
  'a host whose sessions no call names is known by its process, also when it goes on in another session',
  async () => {
    const agent = await Agent.start('', { client: 'gemini-cli-mcp-client' });
    expect((await agent.done('status')).data['you']).toMatchObject({ name: 'gemini-cli', session: null });
    const first = recordOf(agent.folder, 'first');
    writeRecord(homeAt(agent.store), first);
    const opened = await agent.done('open', contract);
    expect(opened.data).toMatchObject({ holder: 'gemini-cli-first' });
    writeRecord(homeAt(agent.store), { ...first, ended: true });
    writeRecord(homeAt(agent.store), recordOf(agent.folder, 'second'));
    const { data } = await agent.done('status');
    expect(data['you']).toMatchObject({ name: 'gemini-cli-second', session: 'second' });
    const refused = await agent.refused('note', { task: opened.data['task'], text: 'x' });
    expect(refused.code).toBe('not-holder');
  },
);
