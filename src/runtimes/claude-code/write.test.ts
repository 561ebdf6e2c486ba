import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { captured, cases, fixture, folder, put } from '../../../test/runtimes/fixtures/claude-code/load.ts';
import type { SessionFacts, Step, Transcript } from '../../core/transcript/step.ts';
import { compose } from './compose.ts';
import { read } from './read/read.ts';
import { differenceOf, placeOf, write } from './write.ts';

const session = '0b0f7a3e-6d0c-4a53-9f0d-2f6d6c1f9a11';
const now = Date.parse('2026-11-15T12:00:00Z');

const noFacts: SessionFacts = {
  runtime: 'codex',
  session: 'x',
  version: null,
  model: null,
  folder: null,
  branch: null,
  commit: null,
  startedAt: null,
  title: null,
  parent: null,
};

function transcript(steps: readonly Partial<Step>[], facts: Partial<SessionFacts> = {}): Transcript {
  const whole = steps.map((step, i): Step => ({
    id: i + 1,
    source: 'user',
    at: null,
    text: '',
    record: i,
    ...step,
  }));
  return { facts: { ...noFacts, ...facts }, steps: whole, omissions: [], unanswered: [] };
}

async function rewritten(of: Transcript) {
  const home = folder();
  const written = await write(of, { home, session, folder: '/home/dev/demo', now });
  const { records } = await captured(written.place);
  return { home, written, again: read(records), bytes: readFileSync(written.place.path, 'utf8') };
}

const plain = ({ source, text, calls, results }: Step) => ({
  source,
  text,
  calls: calls?.map(({ id, tool, args }) => ({ id, tool, args })),
  results: results?.map(({ call, text, failed }) => ({ call, text, failed })),
});
const kinds = (omissions: readonly { kind: string; count: number }[]) =>
  Object.fromEntries(omissions.map(({ kind, count }) => [kind, count]));

describe('the way there and back', () => {
  const quiet = cases.filter(({ file }) => !['compaction.jsonl', 'crash-mid-tool.jsonl'].includes(file));

  test.each(quiet)('$file comes back with the same roles, texts, calls and results', async ({ file }) => {
    const before = read((await captured(fixture(file))).records);
    const { again } = await rewritten(before);
    const said = before.steps.filter(({ source, aside }) => source !== 'system' && aside === undefined);
    expect(again.steps.map(plain)).toEqual(said.map(plain));
  });

  test('a call that was under way comes back as interrupted', async () => {
    const before = read((await captured(fixture('crash-mid-tool.jsonl'))).records);
    const { again, written } = await rewritten(before);
    expect(again.unanswered).toEqual([]);
    expect(again.steps.at(-1)?.results).toMatchObject([
      { failed: true, text: expect.stringContaining('interrupted') },
    ]);
    expect(kinds(written.omissions)).toMatchObject({ 'unanswered-call': 1 });
  });

  test('after a compaction the summary comes first, then what it preserved, and nothing older', async () => {
    const before = read((await captured(fixture('compaction.jsonl'))).records);
    const { again, written } = await rewritten(before);
    expect(again.steps.map(({ source, text }) => [source, text])).toEqual([
      ['system', '[vendor prompt text, 1059 characters, left out]'],
      ['agent', 'sub done'],
      ['user', '/compact keep it short'],
      ['user', 'after compact [[say ok3]]'],
      ['agent', 'ok3'],
    ]);
    expect(kinds(written.omissions)).toEqual({ aside: 18, reasoning: 2, 'program-message': 10 });
  });

  test('words in which a reader sees the program speaking do not keep a session from being written', async () => {
    const words = [
      '<system-reminder>mine</system-reminder>',
      '[Request interrupted by user]',
      '<command-name>/x</command-name>',
      '<system-reminder>mine</system-reminder>\nand these',
    ];
    const { bytes } = await rewritten(transcript(words.map((text) => ({ text }))));
    for (const each of words) expect(bytes).toContain(JSON.stringify(each));
  });

  test('texts of every kind come back', async () => {
    const texts = [
      '"quotes" \\ and\nlines\r\n\t',
      'nul \u0000',
      'lone \ud800 surrogate',
      'line\u2028and\u2029paragraph',
      '👩‍🚀 e\u0301',
      '__proto__',
    ];
    const { again } = await rewritten(transcript(texts.map((text) => ({ text }))));
    expect(again.steps.map(({ text }) => text)).toEqual(texts);
  });
});

describe('from another program', () => {
  const calls = [
    { id: 'call_1', tool: 'exec_command', args: { cmd: 'ls "a b"', workdir: '/x' } },
    { id: 'not/an id', tool: 'ns.tool', args: {}, raw: '*** Begin Patch' },
  ];
  const results = [
    { call: 'not/an id', text: '', failed: true },
    { call: 'call_1', text: '', failed: false, other: ['image'] },
  ];
  const foreign = transcript(
    [
      { source: 'agent', text: 'First.' },
      { source: 'agent', text: ' ', reasoning: 'SECRET', model: 'gpt-5-codex', calls, results },
      { source: 'agent', reasoning: 'SECRET' },
      { source: 'system', text: 'REMINDER', mark: 'context' },
      { text: 'LEFT', aside: 'branch-left' },
    ],
    { title: 'A title', branch: 'main' },
  );

  test('calls take the own names, ids that the service takes, and whole pairs', async () => {
    const { again } = await rewritten(foreign);
    expect(again.steps.map(({ source }) => source)).toEqual(['system', 'agent', 'agent']);
    const [shell, other] = again.steps[2]?.calls ?? [];
    expect(shell).toEqual({ id: 'call_1', tool: 'Bash', args: { command: 'ls "a b"' } });
    expect(other).toMatchObject({ tool: 'ns_tool', args: { input: '*** Begin Patch' } });
    expect(other?.id).toMatch(/^toolu_[0-9a-f]{24}$/);
    expect(again.steps[2]?.results).toEqual([
      { call: 'call_1', text: '[Not carried over: image]', failed: false },
      { call: other?.id, text: '(no output)', failed: true },
    ]);
  });

  test('no reasoning, no foreign model and nothing that was left is written', async () => {
    const { bytes, written } = await rewritten(foreign);
    for (const gone of ['SECRET', 'thinking', 'gpt-5-codex', 'REMINDER', 'LEFT'])
      expect(bytes).not.toContain(gone);
    expect(kinds(written.omissions)).toEqual({
      aside: 1,
      'tool-argument': 1,
      'result-content': 1,
      reasoning: 2,
      'empty-message': 1,
      'program-message': 1,
    });
  });

  test('a model is named only where it is one of the own program', async () => {
    const models = ['claude-x', 'other'].map((model) => ({ source: 'agent' as const, text: 'x', model }));
    const own = await rewritten(transcript([{ text: 'go' }, ...models], { runtime: 'claude-code' }));
    expect(own.again.steps.map(({ model }) => model)).toEqual([undefined, 'claude-x', undefined]);
    const foreign = await rewritten(transcript([{ text: 'go' }, ...models]));
    expect(foreign.bytes).not.toContain('"model"');
  });

  test('the session says where it belongs', async () => {
    const { again } = await rewritten(foreign);
    expect(again.facts).toMatchObject({
      session,
      folder: '/home/dev/demo',
      branch: 'main',
      title: 'A title',
      model: null,
    });
  });

  test('the same transcript under the same id gives the same bytes, in order of time', () => {
    const options = { session, folder: '/home/dev/demo', now };
    const { lines } = compose(foreign, options);
    expect(compose(foreign, options).lines).toEqual(lines);
    const times = lines.slice(1).map((line) => (JSON.parse(line) as { timestamp: string }).timestamp);
    expect(times).toEqual([...new Set(times)].toSorted());
  });

  test('times that go backwards or make no sense are put in order', () => {
    const steps = [5e12, 1, -7, Number.NaN, 9e15].map((at) => ({ text: 'x', at }));
    const { lines } = compose(transcript(steps), { session, folder: '/', now });
    const times = lines.map((line) => Date.parse((JSON.parse(line) as { timestamp: string }).timestamp));
    expect(times).toEqual([5e12, 5e12 + 1, 5e12 + 2, 5e12 + 3, 5e12 + 4]);
  });
});

describe('what is written', () => {
  const small = transcript([{ text: 'go' }]);

  test('is one file of the owner, in the project of its folder', async () => {
    const { home, written } = await rewritten(small);
    expect(written.place).toEqual(placeOf({ home, folder: '/home/dev/demo', session }));
    expect(written.place.path).toBe(join(home, 'projects', '-home-dev-demo', `${session}.jsonl`));
    expect(statSync(written.place.path).mode & 0o777).toBe(0o600);
    expect(readdirSync(home, { recursive: true })).toHaveLength(3);
  });

  test('never touches a session that is there', async () => {
    const home = folder();
    const options = { home, session, folder: '/home/dev/demo', now };
    const { path } = put(placeOf(options).path, 'theirs');
    await expect(write(small, options)).rejects.toThrow('is there already');
    expect(readFileSync(path, 'utf8')).toBe('theirs');
  });

  test('is refused under an id that is no UUID, for a folder that is no path, and for nothing', async () => {
    const home = folder();
    const options = { home, session, folder: '/home/dev/demo', now };
    await expect(write(small, { ...options, session: '../../evil' })).rejects.toThrow('no UUID');
    await expect(write(small, { ...options, folder: 'demo' })).rejects.toThrow('no absolute path');
    await expect(write(transcript([]), options)).rejects.toThrow('nothing that could be written');
    expect(readdirSync(home)).toEqual([]);
  });

  test('is taken away again where it does not come back as written', async () => {
    const home = folder();
    let args: Record<string, unknown> = {};
    for (let depth = 0; depth < 500; depth += 1) args = { args };
    const deep = transcript([
      { text: 'go' },
      { source: 'agent', calls: [{ id: 'c', tool: 'T', args: args as never }] },
    ]);
    const options = { home, session, folder: '/home/dev/demo', now };
    await expect(write(deep, options)).rejects.toThrow('the calls of turn 2 did not come back as written');
    expect(existsSync(placeOf(options).path)).toBe(false);
  });

  test('a folder with a long path has a name that is cut', () => {
    const { path } = placeOf({ home: '/h', session, folder: `/${'x'.repeat(300)}` });
    expect(path.split('/').at(-2)).toMatch(/^-x{199}-[0-9a-f]{6}$/);
  });
});

describe('the comparison', () => {
  const turn = {
    role: 'assistant' as const,
    text: 'a',
    calls: [{ id: 'c', tool: 'T', args: '{"x":1}' }],
    results: [{ call: 'c', text: 'r', failed: false }],
  };
  const step = {
    source: 'agent' as const,
    text: 'a',
    calls: [{ id: 'c', tool: 'T', args: { x: 1 } }],
    results: [{ call: 'c', text: 'r', failed: false }],
  };

  test('finds no difference where there is none', () => {
    expect(differenceOf([turn], transcript([step]))).toBeNull();
  });

  test.each([
    ['role', { source: 'user' as const }],
    ['text', { text: 'b' }],
    ['calls', { calls: [{ id: 'c', tool: 'T', args: { x: 2 } }] }],
    ['results', { results: [{ call: 'c', text: 'r', failed: true }] }],
  ])('finds another %s', (part, change) => {
    expect(differenceOf([turn], transcript([{ ...step, ...change }]))).toContain(`the ${part} of turn 1`);
  });

  test('finds a turn too many', () => {
    expect(differenceOf([turn], transcript([step, step]))).toBe('1 turns were written and 2 found');
  });
});
