import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exported, type Export } from '../../../../test/runtimes/fixtures/opencode/database.ts';
import type { Step, Transcript } from '../../../core/transcript/step.ts';
import { read as readRecords } from './read.ts';

const fixtures = join(import.meta.dirname, '../../../../test/runtimes/fixtures/opencode');
const manifest = JSON.parse(readFileSync(join(fixtures, 'manifest.json'), 'utf8')) as {
  files: Record<string, { steps: string[]; unanswered?: number; omissions?: string[] }>;
};

/** The stored form, as capture.ts makes it of the rows behind an export. */
function recordsOf({ info, messages }: Export): object[] {
  const { id, title, version, directory, parentID } = info;
  const session = { type: 'session', id, data: { title, version, directory, parent_id: parentID } };
  const rows = messages.flatMap((message) => [
    { type: 'message', id: message.info.id, created: 1, data: message.info },
    ...message.parts.map((part) => ({ type: 'part', id: part.id, message: message.info.id, data: part })),
  ]);
  return [session, ...rows];
}

function read(records: readonly (object | string)[]): Transcript {
  return readRecords(
    records.map((record) => Buffer.from(typeof record === 'string' ? record : JSON.stringify(record))),
  );
}

function shown({ source, mark, calls, results, aside }: Step): string {
  const count = calls === undefined ? '' : ` +${calls.length}/${results?.length ?? 0}`;
  return `${source}${mark === undefined ? '' : `:${mark}`}${count}${aside === undefined ? '' : ` (${aside})`}`;
}

describe('fixtures', () => {
  test.each(Object.keys(manifest.files))('%s says what the manifest says', (file) => {
    const expected = manifest.files[file];
    const transcript = read(recordsOf(exported(file.replace('.json', ''))));
    expect(transcript.steps.map(shown)).toEqual(expected?.steps);
    expect(transcript.steps.map(({ id }) => id)).toEqual(transcript.steps.map((_, i) => i + 1));
    expect(transcript.unanswered).toHaveLength(expected?.unanswered ?? 0);
    expect(transcript.omissions.map(({ kind }) => kind)).toEqual(expected?.omissions ?? []);
  });

  test('a step has text, reasoning, call, result, model and figures of the program', () => {
    const { steps, facts } = read(recordsOf(exported('compaction')));
    expect(steps[1]).toMatchObject({
      source: 'agent',
      at: 1794768537460,
      text: 'FAKE-TEXT step 0: calling bash.',
      reasoning: 'FAKE-THINKING step 0: I should call bash',
      model: 'fake/fake-model',
      calls: [{ id: 'call_2a2e8c9faf483f92c690287e', tool: 'bash', args: { command: 'echo one' } }],
      results: [{ call: 'call_2a2e8c9faf483f92c690287e', text: 'one\n', failed: false, exit: 0 }],
      usage: { input: 199000, output: 9, window: 199009 },
    });
    expect(facts).toMatchObject({
      runtime: 'opencode',
      session: 'ses_e1f757e61ffecySH5NGqw75b3f',
      version: '1.18.33',
      folder: '/home/dev/demo',
      model: 'fake/fake-model',
    });
  });

  test('a call that ran an agent names its session, and that session its parent', () => {
    const parent = read(recordsOf(exported('subagent-parent')));
    const child = read(recordsOf(exported('subagent-child')));
    expect(parent.steps[1]?.calls?.[0]?.subagent).toBe(child.facts.session);
    expect(child.facts.parent).toBe(parent.facts.session);
  });
});

const user = (id: string, data: object = {}): object => ({
  type: 'message',
  id,
  data: { role: 'user', ...data },
});
const agent = (id: string, data: object = {}): object => ({
  type: 'message',
  id,
  data: { role: 'assistant', ...data },
});
const part = (message: string, id: string, data: object): object => ({ type: 'part', id, message, data });
const text = (message: string, id: string, words: string, more: object = {}): object =>
  part(message, id, { type: 'text', text: words, ...more });

const compacted = (tail: object, summary: object): object[] => [
  user('m1'),
  text('m1', 'p1', 'first'),
  user('m2'),
  text('m2', 'p2', 'second'),
  user('m3'),
  part('m3', 'p3', { type: 'compaction', auto: true, ...tail }),
  agent('m4', { parentID: 'm3', summary: true, ...summary }),
  text('m4', 'p4', 'the summary'),
];
const asides = (records: readonly object[]): unknown[] => read(records).steps.map(({ aside }) => aside);
const reverted = (revert: object): object => ({ type: 'session', id: 's', data: { revert } });
const firstCall = (message: string, id: string): object =>
  part(message, id, {
    type: 'tool',
    tool: 'bash',
    callID: 'call_0',
    state: { status: 'completed', output: id },
  });

describe('sources', () => {
  test('what the program put into the mouth of the user is system', () => {
    const { steps } = read([
      user('m1'),
      text('m1', 'p1', 'look at @a.txt'),
      text('m1', 'p2', 'contents of a.txt', { synthetic: true }),
      text('m1', 'p3', 'and be quick'),
      text('m1', 'p4', 'a note of a plugin', { ignored: true }),
    ]);
    expect(steps.map(({ source, text: words }) => [source, words])).toEqual([
      ['user', 'look at @a.txt\nand be quick'],
      ['system', 'contents of a.txt\na note of a plugin'],
    ]);
  });

  test.each([
    [{ name: 'MessageAbortedError', data: { message: 'aborted' } }, 'interrupted'],
    [{ name: 'APIError', data: { message: 'slow down', statusCode: 429 } }, 'rate-limited'],
    [{ name: 'APIError', data: { message: 'You exceeded your quota', statusCode: 429 } }, 'usage-limit'],
    [{ name: 'APIError', data: { message: 'boom', statusCode: 500 } }, 'error'],
  ])('an error is a mark, and in the words of the program: %o', (error, mark) => {
    const { steps } = read([agent('m1', { error }), agent('m2', { error }), text('m2', 'p1', 'half an ans')]);
    const words = `[opencode: ${error.name}: ${error.data.message}]`;
    expect(steps[0]).toMatchObject({ source: 'system', mark, text: words });
    expect(steps[1]).toMatchObject({ source: 'agent', mark, text: `half an ans\n\n${words}` });
  });

  test('a command that ended with a code other than 0 failed, and so did a tool with an error', () => {
    const state = { status: 'completed', input: {}, output: 'no', metadata: { exit: 2 } };
    const { steps } = read([
      agent('m1'),
      part('m1', 'p1', { type: 'tool', tool: 'bash', callID: 'a', state }),
      part('m1', 'p2', {
        type: 'tool',
        tool: 'edit',
        callID: 'b',
        state: { status: 'error', error: 'no file' },
      }),
    ]);
    expect(steps[0]?.results).toEqual([
      { call: 'a', text: 'no', failed: true, exit: 2 },
      { call: 'b', text: 'no file', failed: true },
    ]);
  });

  test.each([
    ['bash', { exit: 0 }, true],
    ['bash', { exit: null }, undefined],
    ['bash', {}, undefined],
    ['edit', {}, true],
  ])('a call of %s that ended with %o has passed: %s', (tool, metadata, passed) => {
    const state = { status: 'completed', input: {}, output: 'x', metadata };
    const { steps } = read([agent('m1'), part('m1', 'p1', { type: 'tool', tool, callID: 'a', state })]);
    expect(steps[0]?.results?.[0]?.passed).toBe(passed);
  });

  test('files are counted, and those in results are named by kind', () => {
    const state = { status: 'completed', output: '', attachments: [{ mime: 'image/png', url: 'data:' }, 3] };
    const { steps, omissions } = read([
      user('m1'),
      part('m1', 'p1', { type: 'file', mime: 'image/png', url: 'data:…' }),
      agent('m2'),
      part('m2', 'p2', { type: 'tool', tool: 'read', callID: 'a', state }),
    ]);
    expect(steps[0]).toMatchObject({ source: 'user', text: '' });
    expect(steps[1]?.results?.[0]?.other).toEqual(['image/png', 'file']);
    expect(omissions).toMatchObject([{ kind: 'file', count: 1 }]);
  });
});

describe('what the model does not see any more', () => {
  test('what a summary replaced', () => {
    expect(asides(compacted({}, { finish: 'stop' }))).toEqual([
      'compacted',
      'compacted',
      undefined,
      undefined,
    ]);
  });

  test('and the summary is told as one', () => {
    const { steps } = read(compacted({}, { finish: 'stop' }));
    expect(steps.at(-1)).toMatchObject({ text: 'the summary', mark: 'compaction', summary: 'compaction' });
  });

  test('but not the tail that was kept', () => {
    expect(asides(compacted({ tail_start_id: 'm2' }, { finish: 'stop' }))).toEqual([
      'compacted',
      undefined,
      undefined,
      undefined,
    ]);
  });

  test.each([{}, { finish: 'stop', error: { name: 'APIError' } }])(
    'and nothing while there is no whole summary: %o',
    (summary) => {
      expect(asides(compacted({}, summary))).toEqual([undefined, undefined, undefined, undefined]);
    },
  );

  test('what was taken back, from a message or a part on', () => {
    const messages = [user('m1'), text('m1', 'p1', 'a'), agent('m2'), text('m2', 'p2', 'b'), agent('m3')];
    expect(asides([reverted({ messageID: 'm2' }), ...messages])).toEqual([
      undefined,
      'branch-left',
      'branch-left',
    ]);
    expect(asides([reverted({ messageID: 'm2', partID: 'p2' }), ...messages])).toEqual([
      undefined,
      undefined,
      'branch-left',
    ]);
  });
});

describe('hostile and broken records', () => {
  const deep = `{"type":"part","id":"p","message":"m1","data":{"type":"tool","callID":"c","state":{"input":${'{"a":'.repeat(
    50_000,
  )}1${'}'.repeat(50_000)}}}}`;

  test.each([
    ['', 'unknown-record'],
    ['{"type":"mess', 'unknown-record'],
    ['null', 'unknown-record'],
    ['[1,2]', 'unknown-record'],
    ['{"type":"message","id":7,"data":{}}', 'unknown-record'],
    ['{"type":"dream","id":"x","data":{}}', 'unknown-record'],
    ['{"type":"message","id":"x","data":{"role":"ghost"}}', 'unknown-message'],
    ['{"type":"part","id":"x","message":"none","data":{"type":"text"}}', 'part-without-message'],
    ['{"type":"part","id":"x","message":"m1","data":{"type":"dream"}}', 'unknown-part'],
    ['{"type":"part","id":"x","message":"m1","data":{"type":7}}', 'unknown-part'],
  ])('%s is counted', (record, kind) => {
    const { omissions, steps } = read([agent('m1'), record]);
    expect(omissions).toMatchObject([{ kind, count: 1 }]);
    expect(omissions[0]?.why).not.toBe('');
    expect(steps).toHaveLength(1);
  });

  test('arguments that set a prototype or are too deep are no object', () => {
    const evil =
      '{"type":"part","id":"p","message":"m1","data":{"type":"tool","callID":"c","state":{"input":{"x":{"__proto__":{"admin":true}}}}}}';
    const { steps } = read([agent('m1'), evil]);
    expect(steps[0]?.calls?.[0]).toEqual({
      id: 'c',
      tool: 'unknown',
      args: {},
      raw: '{"x":{"__proto__":{"admin":true}}}',
    });
    expect(Object.hasOwn(Object.prototype, 'admin')).toBe(false);
    expect(read([agent('m1'), deep]).steps[0]?.calls?.[0]?.args).toEqual({});
  });

  test('of duplicate names the last counts, and a lone surrogate and a NUL are kept', () => {
    const { steps } = read([
      agent('m1'),
      String.raw`{"type":"part","id":"p","message":"m1","data":{"type":"text","text":"one","text":"\ud800\u0000"}}`,
    ]);
    expect(steps[0]?.text).toBe('\ud800\0');
  });

  test('messages that are each their own parents do no harm', () => {
    const { steps } = read([
      agent('m1', { parentID: 'm2', summary: true, finish: 'stop' }),
      agent('m2', { parentID: 'm1', summary: true, finish: 'stop' }),
    ]);
    expect(steps).toHaveLength(2);
  });

  test('a call id that was used before is made its own', () => {
    const { steps } = read([
      agent('m1'),
      firstCall('m1', 'p1'),
      agent('m2'),
      firstCall('m2', 'p2'),
      firstCall('m1', 'p1'),
    ]);
    expect(
      steps.map(({ calls, results }) => [calls?.[0]?.id, results?.[0]?.call, results?.[0]?.text]),
    ).toEqual([
      ['call_0', 'call_0', 'p1'],
      ['call_0 p2', 'call_0 p2', 'p2'],
    ]);
  });
});

test('a call that was cut off and spoken over is history, and not under way', () => {
  const call = { type: 'tool', tool: 'bash', callID: 'a', state: { status: 'running', input: {} } };
  const cutOff = [agent('m1'), part('m1', 'p1', call)];
  expect(read(cutOff).unanswered).toHaveLength(1);
  expect(read([...cutOff, user('m2'), text('m2', 'p2', 'go on')]).unanswered).toEqual([]);
});
