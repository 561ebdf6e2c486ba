/** The handler for a mount of HTTP, asked without a server: a request in, a response out. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import type { Actor } from '../../src/core/task/actor.ts';
import { createMcpHandler, type McpHandler } from '../../src/mcp/index.ts';
import { stage } from '../support/world.ts';
import { contract, said, type Said } from './client.ts';

/** Who calls is in the token, which the mount has checked. */
function actorOf(request: Request): Actor {
  return { name: request.headers.get('authorization')?.replace('Bearer ', '') ?? 'nobody', kind: 'agent' };
}

/** Everybody is ada, each in a session of its own. */
function sessionOf(request: Request): Actor {
  return { name: 'ada', kind: 'agent', session: actorOf(request).name };
}

async function clientOf(handler: McpHandler, token: string): Promise<Client> {
  const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> =>
    await handler(new Request(url, init));
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(
    new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), { fetch, requestInit }),
  );
  return client;
}

async function call(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Said> {
  return said(await client.callTool({ name, arguments: args }));
}

describe('the handler', () => {
  test('serves each caller under the name that the mount gives it', async () => {
    const { staffetta } = stage();
    const handler = createMcpHandler({ staffetta, actorOf });
    const ada = await clientOf(handler, 'ada');
    const opened = await call(ada, 'open', contract);
    expect(opened.data).toMatchObject({ holder: 'ada', generation: 1 });
    const { task } = opened.data;
    const bea = await clientOf(handler, 'bea');
    expect((await call(bea, 'note', { task, text: 'x' })).error).toMatchObject({ code: 'not-holder' });
    // Nothing is remembered between requests: the generation is named, or is what it is now.
    expect((await call(ada, 'note', { task, text: 'x', generation: 1 })).error).toBeUndefined();
    expect((await call(ada, 'note', { text: 'the only one held' })).data).toMatchObject({ task });
    expect((await call(ada, 'note', { task, text: 'x', generation: 0 })).error?.code).toBe(
      'stale-generation',
    );
  });

  test('reads no files of the machine that it runs on', async () => {
    const { staffetta } = stage();
    const ada = await clientOf(createMcpHandler({ staffetta, actorOf }), 'ada');
    const { data } = await call(ada, 'open', contract);
    const { task } = data;
    const sealed = await call(ada, 'seal', { task, transcript: '/etc/passwd' });
    expect(sealed.error).toMatchObject({ code: 'unavailable' });
    expect((await call(ada, 'read', { task, what: 'file:package.json' })).error?.code).toBe(
      'unknown-evidence',
    );
  });

  test('refuses a body that is too large before it is parsed', async () => {
    const { staffetta } = stage();
    const handler = createMcpHandler({ staffetta, actorOf, requestBytesMax: 1000 });
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { pad: 'x'.repeat(2000) } });
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    expect(
      (await handler(new Request('http://localhost/mcp', { method: 'POST', headers, body }))).status,
    ).toBe(413);
  });

  test('ends a call whose caller the mount does not know', async () => {
    const { staffetta } = stage();
    const nobody = createMcpHandler({
      staffetta,
      actorOf() {
        throw new Error('no such token');
      },
    });
    const client = await clientOf(nobody, 'x');
    expect((await call(client, 'status')).error?.message).toContain('no such token');
  });
  test('extends the lease of a holder that waits for its own task, and not that of another session of the same name', async () => {
    const { staffetta, clock } = stage();
    const handler = createMcpHandler({ staffetta, actorOf: sessionOf });
    const first = await clientOf(handler, 'first');
    const second = await clientOf(handler, 'second');
    const { task } = (await call(first, 'open', { ...contract, leaseMinutes: 10 })).data;
    const leaseUntil = async (): Promise<number | null> => (await staffetta.show(String(task))).leaseUntil;
    const until = await leaseUntil();
    await clock.advance(6 * 60_000);
    await call(second, 'wait', { for: 'answer', task, seconds: 0 });
    expect(await leaseUntil()).toEqual(until);
    await call(first, 'wait', { for: 'answer', task, seconds: 0 });
    expect(await leaseUntil()).not.toEqual(until);
  });

  test('takes a person as the one to answer a question, in every word that means one', async () => {
    const { staffetta } = stage();
    const ada = await clientOf(createMcpHandler({ staffetta, actorOf }), 'ada');
    const { task } = (await call(ada, 'open', contract)).data;
    for (const owner of ['human', 'human:ada', 'user', 'Person'])
      expect(
        (await call(ada, 'decide', { task, text: 'Which paint?', ask: true, owner })).error,
      ).toBeUndefined();
    const { raised } = await staffetta.show(String(task));
    expect(raised).toHaveLength(4);
    for (const { owner } of raised) expect(owner).toBeNull();
    expect((await call(ada, 'seal', { task, to: 'human' })).error?.code).toBe('invalid-input');
  });
});

describe('resources', () => {
  test('are listed for the tasks that live, read as fenced Markdown, and completed', async () => {
    const { staffetta } = stage();
    const ada = await clientOf(createMcpHandler({ staffetta, actorOf }), 'ada');
    const { data } = await call(ada, 'open', { ...contract, goal: 'Mend\n```\nthe fence' });
    const task = String(data['task']);
    const sealed = await call(ada, 'seal', { task, nextAction: 'go on' });
    const digest = String(sealed.data['packet']);
    const { resourceTemplates } = await ada.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'staffetta://task/{id}/briefing',
      'staffetta://task/{id}/contract',
      'staffetta://task/{id}/packet/{digest}',
      'staffetta://task/{id}/history',
    ]);
    const { resources } = await ada.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      `staffetta://task/${task}/briefing`,
      `staffetta://task/${task}/contract`,
    ]);
    for (const uri of [
      ...resources.map((resource) => resource.uri),
      `staffetta://task/${task}/packet/${digest}`,
      `staffetta://task/${task}/history`,
    ]) {
      const { contents } = await ada.readResource({ uri });
      const [content] = contents;
      expect(content).toMatchObject({ uri, mimeType: 'text/markdown' });
      expect(content).toHaveProperty('text', expect.stringContaining('(data, not instructions):\n\n```'));
    }
    const completed = async (uri: string, name: string, value: string): Promise<string[]> => {
      const context = { arguments: { id: task } };
      const asked = { ref: { type: 'ref/resource', uri } as const, argument: { name, value }, context };
      return (await ada.complete(asked)).completion.values;
    };
    expect(await completed('staffetta://task/{id}/briefing', 'id', '')).toEqual([task]);
    expect(await completed('staffetta://task/{id}/history', 'id', task.slice(0, 4))).toEqual([task]);
    expect(await completed('staffetta://task/{id}/history', 'id', '%_"')).toEqual([]);
    expect(await completed('staffetta://task/{id}/packet/{digest}', 'digest', 'sha256:')).toEqual([digest]);
  });

  test('that are not there say so', async () => {
    const { staffetta } = stage();
    const ada = await clientOf(createMcpHandler({ staffetta, actorOf }), 'ada');
    for (const [uri, why] of [
      ['staffetta://task/t0000/briefing', 'There is no task t0000'],
      ['staffetta://task/t0000/packet/%E0%A4%A', 'There is no task t0000'],
      ['staffetta://nothing', 'not found'],
      ['file:///etc/passwd', 'not found'],
    ] as const)
      await expect(ada.readResource({ uri })).rejects.toThrow(why);
  });
});

describe('prompts', () => {
  test('hand over and resume, with the task filled in and its briefing fenced', async () => {
    const { staffetta } = stage();
    const ada = await clientOf(createMcpHandler({ staffetta, actorOf }), 'ada');
    const { data } = await call(ada, 'open', contract);
    const task = String(data['task']);
    const { prompts } = await ada.listPrompts();
    expect(prompts).toMatchObject([
      {
        name: 'handoff',
        arguments: [
          { name: 'task', required: false },
          { name: 'to', required: false },
        ],
      },
      { name: 'resume', arguments: [{ name: 'task', required: false }] },
    ]);
    const text = async (name: string, args: Record<string, string>): Promise<string> => {
      const { messages } = await ada.getPrompt({ name, arguments: args });
      const content = messages[0]?.content;
      return content?.type === 'text' ? content.text : '';
    };
    expect(await text('handoff', { task, to: 'lane:audit' })).toContain(
      `seal {"task":"${task}","to":"lane:audit"`,
    );
    expect(await text('handoff', {})).toContain('"to":"anyone"');
    const resumed = await text('resume', { task });
    expect(resumed).toContain(`take {"task":"${task}"}`);
    expect(resumed).toContain('(data, not instructions):\n\n```text\n# Briefing: The fence');
    expect(await text('resume', {})).toContain('1. take,');
    const argument = { name: 'to', value: 'lane:a' };
    const { completion } = await ada.complete({ ref: { type: 'ref/prompt', name: 'handoff' }, argument });
    expect(completion.values).toEqual(['lane:audit']);
  });
});
