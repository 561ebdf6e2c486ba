/** A wait by the protocol's tasks: a handle in place of a call that lasts, asked of the handler as a client of 2026 asks. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createMcpHandler, type McpHandler } from '../../src/mcp/index.ts';
import { stage, type HandClock } from '../support/world.ts';

const tasks = { 'io.modelcontextprotocol/tasks': {} };

interface Reply {
  readonly result?: Readonly<Record<string, unknown>> & { readonly taskId: string };
  readonly error?: { readonly code: number; readonly data?: unknown };
}

/** As a client that knows tasks, unless other extensions are given. */
async function ask(
  handler: McpHandler,
  method: string,
  params: Readonly<Record<string, unknown>>,
  extensions: object = tasks,
): Promise<Reply> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { extensions },
  };
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    'mcp-name': String(params['name'] ?? params['taskId']),
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } });
  const response = await handler(new Request('http://localhost/mcp', { method: 'POST', headers, body }));
  const text = await response.text();
  return JSON.parse(/^data: (\{.*)$/m.exec(text)?.[1] ?? text) as Reply;
}

async function submitted(): Promise<{
  readonly handler: () => McpHandler;
  readonly wait: Readonly<Record<string, unknown>>;
  readonly cancel: () => Promise<unknown>;
  readonly clock: HandClock;
}> {
  const { staffetta, clock } = stage();
  const leg = await staffetta.begin({ goal: 'The fence has 123 posts.' }, { as: 'ada' });
  await leg.submit({ claims: { next: 'look at it' } });
  const { task } = leg;
  return {
    clock,
    handler: () => createMcpHandler({ staffetta, actorOf: () => ({ name: 'ada', kind: 'agent' }) }),
    wait: { name: 'wait', arguments: { for: 'review', task, seconds: 600 } },
    cancel: async () => await staffetta.cancel(task, 'enough posts', { as: 'ada' }),
  };
}

describe('a wait of a client that knows tasks', () => {
  test('gives a handle, which any process reads until the review is over', async () => {
    const { handler, wait, cancel } = await submitted();
    const { result } = await ask(handler(), 'tools/call', wait);
    expect(result).toMatchObject({ resultType: 'task', status: 'working', ttlMs: null });
    const { taskId = '' } = result ?? {};
    expect((await ask(handler(), 'tasks/get', { taskId })).result).toMatchObject({ status: 'working' });
    await cancel();
    expect((await ask(handler(), 'tasks/get', { taskId })).result).toMatchObject({
      taskId,
      status: 'completed',
      result: { structuredContent: { happened: true, status: 'cancelled' } },
    });
    // What is there already is told at once.
    expect((await ask(handler(), 'tools/call', wait)).result).toMatchObject({
      resultType: 'complete',
      structuredContent: { happened: true },
    });
  });

  test('is called off for the one who asked for that', async () => {
    const { handler, wait } = await submitted();
    const one = handler();
    const { taskId = '' } = (await ask(one, 'tools/call', wait)).result ?? {};
    expect((await ask(one, 'tasks/cancel', { taskId })).result).toMatchObject({ resultType: 'complete' });
    expect((await ask(one, 'tasks/get', { taskId })).result).toMatchObject({ status: 'cancelled' });
  });

  test('refuses what a call would refuse', async () => {
    const { handler, wait } = await submitted();
    const { arguments: args } = wait as { readonly arguments: object };
    for (const wrong of [{ for: 'rain' }, { ...args, seconds: 601 }, { ...args, task: 't0000' }]) {
      const { result } = await ask(handler(), 'tools/call', { name: 'wait', arguments: wrong });
      expect(result).toMatchObject({ resultType: 'complete', isError: true });
    }
  });
});

test.each(['x', 'wait-', 'wait-e30', `wait-${Buffer.from('{"for":"rain"}').toString('base64url')}`])(
  'the handle %s is none',
  async (taskId) => {
    const { handler } = await submitted();
    for (const method of ['tasks/get', 'tasks/cancel'])
      expect((await ask(handler(), method, { taskId })).error?.code).toBe(-32602);
    expect((await ask(handler(), 'tasks/update', { taskId, inputResponses: {} })).error?.code).toBe(-32602);
  },
);

test('a client that does not know tasks is told so, and waits in the call itself', async () => {
  const { handler, wait, clock } = await submitted();
  const replies: Reply[] = [];
  void ask(handler(), 'tools/call', wait, {}).then((reply) => replies.push(reply));
  while (replies.length === 0) {
    await clock.advance(60_000);
    await nextTurn();
  }
  expect(replies[0]?.result).toMatchObject({
    resultType: 'complete',
    structuredContent: { happened: false },
  });
  expect((await ask(handler(), 'tasks/get', { taskId: 'x' }, {})).error).toMatchObject({
    code: -32021,
    data: { requiredCapabilities: { extensions: tasks } },
  });
});
