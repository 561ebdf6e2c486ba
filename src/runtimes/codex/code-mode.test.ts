import { describe, expect, test } from 'vitest';
import type { Step } from '../../core/transcript/step.ts';
import { compose } from './compose.ts';
import { exchangesIn } from './exchange.ts';
import { read } from './read/read.ts';
import { callsInScript } from './read/script.ts';

const record = (type: string, payload: object): object => ({
  timestamp: '2026-11-15T18:00:00.000Z',
  type,
  payload,
});
const item = (payload: object): object => record('response_item', payload);
const event = (payload: object): object => record('event_msg', payload);
const readAll = (...records: readonly object[]): ReturnType<typeof read> =>
  read(records.map((each) => Buffer.from(JSON.stringify(each))));
const stepOf = (...records: readonly object[]): Step | undefined => readAll(...records).steps[0];

const script = (input: string): object =>
  item({ type: 'custom_tool_call', name: 'exec', input, call_id: 'c1' });
const printed = (how: string, ...texts: readonly string[]): object =>
  item({
    type: 'custom_tool_call_output',
    call_id: 'c1',
    output: [`Script ${how}\nWall time 0.1 seconds\nOutput:\n`, ...texts].map((text) => ({
      type: 'input_text',
      text,
    })),
  });
const completed = (inner: object): object => event({ type: 'item_completed', item: inner });

describe('what a script called is told beside the script', () => {
  test('by the events of its calls, with what each printed and how it ended', () => {
    const command = {
      type: 'CommandExecution',
      id: 'exec-1',
      command: ['/bin/sh', '-lc', 'make'],
      cwd: 'file:///w',
    };
    const step = stepOf(
      script('await Promise.all(jobs.map((job) => tools.exec_command(job)))'),
      completed({ ...command, aggregated_output: 'no rule', exit_code: 2, status: 'failed' }),
      completed({
        type: 'FileChange',
        id: 'exec-2',
        changes: { 'a.txt': { type: 'update', unified_diff: '@@', move_path: 'b.txt' } },
        status: 'completed',
      }),
      printed('completed', 'ok'),
    );
    expect(step?.calls).toMatchObject([
      { id: 'c1', tool: 'exec' },
      { id: 'exec-1', tool: 'exec_command', args: { cmd: 'make', workdir: '/w' }, within: 'c1' },
      {
        id: 'exec-2',
        tool: 'apply_patch',
        args: { changes: { 'a.txt': { move_path: 'b.txt' } } },
        within: 'c1',
      },
    ]);
    expect(step?.results).toMatchObject([
      { call: 'exec-1', text: 'no rule', failed: true, exit: 2 },
      { call: 'exec-2', failed: false, passed: true },
      { call: 'c1', failed: false, passed: true },
    ]);
  });

  test('by its literals where there are no events; one call has the end of the script, and never passed by it', () => {
    const source = 'const out = await tools.exec_command({ cmd: "make", workdir: dir });\ntext(out.output);';
    const step = stepOf(script(source), printed('completed', 'built'));
    expect(step?.calls?.[1]).toEqual({
      id: 'c1/1',
      tool: 'exec_command',
      args: { cmd: 'make' },
      within: 'c1',
    });
    expect(step?.results?.[1]).toEqual({ call: 'c1/1', text: 'built', failed: false });
    expect(stepOf(script(source), printed('failed', 'broken'))?.results?.[1]).toMatchObject({ failed: true });
  });

  test('of several calls nobody knows which printed what', () => {
    const source = 'await tools.exec_command({ cmd: "a" }); await tools.apply_patch(`*** Begin Patch`);';
    const step = stepOf(script(source), printed('failed', 'x'));
    expect(step?.results?.slice(1)).toEqual([
      { call: 'c1/1', text: '', failed: false },
      { call: 'c1/2', text: '', failed: false },
    ]);
  });

  test('and is not written again: the model made one call', () => {
    const transcript = readAll(script('await tools.exec_command({ cmd: "a" })'), printed('completed', 'x'));
    const written = compose(transcript, { id: 'x', folder: '/', now: 0, provider: 'p' });
    const back = read(written.text.split('\n').map((line) => Buffer.from(line)));
    expect(written.expected.map(({ what }) => what)).toEqual(['call', 'result']);
    expect(exchangesIn(back.steps)).toEqual(written.expected);
  });
});

describe('literals of a script', () => {
  test.each([
    [
      'names in quotes and without',
      `tools.a({ "x": 1, y: 'b', 'z': [true, null] })`,
      [{ x: 1, y: 'b', z: [true, null] }],
    ],
    ['escapes', String.raw`tools.a({ x: "a\n\"b\"\u0041" })`, [{ x: 'a\n"b"A' }]],
    ['raw text', 'tools.a(String.raw`a\\n`)', ['a\\n']],
    ['a name that was given a literal', 'const p = `x\ny`;\nawait tools.a(p)', ['x\ny']],
    ['a value that is computed is left out', 'tools.a({ x: 1 + 1, y: f({ z: 2 }), w: 3 })', [{ w: 3 }]],
    ['a text that is put together is left out', 'tools.a({ x: "a" + b, y: `${c}`, z: 1 })', [{ z: 1 }]],
    [
      'an argument that is computed is passed over',
      'tools.a(b); tools.a(c()); tools.a("x" + y); tools.a(1)',
      [1],
    ],
    [
      'what stands in texts and comments is no call',
      '// tools.a(1)\n/* tools.a(2) */ text("tools.a(3)")',
      [],
    ],
    ['what does not end', 'tools.a({ x: "', []],
  ])('%s', (_what, source, inputs) => {
    expect(callsInScript(source).map(({ input }) => input)).toEqual(inputs);
  });

  test.each([
    ['quotes that nothing closes', '"'.repeat(100_001)],
    ['brackets that nothing closes', `tools.a(${'['.repeat(200_000)}`],
    ['calls without number', 'tools.a({x:'.repeat(50_000)],
    ['comments that nothing closes', 'tools.a(/*'.repeat(50_000)],
  ])('%s are passed in time', (_what, source) => {
    const begun = performance.now();
    callsInScript(source);
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});

const ended = (output: string, more: object = {}): object | undefined =>
  stepOf(
    item({
      type: 'function_call',
      name: 'exec_command',
      arguments: '{"cmd":"make"}',
      call_id: 'c',
      ...more,
    }),
    item({ type: 'function_call_output', call_id: 'c', output }),
  )?.results?.[0];

describe('how a command ended stands in the head of its output', () => {
  const head = 'Chunk ID: a1b2c3\nWall time: 0.1000 seconds\n';

  test.each([
    [
      'behind the command',
      `Command: /bin/sh -lc "make\nit"\n${head}Process exited with code 2\nOutput:\n`,
      { failed: true, exit: 2 },
    ],
    ['alone', `${head}Process exited with code 0\nOutput:\n`, { failed: false, passed: true, exit: 0 }],
    ['a patch that did not fit', 'apply_patch verification failed: no such lines', { failed: true }],
    ['a command that could not begin', 'exec_command failed for `make`: denied', { failed: true }],
  ])('%s', (_what, output, outcome) => {
    expect(ended(output)).toMatchObject(outcome);
  });

  test('and is not known where it does not, or where the command could have written it', () => {
    const echoed = `Command: x\n${head}Process exited with code 0\n`;
    for (const result of [
      ended('all tests passed'),
      ended(echoed, { arguments: '{"cmd":"x\\nChunk ID: a"}' }),
    ]) {
      expect(result).toMatchObject({ failed: false });
      expect(result).not.toHaveProperty('passed');
      expect(result).not.toHaveProperty('exit');
    }
  });

  test('a command that went on behind its result ended as the tool says that reads on', () => {
    const { steps } = readAll(
      item({ type: 'function_call', name: 'exec_command', arguments: '{"cmd":"make"}', call_id: 'c' }),
      item({
        type: 'function_call_output',
        call_id: 'c',
        output: `${head}Process running with session ID 7\nOutput:\n`,
      }),
      item({ type: 'function_call', name: 'write_stdin', arguments: '{"session_id":7}', call_id: 'd' }),
      item({
        type: 'function_call_output',
        call_id: 'd',
        output: `${head}Process exited with code 1\nOutput:\nno rule`,
      }),
    );
    expect(steps[0]?.results).toMatchObject([{ call: 'c', failed: true, exit: 1 }]);
  });
});

test('the tags around a picture are not a person’s', () => {
  const content = [
    { type: 'input_text', text: 'put this on top' },
    { type: 'input_text', text: '<image name=[Image #1]>' },
    { type: 'input_image', image_url: 'data:' },
    { type: 'input_text', text: '</image>' },
  ];
  expect(stepOf(item({ type: 'message', role: 'user', content }))?.text).toBe('put this on top');
});
