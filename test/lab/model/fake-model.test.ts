/** The lab's model itself: it says what it is told to, in every dialect, and hears what is said to it. */
import { describe, expect, test } from 'vitest';
import { anthropic } from './anthropic.ts';
import { chat } from './chat.ts';
import { failures, type Dialect, type Said } from './dialect.ts';
import { FakeModel } from './fake-model.ts';
import { gemini } from './gemini.ts';
import { responses } from './responses.ts';

interface Sample {
  readonly dialect: Dialect;
  readonly path: string;
  /** A conversation with a call and its result, and a shell on offer. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Asks for a stream. */
  readonly streamed: (body: Readonly<Record<string, unknown>>) => {
    readonly path: string;
    readonly body: object;
  };
}

const heard: readonly Said[] = [
  { by: 'user', text: 'List the files' },
  { by: 'agent', text: 'I will.' },
  { by: 'call', id: 'c1', tool: 'SHELL', args: { command: 'ls' } },
  { by: 'result', id: 'c1', text: 'a.txt' },
  { by: 'agent', text: 'One file.' },
  { by: 'user', text: 'And now?' },
];

const openAiStream = (path: string) => (body: Readonly<Record<string, unknown>>) => ({
  path,
  body: { ...body, stream: true },
});

const samples: readonly Sample[] = [
  {
    dialect: anthropic,
    path: '/v1/messages',
    streamed: openAiStream('/v1/messages'),
    body: {
      model: 'm',
      tools: [{ name: 'Bash' }],
      messages: [
        { role: 'user', content: 'List the files' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hidden', signature: 'x' },
            { type: 'text', text: 'I will.' },
            { type: 'tool_use', id: 'c1', name: 'SHELL', input: { command: 'ls' } },
          ],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'a.txt' }] }],
        },
        { role: 'assistant', content: [{ type: 'text', text: 'One file.' }] },
        { role: 'user', content: [{ type: 'text', text: 'And now?' }] },
      ],
    },
  },
  {
    dialect: responses,
    path: '/v1/responses',
    streamed: openAiStream('/v1/responses'),
    body: {
      model: 'm',
      tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'function', name: 'exec_command' }] }],
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'List the files' }] },
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hidden' }] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I will.' }] },
        { type: 'function_call', call_id: 'c1', name: 'SHELL', arguments: '{"command":"ls"}' },
        { type: 'function_call_output', call_id: 'c1', output: 'a.txt' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'One file.' }] },
        { role: 'user', content: [{ type: 'input_text', text: 'And now?' }] },
      ],
    },
  },
  {
    dialect: gemini,
    path: '/v1beta/models/m:generateContent',
    streamed: (body) => ({ path: '/v1beta/models/m:streamGenerateContent', body }),
    body: {
      tools: [{ functionDeclarations: [{ name: 'run_shell_command' }] }],
      contents: [
        { role: 'user', parts: [{ text: 'List the files' }] },
        {
          role: 'model',
          parts: [
            { text: 'hidden', thought: true },
            { text: 'I will.' },
            { functionCall: { id: 'c1', name: 'SHELL', args: { command: 'ls' } } },
          ],
        },
        {
          role: 'user',
          parts: [{ functionResponse: { id: 'c1', name: 'SHELL', response: { output: 'a.txt' } } }],
        },
        { role: 'model', parts: [{ text: 'One file.' }] },
        { role: 'user', parts: [{ text: 'And now?' }] },
      ],
    },
  },
  {
    dialect: chat,
    path: '/v1/chat/completions',
    streamed: openAiStream('/v1/chat/completions'),
    body: {
      model: 'm',
      tools: [{ type: 'function', function: { name: 'bash' } }],
      messages: [
        { role: 'user', content: 'List the files' },
        {
          role: 'assistant',
          content: 'I will.',
          tool_calls: [{ id: 'c1', function: { name: 'SHELL', arguments: '{"command":"ls"}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'a.txt' },
        { role: 'assistant', content: 'One file.' },
        { role: 'user', content: [{ type: 'text', text: 'And now?' }] },
      ],
    },
  },
];

async function post(model: FakeModel, path: string, body: object): Promise<Response> {
  return await fetch(model.origin + path, { method: 'POST', body: JSON.stringify(body) });
}

describe.each(samples)('$dialect.name', ({ dialect, path, body, streamed }) => {
  test('what the model was told is heard by role and in order, without reasoning', async () => {
    await using model = await FakeModel.start({ text: 'Hello.' });
    await post(model, path, body);
    expect(model.told).toEqual([heard]);
    expect(model.requests).toMatchObject([{ method: 'POST', path, body, dialect: dialect.name }]);
  });

  test('answers follow the script, whole and as a stream, and what is beyond it is counted', async () => {
    await using model = await FakeModel.start(
      { text: 'First of all.', shell: 'echo hi', thinking: 'Hm.' },
      { text: 'Second.' },
    );
    const whole = await (await post(model, path, body)).text();
    expect(whole).toContain('First of all.');
    expect(whole).toMatch(/echo hi/);
    const asked = streamed(body);
    const stream = await post(model, asked.path, asked.body);
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    expect(await stream.text()).toMatch(/^(event: .*\n)?data: /);
    expect(model.unscripted).toBe(0);
    await (await post(model, path, body)).text();
    expect(model.unscripted).toBe(1);
  });

  test('a request without tools is no turn: it gets the shape that it asks for', async () => {
    await using model = await FakeModel.start({ text: 'kept for a turn' });
    const answer = await post(model, path, {
      ...body,
      tools: [],
      generationConfig: {
        responseJsonSchema: {
          type: 'object',
          properties: { score: { type: 'integer', minimum: 7 }, kind: { enum: ['a', 'b'] } },
        },
      },
    });
    expect(await answer.text()).toContain(JSON.stringify('{"score":7,"kind":"a"}').slice(1, -1));
    expect(model.told).toEqual([]);
  });

  test('usage is the figure of the script', async () => {
    await using model = await FakeModel.start({ text: 'Much.', tokens: 190_123 });
    expect(await (await post(model, path, body)).text()).toContain('190123');
  });

  test('a stream that hangs stops in the middle', async () => {
    await using model = await FakeModel.start({ text: 'Never to the end', hangs: true });
    const asked = streamed(body);
    const stream = await post(model, asked.path, asked.body);
    const reader = (stream.body ?? new ReadableStream<Uint8Array>()).getReader();
    const first = Buffer.from((await reader.read()).value ?? []).toString('utf8');
    expect(first).not.toBe('');
    expect(first).not.toContain('to the end');
    await model.asked(1);
    await reader.cancel();
  });

  test.each(failures)('it can refuse: %s', async (kind) => {
    await using model = await FakeModel.start({ fails: kind }, { text: 'Later.' });
    const refused = await post(model, path, body);
    expect([400, 402, 429]).toContain(refused.status);
    expect(await refused.json()).toHaveProperty('error');
    expect(await (await post(model, path, body)).text()).toContain('Later.');
  });
});

test('whatever else is asked for is refused and recorded', async () => {
  await using model = await FakeModel.start();
  const refused = await fetch(`${model.origin}/v1/something`);
  expect(refused.status).toBe(404);
  expect(model.requests).toMatchObject([{ method: 'GET', path: '/v1/something', dialect: null, turn: null }]);
});
