import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Step, Transcript } from '../../../core/transcript/step.ts';
import { read } from './read.ts';

const fixtures = join(import.meta.dirname, '../../../../test/runtimes/fixtures/codex');

interface Manifest {
  readonly files: readonly {
    readonly file: string;
    readonly finds: {
      readonly roles: string;
      readonly prompts: readonly string[];
      readonly calls: readonly (readonly [tool: string, outcome: string, exit: number | null])[];
      readonly marks: readonly string[];
      readonly omissions: Readonly<Record<string, number>>;
      readonly parent: string | null;
    };
  }[];
}

const manifest = JSON.parse(readFileSync(join(fixtures, 'manifest.json'), 'utf8')) as Manifest;
const bytes = (lines: readonly string[]): Uint8Array[] => lines.map((line) => new TextEncoder().encode(line));
const linesOf = (file: string): string[] =>
  readFileSync(join(fixtures, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
const byCase = (name: string, place = 0): Transcript =>
  read(bytes(linesOf(manifest.files.filter(({ file }) => file.startsWith(`${name}/`))[place]?.file ?? '')));

const item = (payload: object): string =>
  JSON.stringify({ timestamp: '2026-11-15T18:00:00.000Z', type: 'response_item', payload });
const event = (payload: object): string =>
  JSON.stringify({ timestamp: '2026-11-15T18:00:00.000Z', type: 'event_msg', payload });
const said = (role: string, text: string, more: object = {}): string =>
  item({
    type: 'message',
    role,
    content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
    ...more,
  });
const call = (id: string): string =>
  item({ type: 'function_call', name: 'exec_command', arguments: '{"cmd":"ls"}', call_id: id });
const output = (id: string, text: unknown): string =>
  item({ type: 'function_call_output', call_id: id, output: text });
const roles = ({ steps }: Transcript): string =>
  steps.map(({ source, aside }) => `${source[0] ?? ''}${aside === undefined ? '' : '-'}`).join(' ');
const texts = (steps: readonly Step[]): string[] => steps.map(({ text }) => text);

const core = ({ id, source, text, record }: Step): unknown => [
  id,
  source,
  source === 'agent' ? '' : text,
  record,
];

const kinds = (kind: string): object => ({
  internal_chat_message_metadata_passthrough: { content_item_kinds: [kind] },
});

const ended = (id: string, exit_code: number): string =>
  event({
    type: 'item_completed',
    item: { type: 'CommandExecution', id, exit_code, status: exit_code === 0 ? 'completed' : 'failed' },
  });

describe('fixtures', () => {
  test.each(manifest.files)('$file holds what the manifest says', ({ file, finds }) => {
    const transcript = read(bytes(linesOf(file)));
    expect(roles(transcript)).toBe(finds.roles);
    expect(texts(transcript.steps.filter(({ source }) => source === 'user'))).toEqual(finds.prompts);
    expect(
      transcript.steps.flatMap(({ calls = [], results = [] }) =>
        calls.map(({ id, tool }) => {
          const result = results.find((one) => one.call === id);
          return [
            tool,
            result === undefined ? 'unanswered' : result.failed ? 'failed' : 'done',
            result?.exit ?? null,
          ];
        }),
      ),
    ).toEqual(finds.calls);
    expect(
      transcript.steps.flatMap(({ mark }) => (mark === undefined || mark === 'context' ? [] : [mark])),
    ).toEqual(finds.marks);
    expect(Object.fromEntries(transcript.omissions.map(({ kind, count }) => [kind, count]))).toEqual(
      finds.omissions,
    );
    expect(transcript.facts.parent).toBe(finds.parent);
  });

  test.each(manifest.files)(
    'the steps of $file are numbered without gaps and lead to their records',
    ({ file }) => {
      const { steps } = read(bytes(linesOf(file)));
      expect(steps.map(({ id }) => id)).toEqual(steps.map((_, place) => place + 1));
      const records = steps.map(({ record }) => record);
      expect(records).toEqual([...records].sort((one, other) => one - other));
    },
  );

  test.each(manifest.files)(
    'the steps of $file keep number, source and place at every length (RT6)',
    ({ file }) => {
      const lines = linesOf(file);
      const whole = read(bytes(lines)).steps;
      for (let length = 0; length <= lines.length; length++) {
        const part = read(bytes(lines.slice(0, length))).steps;
        expect(part.map(core)).toEqual(whole.slice(0, part.length).map(core));
      }
    },
  );

  test('facts come from the head of the file and the context of its turns', () => {
    expect(byCase('basic').facts).toEqual({
      runtime: 'codex',
      session: '01a1e073-1cec-7282-b3a4-ad96111843ac',
      version: '0.166.0',
      model: 'gpt-5-codex',
      folder: '/home/dev/demo',
      branch: 'main',
      commit: 'f919c31431750e5ff703384d0852aff925b26f67',
      startedAt: Date.parse('2026-11-15T18:23:22.875Z'),
      title: null,
      parent: null,
      permissions: 'sandbox danger-full-access, approval never',
    });
  });

  test('an answer has its reasoning, model, figures and result in one step', () => {
    const step = byCase('basic').steps[3];
    expect(step).toMatchObject({
      text: 'FAKE-TEXT step 0: calling exec_command.',
      reasoning: 'FAKE-THINKING step 0: I should call exec_command',
      model: 'gpt-5-codex',
      calls: [{ tool: 'exec_command', args: { cmd: 'echo hello > out.txt' } }],
      results: [{ exit: 0, failed: false }],
      usage: { input: 9854, output: 162, cached: 0, reasoning: 8, window: 10_016, windowMax: 258_400 },
    });
  });

  test('the call that started an agent names its session', () => {
    expect(byCase('subagent').steps[5]?.calls?.[0]?.subagent).toBe('01a1e084-d6c0-70a1-9371-a3dc0ba50881');
    expect(byCase('subagent', 1).facts.session).toBe('01a1e084-d6c0-70a1-9371-a3dc0ba50881');
  });

  test('files that a call changed are listed beside its result', () => {
    expect(byCase('file-edit').steps[5]?.results?.[0]?.other).toEqual(['file-change:/home/dev/demo/w.txt']);
  });

  test('a call that was under way when the program was killed is unanswered', () => {
    expect(byCase('crash-mid-tool').unanswered).toMatchObject([{ tool: 'exec_command' }]);
    expect(byCase('basic').unanswered).toEqual([]);
  });
});

describe('who said it', () => {
  test('without kinds the beginning of a text tells what was injected', () => {
    const injected = ['<environment_context>x', '# AGENTS.md instructions for /repo', '<turn_aborted>x'];
    const transcript = read(bytes([...injected, 'do it'].map((text) => said('user', text))));
    expect(roles(transcript)).toBe('s s s u');
    expect(transcript.steps.map(({ mark }) => mark)).toEqual([
      'context',
      'context',
      'interrupted',
      undefined,
    ]);
  });

  test.each([
    [
      '<environment_context>\n  <cwd>/repo</cwd>\n</environment_context>\nnow write the test',
      'now write the test',
    ],
    ['# AGENTS.md instructions for /repo\n\n<INSTRUCTIONS>\nbe brief\n</INSTRUCTIONS>\n\nfix it', 'fix it'],
    [
      '# AGENTS.md instructions for /repo\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS><environment_context>y</environment_context>\nfix it',
      'fix it',
    ],
    [
      '# Context from my IDE setup:\n\n## Active file: a.ts\n\n## My request for Codex:\nrename this\n',
      'rename this\n',
    ],
  ])('without kinds a person’s words behind what was injected are theirs: %j', (text, words) => {
    const { steps } = read(bytes([said('user', text)]));
    expect(steps.map(({ source, mark }) => [source, mark])).toEqual([
      ['system', 'context'],
      ['user', undefined],
    ]);
    expect(steps[1]?.text).toBe(words);
    expect(steps[0]?.record).toBe(steps[1]?.record);
  });

  test('what an editor puts before a request is no request, whatever its kind', () => {
    const text =
      '# Context from my IDE setup:\n\n## Open tabs:\n- a.ts\n\n## My request for Codex:\nrename it';
    const { steps } = read(bytes([said('user', text, kinds('user.text'))]));
    expect(steps.map((step) => step.source)).toEqual(['system', 'user']);
    expect(steps[1]?.text).toBe('rename it');
  });

  test('a kind is believed more than the text', () => {
    const transcript = read(
      bytes([
        said('user', '<environment_context> is what I typed', kinds('user.text')),
        said('user', 'looks typed', kinds('hooks.additional_context')),
        said('user', 'from outside', kinds('unknown')),
      ]),
    );
    expect(roles(transcript)).toBe('u s u');
  });

  test('a message that a person and the program share becomes two steps', () => {
    const shared = item({
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: 'ctx' },
        { type: 'input_text', text: 'mine' },
        { type: 'input_image', image_url: 'data:' },
      ],
      internal_chat_message_metadata_passthrough: {
        content_item_kinds: ['environments.environment_context', 'user.text', 'user.image'],
      },
    });
    const transcript = read(bytes([shared]));
    expect(transcript.steps.map(({ source, text }) => [source, text])).toEqual([
      ['system', 'ctx'],
      ['user', 'mine'],
    ]);
    expect(transcript.omissions).toMatchObject([{ kind: 'image', count: 1 }]);
  });

  test('events that repeat a message add nothing', () => {
    const lines = [
      said('user', 'hello'),
      event({ type: 'user_message', message: 'hello' }),
      event({
        type: 'item_completed',
        item: { type: 'UserMessage', id: 'x', content: [{ type: 'text', text: 'hello' }] },
      }),
      said('assistant', 'hi'),
      event({ type: 'agent_message', message: 'hi' }),
    ];
    expect(roles(read(bytes(lines)))).toBe('u a');
  });
});

describe('calls', () => {
  test('calls of one answer and their results stay in one step', () => {
    const lines = [
      said('assistant', 'both'),
      call('1'),
      call('2'),
      output('2', 'two'),
      output('1', 'one'),
      said('assistant', 'next'),
    ];
    const { steps } = read(bytes(lines));
    expect(steps.map(({ results = [] }) => results.map(({ text }) => text))).toEqual([['two', 'one'], []]);
  });

  test('an exit code is taken from the event, before or after the result, and else from the text', () => {
    const results = read(
      bytes([
        call('a'),
        ended('a', 2),
        output('a', 'x'),
        call('b'),
        output('b', 'x'),
        ended('b', 3),

        call('c'),
        output('c', 'Chunk ID: 1\nWall time: 0 seconds\nProcess exited with code 4\nOutput:\n'),
        call('d'),
        output('d', '{"output":"x","metadata":{"exit_code":5}}'),
        call('e'),
        output('e', 'some text\nExit code: 6\n'),
        call('f'),
        output('f', { content: 'no', success: false }),
      ]),
    ).steps.flatMap((step) => step.results ?? []);
    expect(results.map(({ exit, failed }) => [exit, failed])).toEqual([
      [2, true],
      [3, true],
      [4, true],
      [5, true],
      [undefined, false],
      [undefined, true],
    ]);
  });

  test('a run has passed only where a code, an event or a field says so', () => {
    const results = read(
      bytes([
        call('a'),
        output('a', 'All 12 tests passed'),
        call('b'),
        output('b', 'Exit: 1, in words of a version that nobody knows yet'),
        call('c'),
        output('c', 'Chunk ID: 1\nWall time: 1 seconds\nProcess running with session ID 5\nOutput:\n'),
        call('d'),
        output('d', 'Exit code: 0\nWall time: 1 seconds\nOutput:\nx'),
        call('e'),
        output('e', 'x'),
        ended('e', 0),
        call('f'),
        output('f', { content: 'x', success: true }),
        call('g'),
        output('g', 'Exit code: 0\n'),
        ended('g', 1),
      ]),
    ).steps.flatMap((step) => step.results ?? []);
    expect(results.map(({ failed, passed }) => [failed, passed])).toEqual([
      [false, undefined],
      [false, undefined],
      [false, undefined],
      [false, true],
      [false, true],
      [false, true],
      [true, undefined],
    ]);
  });

  test('a freeform call keeps its text, and arguments that are no object are kept as they were', () => {
    const { steps } = read(
      bytes([
        item({ type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin Patch', call_id: 'p' }),
        item({ type: 'custom_tool_call_output', call_id: 'p', output: 'done' }),
        item({ type: 'function_call', name: 'f', arguments: '[1]', call_id: 'q' }),
        item({
          type: 'web_search_call',
          id: 'w',
          action: { type: 'search', query: 'x' },
          status: 'completed',
        }),
      ]),
    );
    expect(steps.flatMap(({ calls = [] }) => calls)).toEqual([
      { id: 'p', tool: 'apply_patch', args: {}, raw: '*** Begin Patch' },
      { id: 'q', tool: 'f', args: {}, raw: '[1]' },
      { id: 'w', tool: 'web_search', args: { type: 'search', query: 'x' } },
    ]);
  });

  test('a result without a call, or a second one, is an omission', () => {
    const transcript = read(bytes([output('none', 'x'), call('1'), output('1', 'a'), output('1', 'b')]));
    expect(transcript.omissions.map(({ kind }) => kind)).toEqual(['result-without-call', 'result-repeated']);
    expect(transcript.steps[0]?.results).toEqual([{ call: '1', text: 'a', failed: false }]);
  });

  test('two calls with one id are told apart, and each gets its result', () => {
    const { steps, unanswered } = read(bytes([call('1'), output('1', 'a'), call('1'), output('1', 'b')]));
    expect(
      steps.map(({ calls, results }) => [calls?.[0]?.id, results?.[0]?.call, results?.[0]?.text]),
    ).toEqual([
      ['1', '1', 'a'],
      ['1#2', '1#2', 'b'],
    ]);
    expect(unanswered).toEqual([]);
  });
});

test('a message of the user’s role without the event of a prompt is the program’s, where prompts have events', () => {
  const typed = event({ type: 'user_message', message: 'fix it' });
  const lines = [
    said('user', 'Warning: apply_patch was requested via exec_command.'),
    said('user', 'fix it'),
    said('assistant', 'done'),
    said('user', 'now'),
  ];
  expect(roles(read(bytes([...lines.slice(0, 2), typed, ...lines.slice(2)])))).toBe('s u a u');
  expect(roles(read(bytes(lines)))).toBe('u u a u');
});

test('an exit code that the command itself printed is none', () => {
  const printed = 'Wall time: 0.1 seconds\nOutput:\nExit code: 0\n';
  const [step] = read(bytes([call('c'), output('c', printed)])).steps;
  expect(step?.results?.[0]).not.toHaveProperty('exit');
});
