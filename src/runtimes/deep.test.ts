/** Whatever nests too deeply to be taken in is counted as lost: it does not vanish without a word, in whichever place it stands. */
import { describe, expect, test } from 'vitest';
import type { RuntimeName } from '../ports/runtime.ts';
import { allRuntimes } from './index.ts';

const depth = 100_000;
const list = '['.repeat(depth) + ']'.repeat(depth);
const object = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

const claude = (type: string, rest: string): string =>
  `{"type":"${type}","uuid":"u2","parentUuid":"u1","timestamp":"2026-11-15T18:26:37.000Z",${rest}}`;
const claudeBefore = [
  '{"type":"assistant","uuid":"u1","parentUuid":null,"message":{"content":[{"type":"tool_use","id":"c","name":"Bash","input":{}}]}}',
];
const codex = (payload: string): string => `{"type":"response_item","payload":${payload}}`;
const codexBefore = [codex('{"type":"function_call","name":"exec_command","arguments":"{}","call_id":"c"}')];
const part = (message: string, data: string): string =>
  `{"type":"part","id":"p1","message":"${message}","data":${data}}`;
const opencodeBefore = [
  '{"type":"message","id":"m1","created":1,"data":{"role":"user"}}',
  '{"type":"message","id":"m2","created":1,"data":{"role":"assistant"}}',
];

let qwenRecords = 0;
const qwen = (type: string, rest: string): string => {
  qwenRecords += 1;
  return `{"uuid":"q${qwenRecords}","parentUuid":null,"type":"${type}",${rest}}`;
};

const copilot = (type: string, data: string): string => `{"type":"${type}","id":"e","data":${data}}`;

const cline = (content: string): string => `{"id":"m","role":"user","ts":1,"content":[${content}]}`;

type Case = readonly [place: string, record: string];
const cases: Readonly<
  Record<RuntimeName, { readonly before: readonly string[]; readonly records: readonly Case[] }>
> = {
  'claude-code': {
    before: claudeBefore,
    records: [
      ['a record', object],
      ['a line', list],
      ['a message', claude('assistant', `"message":${object}`)],
      ['a prompt that is a list', claude('user', `"message":{"content":${list}}`)],
      ['an answer that is an object', claude('assistant', `"message":{"content":${object}}`)],
      ['a block', claude('assistant', `"message":{"content":[${object}]}`)],
      [
        'arguments',
        claude(
          'assistant',
          `"message":{"content":[{"type":"tool_use","id":"d","name":"Bash","input":${object}}]}`,
        ),
      ],
      [
        'a result',
        claude('user', `"message":{"content":[{"type":"tool_result","tool_use_id":"c","content":${list}}]}`),
      ],
    ],
  },
  cline: {
    before: [
      '{"id":"a","role":"assistant","ts":1,"content":[{"type":"tool_use","id":"c","name":"run_commands","input":{}}]}',
    ],
    records: [
      ['a record', object],
      ['a line', list],
      ['a part', cline(object)],
      [
        'arguments',
        cline('').replace(
          '"user","ts":1,"content":[]',
          `"assistant","ts":1,"content":[{"type":"tool_use","id":"d","name":"x","input":${object}}]`,
        ),
      ],
      ['a result', cline(`{"type":"tool_result","tool_use_id":"c","content":${list}}`)],
    ],
  },
  codex: {
    before: codexBefore,
    records: [
      ['a record', object],
      ['a line', list],
      ['an item', codex(object)],
      ['a prompt that is a list', codex(`{"type":"message","role":"user","content":${list}}`)],
      ['an answer that is an object', codex(`{"type":"message","role":"assistant","content":${object}}`)],
      [
        'arguments',
        codex(`{"type":"function_call","name":"exec_command","arguments":${object},"call_id":"d"}`),
      ],
      ['a result that is a list', codex(`{"type":"function_call_output","output":${list},"call_id":"c"}`)],
      [
        'a result that is an object',
        codex(`{"type":"function_call_output","output":${object},"call_id":"c"}`),
      ],
    ],
  },
  'copilot-cli': {
    before: [
      copilot('assistant.message', '{"content":"","toolRequests":[{"toolCallId":"c","name":"bash"}]}'),
    ],
    records: [
      ['a record', object],
      ['a line', list],
      ['an event', copilot('unheard.of', object)],
      ['a prompt that is a list', copilot('user.message', `{"content":${list}}`)],
      [
        'arguments',
        copilot(
          'assistant.message',
          `{"toolRequests":[{"toolCallId":"d","name":"x","arguments":${object}}]}`,
        ),
      ],
      [
        'a result',
        copilot('tool.execution_complete', `{"toolCallId":"c","success":true,"result":{"content":${list}}}`),
      ],
    ],
  },
  'gemini-cli': {
    before: ['{"sessionId":"s","projectHash":"h","startTime":"2026-11-15T18:26:37.000Z"}'],
    records: [
      ['a record', object],
      ['a line', list],
      ['a prompt that is a list', `{"id":"1","type":"user","content":${list}}`],
      ['an answer that is an object', `{"id":"1","type":"gemini","content":${object}}`],
      ['a text', `{"id":"1","type":"user","content":[{"text":${object}}]}`],
      ['a list of calls', `{"id":"1","type":"gemini","content":"said","toolCalls":${list}}`],
      [
        'arguments',
        `{"id":"1","type":"gemini","content":"said","toolCalls":[{"id":"d","name":"x","args":${object}}]}`,
      ],
      [
        'a result',
        `{"id":"1","type":"gemini","content":"said","toolCalls":[{"id":"d","name":"x","args":{},"result":[{"functionResponse":{"id":"d","name":"x","response":{"output":${object}}}}]}]}`,
      ],
    ],
  },
  'qwen-code': {
    before: [
      qwen(
        'assistant',
        '"message":{"parts":[{"functionCall":{"id":"c","name":"run_shell_command","args":{}}}]}',
      ),
    ],
    records: [
      ['a record', object],
      ['a line', list],
      ['a message', qwen('assistant', `"message":${object}`)],
      ['a prompt that is a list', qwen('user', `"message":{"parts":${list}}`)],
      [
        'arguments',
        qwen('assistant', `"message":{"parts":[{"functionCall":{"id":"d","name":"x","args":${object}}}]}`),
      ],
      [
        'a result',
        qwen(
          'tool_result',
          `"message":{"parts":[{"functionResponse":{"id":"c","response":{"output":${list}}}}]}`,
        ),
      ],
    ],
  },
  opencode: {
    before: opencodeBefore,
    records: [
      ['a record', object],
      ['a line', list],
      ['a message', `{"type":"message","id":"m3","created":1,"data":${object}}`],
      ['a part', part('m2', object)],
      ['a prompt', part('m1', `{"type":"text","text":${object}}`)],
      [
        'arguments',
        part(
          'm2',
          `{"type":"tool","tool":"bash","callID":"d","state":{"status":"completed","input":${object},"output":"o"}}`,
        ),
      ],
      [
        'a result',
        part(
          'm2',
          `{"type":"tool","tool":"bash","callID":"d","state":{"status":"completed","input":{},"output":${list}}}`,
        ),
      ],
    ],
  },
};

const bytes = (lines: readonly string[]): Uint8Array[] => lines.map((line) => Buffer.from(line));

describe.each(allRuntimes({}).map((runtime) => [runtime.name, runtime] as const))(
  'nested too deeply, %s',
  (name, runtime) => {
    const { before, records } = cases[name];

    test('nothing is lost of what comes before', () => {
      expect(runtime.read(bytes(before)).omissions).toEqual([]);
    });

    test.each(records)('%s is counted as lost', (_place, record) => {
      const { omissions, steps } = runtime.read(bytes([...before, record]));
      const unsaid = steps.flatMap(({ results = [] }) => results.flatMap(({ other = [] }) => other));
      expect(omissions.length + unsaid.length).toBeGreaterThan(0);
    });
  },
);
