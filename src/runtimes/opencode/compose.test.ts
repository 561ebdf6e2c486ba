import { describe, expect, test } from 'vitest';
import type { Step, Transcript } from '../../core/transcript/step.ts';
import { compose } from './compose.ts';
import { idSource } from './ids.ts';
import { ownCall } from './tools.ts';

const target = {
  folder: '/home/dev/demo',
  model: 'openrouter/vendor/model',
  now: 1_794_800_000_000,
  random: (count: number) => new Uint8Array(count).fill(11),
};

function transcript(
  steps: readonly Omit<Step, 'id' | 'at' | 'record'>[],
  title: string | null = null,
): Transcript {
  return {
    facts: {
      runtime: 'codex',
      session: 'x',
      version: null,
      model: null,
      folder: null,
      branch: null,
      commit: null,
      startedAt: null,
      title,
      parent: null,
    },
    steps: steps.map((step, i) => ({ id: i + 1, at: null, record: i, ...step })),
    omissions: [],
    unanswered: [],
  };
}

interface File {
  info: Record<string, unknown>;
  messages: { info: Record<string, unknown>; parts: Record<string, unknown>[] }[];
}

function fileOf(given: Transcript): File {
  return JSON.parse(compose(given, target).text) as File;
}

describe('compose', () => {
  test('each answer names the prompt before it, and the model with its provider', () => {
    const { messages } = fileOf(
      transcript([
        { source: 'user', text: 'one' },
        { source: 'agent', text: 'two' },
        { source: 'user', text: 'three' },
        { source: 'agent', text: 'four' },
      ]),
    );
    expect(messages.map(({ info }) => info['parentID'])).toEqual([
      undefined,
      messages[0]?.info['id'],
      undefined,
      messages[2]?.info['id'],
    ]);
    expect(messages[1]?.info).toMatchObject({ providerID: 'openrouter', modelID: 'vendor/model' });
    expect(messages[0]?.info['model']).toEqual({ providerID: 'openrouter', modelID: 'vendor/model' });
  });

  test('times rise and ids rise, and none is after now', () => {
    const given = transcript(Array.from({ length: 5000 }, (_, i) => ({ source: 'user', text: `n${i}` })));
    const steps = given.steps.map((step, i) => ({
      ...step,
      at: i === 7 ? target.now + 5000 : i % 3 === 0 ? i : null,
    }));
    const { messages } = fileOf({ ...given, steps });
    const times = messages.map(({ info }) => (info['time'] as { created: number }).created);
    const ids = messages.map(({ info }) => String(info['id']).slice(4, 16));
    for (const list of [times, ids]) expect(list).toEqual([...new Set<string | number>(list)].sort(rising));
    expect(times.at(-1)).toBeLessThan(target.now);
    const next = idSource(target.now, target.random).message().slice(4, 16);
    expect((ids.at(-1) ?? '') < next).toBe(true);
  });

  test('a transcript that begins with an answer gets a prompt that says so', () => {
    const { messages } = fileOf(transcript([{ source: 'agent', text: 'hi' }]));
    expect(messages).toHaveLength(2);
    expect(messages[0]?.parts[0]).toMatchObject({ type: 'text', synthetic: true });
    expect(messages[1]?.info['parentID']).toBe(messages[0]?.info['id']);
  });

  test('what is not written is counted, and no reasoning is (RT10)', () => {
    const made = compose(
      transcript([
        { source: 'system', text: 'context', mark: 'context' },
        { source: 'user', text: 'old', aside: 'compacted' },
        { source: 'user', text: 'left', aside: 'branch-left' },
        { source: 'system', text: 'the summary', mark: 'compaction' },
        { source: 'user', text: '' },
        {
          source: 'agent',
          text: 'said',
          reasoning: 'SECRET-THOUGHT',
          calls: [
            { id: 'a', tool: 'x', args: {}, raw: 'not json' },
            { id: 'b', tool: 'y', args: {} },
          ],
          results: [{ call: 'a', text: 'ok', failed: false, other: ['image/png', 'image/png'] }],
        },
      ]),
      target,
    );
    expect(made.text).not.toContain('SECRET-THOUGHT');
    expect(made.carried.map(({ source, text }) => [source, text])).toEqual([
      ['system', 'the summary'],
      ['agent', 'said'],
    ]);
    expect(Object.fromEntries(made.omissions.map(({ kind, count }) => [kind, count]))).toEqual({
      context: 1,
      compacted: 1,
      'branch-left': 1,
      empty: 1,
      reasoning: 1,
      'raw-arguments': 1,
      attachment: 2,
      'unanswered-call': 1,
    });
    expect(made.omissions.every(({ why }) => why !== '')).toBe(true);
  });

  test('every call has a result: completed, failed, or interrupted', () => {
    const { messages } = fileOf(
      transcript([
        { source: 'user', text: 'go' },
        {
          source: 'agent',
          text: '',
          calls: ['a', 'b', 'c', 'd'].map((id) => ({ id, tool: 'Bash', args: { command: id } })),
          results: [
            { call: 'a', text: 'fine', failed: false, exit: 0 },
            { call: 'b', text: 'code 1', failed: true, exit: 1 },
            { call: 'c', text: 'refused', failed: true },
          ],
        },
      ]),
    );
    expect(messages[1]?.info['finish']).toBe('tool-calls');
    expect(messages[1]?.parts.map((part) => part['state'])).toMatchObject([
      { status: 'completed', output: 'fine', metadata: { exit: 0 } },
      { status: 'completed', output: 'code 1', metadata: { exit: 1 } },
      { status: 'error', error: 'refused' },
      { status: 'error', error: 'The call was interrupted: the session ended before it had a result.' },
    ]);
  });

  test('the title is that of the session, else where it came from', () => {
    expect(fileOf(transcript([{ source: 'user', text: 'x' }], 'Fix\nit')).info['title']).toBe('Fix');
    expect(fileOf(transcript([{ source: 'user', text: 'x' }])).info['title']).toBe('Continued from codex');
  });
});

function rising(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

describe('tools', () => {
  test.each([
    ['exec_command', { cmd: 'ls', workdir: '/a' }, 'bash', { command: 'ls', workdir: '/a' }],
    ['Bash', { command: 'ls', timeout: 5 }, 'bash', { command: 'ls', timeout: 5 }],
    ['run_shell_command', { command: 'ls', dir_path: 'x' }, 'bash', { command: 'ls', workdir: 'x' }],
    ['shell', { command: ['bash', '-lc', 'ls | wc'] }, 'bash', { command: 'ls | wc' }],
    ['shell', { command: ['echo', "it's"] }, 'bash', { command: String.raw`echo 'it'\''s'` }],
    ['Read', { file_path: '/a', limit: 3 }, 'read', { filePath: '/a', limit: 3 }],
    ['write_file', { file_path: '/a', content: 'x' }, 'write', { filePath: '/a', content: 'x' }],
    [
      'Edit',
      { file_path: '/a', old_string: 'x', new_string: 'y', replace_all: true },
      'edit',
      { filePath: '/a', oldString: 'x', newString: 'y', replaceAll: true },
    ],
    ['Edit', { file_path: '/a' }, 'Edit', { file_path: '/a' }],
    ['apply_patch', { input: 'x' }, 'apply_patch', { input: 'x' }],
    ['constructor', {}, 'constructor', {}],
  ])('%s %o becomes %s', (tool, args, name, input) => {
    expect(ownCall({ tool, args })).toEqual({ tool: name, input });
  });
});

test('ids of sessions fall as time passes, and those of messages rise', () => {
  const early = idSource(1_794_800_000_000, target.random);
  const late = idSource(1_794_800_000_001, target.random);
  expect(early.session()).toMatch(/^ses_[0-9a-f]{12}[0-9A-Za-z]{14}$/);
  expect(late.session() < early.session()).toBe(true);
  expect(late.message() > early.message()).toBe(true);
});
