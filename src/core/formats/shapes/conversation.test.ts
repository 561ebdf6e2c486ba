import { describe, expect, test } from 'vitest';
import { ConversationBytes, keptOf } from './conversation.ts';
import { documentBytesMax, takeApart, type Apart } from './detect.ts';

const system = { role: 'system', content: 'Be brief.' };
const asked = { role: 'user', content: 'Is it done?' };
const answer = { role: 'assistant', content: 'Nearly.' };
const other = { role: 'assistant', content: 'Not at all.' };

function bytesOf(value: unknown): Uint8Array {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
}

function apart(value: unknown): Apart {
  const taken = takeApart(bytesOf(value));
  if (taken === null) throw new Error('it has no shape');
  return taken;
}

function counted(value: unknown, { piece = 7, max = 1000 } = {}): unknown {
  const seen = new ConversationBytes(max);
  const bytes = bytesOf(value);
  for (let at = 0; at < bytes.length; at += piece) seen.push(bytes.subarray(at, at + piece));
  const found = seen.end();
  return found === null ? null : [found.shape, found.records, found.apart !== null];
}

const uiMessages = [
  { id: '1', role: 'user', parts: [{ type: 'text', text: 'Is it done?' }] },
  { id: '2', role: 'assistant', parts: [{ type: 'text', text: 'Nearly.' }] },
];
const items = [
  { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'List.' }] },
  { type: 'function_call', callId: 'c', name: 'ls', arguments: '{}' },
  { type: 'function_call_result', callId: 'c', output: 'a b', status: 'completed' },
];
const langChain = [
  { type: 'human', data: { content: 'Order tea.' } },
  { type: 'ai', data: { content: '', tool_calls: [{ id: 'c', name: 'order', args: {} }] } },
  { type: 'tool', data: { content: 'sold out', tool_call_id: 'c' } },
  { type: 'ai', data: { content: 'There is none.' } },
];
const atif = {
  schema_version: 'ATIF-v1.7',
  steps: [{ source: 'user', message: 'x' }, 17, { source: 'agent' }],
};

describe('the records of a transcript', () => {
  test.each([
    [
      'messages of the AI SDK',
      [asked, answer, { role: 'tool', content: [{ type: 'tool-result' }] }],
      'ai-sdk',
      3,
    ],
    ['UI messages', uiMessages, 'ai-sdk', 2],
    ['a chat around UI messages', { id: 'chat', messages: uiMessages }, 'ai-sdk', 2],
    ['items of OpenAI', items, 'openai-agents', 3],
    ['a saved run', { originalInput: 'List.', generatedItems: items.slice(1) }, 'openai-agents', 3],
    ['messages of LangChain', langChain, 'langchain', 4],
    ['the state of a graph', { values: { messages: langChain } }, 'langchain', 4],
    ['steps of ATIF', atif, 'atif', 3],
    ['one message', asked, 'ai-sdk', 1],
    ['members that are no messages', [asked, 'torn', null, answer, { id: 5 }, asked], 'ai-sdk', 6],
  ] as const)('%s are counted as members', (_what, value, shape, records) => {
    expect(counted(value)).toEqual([shape, records, true]);
    expect(counted(JSON.stringify(value, undefined, 2), { max: 5000 })).toEqual([shape, records, true]);
  });

  test.each([
    ['messages of the AI SDK', [asked, answer], 'ai-sdk'],
    ['UI messages', uiMessages, 'ai-sdk'],
    ['items of OpenAI', items, 'openai-agents'],
    ['messages of LangChain', langChain, 'langchain'],
  ] as const)('%s on lines are counted as lines', (_what, messages, shape) => {
    const lines = messages.map((message) => `${JSON.stringify(message)}\n`).join('\n \t\n');
    expect(counted(lines)).toEqual([shape, messages.length, true]);
    expect(counted(lines, { max: lines.length - 1 })).toEqual([shape, messages.length, false]);
  });

  test('a line that is torn or no message has its place', () => {
    const lines = ['{"role":"user","con', asked, 'prose', answer, [1]];
    const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
    expect(counted(text)).toEqual(['ai-sdk', 5, true]);
    const { steps, omissions } = apart(text).read();
    expect(steps.map(({ record }) => record)).toEqual([1, 3]);
    expect(Object.fromEntries(omissions.map(({ kind, count }) => [kind, count]))).toEqual({
      'record-unreadable': 2,
      'message-unknown': 1,
    });
  });

  test.each([
    ['nothing', ''],
    ['prose', 'We talked.\nThen we ate.\n'],
    ['a list of other things', '[{"a":1},{"b":2}]'],
  ])('%s has none', (_what, text) => {
    expect(counted(text)).toBeNull();
  });

  test('of many lines the first say the shape, and all are counted', () => {
    const messages = Array.from({ length: 600 }, (_, i) => uiMessages[i % 2]);
    const foreign = Array.from({ length: 300 }, (_, i) => ({ type: 'note', i, text: 'x'.repeat(9000) }));
    const told = [...messages, ...foreign].map((each) => JSON.stringify(each)).join('\n');
    const untold = [...foreign, ...messages].map((each) => JSON.stringify(each)).join('\n');
    const about = { piece: 1_000_000, max: documentBytesMax };
    expect(counted(told, about)).toEqual(['ai-sdk', 900, true]);
    expect(counted(untold, about)).toBeNull();
    // Taken apart as a whole they are what their first lines said.
    expect([takeApart(bytesOf(told))?.records, takeApart(bytesOf(untold))]).toEqual([900, null]);
  });

  test('a document that is too long to be taken apart has none', () => {
    const long = JSON.stringify([asked, answer], undefined, 1);
    expect(counted(long, { max: long.length })).toEqual(['ai-sdk', 2, true]);
    expect(counted(long, { max: long.length - 1 })).toBeNull();
  });
});

describe('the place of the message that began a step', () => {
  test.each([
    ['ai-sdk', [asked, 4, answer, asked], [0, 2, 3]],
    ['openai-agents', [...items, {}, items[0]], [0, 1, 4]],
    ['langchain', langChain, [0, 1, 3]],
    ['atif', atif, [0, 2]],
  ] as const)('is told of %s', (_shape, value, places) => {
    expect(
      apart(value)
        .read()
        .steps.map(({ record }) => record),
    ).toEqual(places);
  });
});

describe('a conversation that goes on', () => {
  test.each([
    ['it grew', [system, asked], [system, asked, answer], 2],
    ['it is the same', [system, asked], [system, asked], 2],
    ['its form changed', [asked, answer], `\n${JSON.stringify([asked, answer, asked], undefined, 4)}`, 2],
    ['it is on lines now', [asked, answer], `${JSON.stringify(asked)}\n${JSON.stringify(answer)}`, 2],
    ['its answer was asked for again', [asked, answer], [asked, other, asked], 1],
    ['its end was left', [asked, answer, asked, answer], [asked, answer, asked, other], 3],
    ['it was cut', [asked, answer, asked], [asked, answer], 2],
  ] as const)('keeps what it had: %s', (_how, before, now, kept) => {
    expect(keptOf(apart(before), apart(now))).toBe(kept);
  });

  test.each([
    ['only the words of the program are the same', [system, asked], [system, { ...asked, content: 'Why?' }]],
    ['most of it is gone', [asked, answer, asked, answer, asked], [asked, answer, asked].slice(1)],
    ['less than half is the same', [asked, answer, asked], [asked, other, asked]],
    ['it has another shape', [asked, answer], langChain],
  ] as const)('is another one: %s', (_why, before, now) => {
    expect(keptOf(apart(before), apart(now))).toBe(0);
  });

  test('what is nested too deeply to be compared is taken for changed', () => {
    const deep = `{"role":"user","content":"x","more":${'['.repeat(500)}${']'.repeat(500)}}`;
    const lines = `${JSON.stringify(asked)}\n${deep}`;
    expect(keptOf(apart(lines), apart(lines))).toBe(1);
  });
});
