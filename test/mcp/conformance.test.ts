/**
 * The protocol's own suite against the handler on loopback. Its scenarios call tools, resources and prompts of a test server by name; the
 * mount gives them ours of the same kind, so that what is checked is what we serve.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMcpHandler, type McpHandler } from '../../src/mcp/index.ts';
import { openStaffetta, type Staffetta } from '../../src/index.ts';
import type { TaskId } from '../../src/core/journal/id.ts';
import { newFolder, node } from '../cli/command.ts';
import { mounted } from './mount.ts';

const root = join(import.meta.dirname, '..', '..');
const suite = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

type Params = Record<string, unknown>;

/** Ours for theirs: a plain answer, an error, progress; a text, an address with a variable; a prompt without and with arguments. */
function renamed(task: string): (params: Params) => Params {
  const tools: Readonly<Record<string, Params>> = {
    test_simple_text: { name: 'status', arguments: {} },
    test_error_handling: { name: 'note', arguments: {} },
    test_tool_with_progress: { name: 'wait', arguments: { for: 'review', task, seconds: 3 } },
    test_simple_prompt: { name: 'resume' },
    greet: { name: 'status', arguments: {} },
    failing_job: { name: 'wait', arguments: { for: 'review', task, seconds: 1 } },
    protocol_error_job: { name: 'wait', arguments: { for: 'review', task, seconds: 1 } },
    confirm_delete: { name: 'wait', arguments: { for: 'review', task, seconds: 2 } },
  };
  const addresses: Readonly<Record<string, string>> = {
    'test://static-text': `staffetta://task/${task}/briefing`,
    'test://template/123/data': `staffetta://task/${task}/contract`,
  };
  return (params) => {
    const { name, uri, ref, argument, arguments: given } = params;
    if (name === 'test_prompt_with_arguments')
      return { ...params, name: 'handoff', arguments: { task: 'testValue1', to: 'testValue2' } };
    if (name === 'slow_compute') {
      const { seconds } = given as { readonly seconds: number };
      return { ...params, name: 'wait', arguments: { for: 'review', task, seconds } };
    }
    if (ref !== undefined)
      return {
        ...params,
        ref: { type: 'ref/prompt', name: 'handoff' },
        argument: { ...(argument as Params), name: 'to' },
      };
    return {
      ...params,
      ...(typeof name === 'string' ? tools[name] : {}),
      ...(typeof uri === 'string' ? { uri: addresses[uri] ?? uri } : {}),
    };
  };
}

/** Work that waits for its review. */
async function submitted(staffetta: Staffetta): Promise<TaskId> {
  const leg = await staffetta.begin({ goal: 'The fence has 123 posts.' }, { as: 'ada' });
  await leg.submit({ claims: { next: 'look at it' } });
  return leg.task;
}

/** Taken away, so that a wait for it fails when it has begun already. */
async function lose({ store: { journal } }: Staffetta, task: TaskId): Promise<void> {
  const head = await journal.head(task);
  if (head !== undefined) await journal.remove(task, head.seq, Date.now(), head.lease);
}

function translating(handler: McpHandler, staffetta: Staffetta, task: TaskId): McpHandler {
  return async (request) => {
    if (request.method !== 'POST') return await handler(request);
    const message = JSON.parse(await request.text()) as { params?: Params };
    const isLost = message.params?.['name'] === 'failing_job';
    const waited = isLost ? await submitted(staffetta) : task;
    const params = message.params === undefined ? undefined : renamed(waited)(message.params);
    const body = JSON.stringify({ ...message, ...(params === undefined ? {} : { params }) });
    const headers = new Headers(request.headers);
    headers.delete('content-length');
    const name = headers.get('mcp-name');
    if (name !== null && name === message.params?.['name']) headers.set('mcp-name', String(params?.['name']));
    const answer = await handler(new Request(request.url, { method: 'POST', headers, body }));
    if (!isLost) return answer;
    const text = await answer.text();
    await lose(staffetta, waited);
    return new Response(text, answer);
  };
}

test('passes every scenario that asks for what there is', async () => {
  const staffetta = await openStaffetta({ store: 'memory:', gate: 'record' });
  const handler = createMcpHandler({ staffetta, actorOf: () => ({ name: 'ada', kind: 'agent' }) });
  await using mount = await mounted(translating(handler, staffetta, await submitted(staffetta)));
  const baseline = join(import.meta.dirname, 'conformance-baseline.yml');
  const args = ['server', '--url', mount.url, '--suite', 'all', '--expected-failures', baseline];
  // It writes a folder of results where it runs.
  const child = spawn(node, [suite, ...args], { cwd: newFolder(), stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stdout.on('data', (part) => (said += String(part)));
  child.stderr.on('data', (part) => (said += String(part)));
  const [status] = (await once(child, 'close')) as [number | null];
  expect(said).toContain('✓ tools-call-with-progress: 2 passed, 0 failed');
  expect({ status, said: status === 0 ? '' : said }).toEqual({ status: 0, said: '' });
});
