import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Step, Transcript } from '../../../core/transcript/step.ts';
import { read } from './read.ts';

const fixtures = join(import.meta.dirname, '../../../../test/runtimes/fixtures/copilot-cli');

function session(file: string): Transcript {
  const lines = readFileSync(join(fixtures, file), 'utf8').split('\n');
  return read(lines.filter((line) => line !== '').map((line) => Buffer.from(line)));
}

function outline({ id, source, text, mark, aside, calls = [], results = [] }: Step): string {
  const how = results.map(({ failed, passed }) => (failed ? 'failed' : passed === true ? 'passed' : 'ran'));
  const said = [mark, aside, ...calls.map(({ tool }) => tool), ...how].filter((one) => one !== undefined);
  return `s${id} ${source}: ${text.slice(0, 40).replaceAll('\n', ' ')}${said.length === 0 ? '' : ` | ${said.join(' ')}`}`;
}

test.each([
  [
    'after-resume.jsonl',
    [
      's1 user: list the files',
      's2 agent: I will look. | bash passed',
      's3 agent: One file.',
      's4 user: and now?',
      's5 agent: Nothing more.',
    ],
  ],
  ['crash-mid-tool.jsonl', ['s1 user: wait', 's2 agent: Waiting. | bash']],
  [
    'file-edit.jsonl',
    [
      's1 user: write a file',
      's2 agent: I write. | create passed',
      's3 agent: I change. | edit passed',
      's4 agent: I test. | bash ran',
      's5 agent: Done.',
    ],
  ],
  [
    'hooks.jsonl',
    [
      's1 system: CTX-SessionStart | context',
      's2 system: CTX-UserPromptSubmit | context',
      's3 user: list the files',
      's4 agent: I will look. | bash passed',
      's5 system: CTX-PostToolUse | context',
      's6 agent: and fail | view failed',
      's7 agent: One file.',
    ],
  ],
  [
    'usage-limit.jsonl',
    [
      's1 user: begin',
      's2 agent: I begin. | bash passed',
      's3 system: 402 Insufficient credits. | usage-limit',
    ],
  ],
  [
    'subagent-compaction.jsonl',
    [
      's1 user: go | compacted',
      's2 agent: sub | compacted task glob passed passed',
      's3 agent: back | compacted',
      's4 system: <overview>summary words</overview> | compaction',
      's5 user: after',
      's6 agent: After.',
    ],
  ],
])('%s', (file, expected) => {
  expect(session(file).steps.map(outline)).toEqual(expected);
});

test('a call without its result is under way, and one of an agent stands with the one that started it', () => {
  expect(session('crash-mid-tool.jsonl').unanswered.map(({ tool }) => tool)).toEqual(['bash']);
  const { steps, unanswered } = session('subagent-compaction.jsonl');
  expect(unanswered).toEqual([]);
  const [task, glob] = steps[1]?.calls ?? [];
  expect([task?.within, glob?.within]).toEqual([undefined, task?.id]);
});

test('facts, readable reasoning, usage and exits are those of the events', () => {
  const { facts, steps } = session('basic.jsonl');
  expect(facts).toMatchObject({
    runtime: 'copilot-cli',
    session: '1fbc279c-a83b-42c3-83a9-7bb9fbc0917a',
    version: '1.0.102',
    model: 'lab-large',
    folder: '/home/dev/demo',
    branch: 'main',
  });
  expect(steps[1]).toMatchObject({ reasoning: 'hmm let me see', usage: { windowMax: 128_000 } });
  expect(session('file-edit.jsonl').steps[3]?.results).toMatchObject([{ exit: 3 }]);
});

const event = (type: string, id: string, data: object): Uint8Array =>
  Buffer.from(JSON.stringify({ type, id, data, timestamp: '2026-11-18T16:11:45.239Z' }));

test.each([
  [[event('session.snapshot_rewind', 'r', { upToEventId: 'b', eventsRemoved: 2 })], [1]],
  [[event('session.snapshot_rewind', 'r', { upToEventId: 'b', eventIds: ['b'] })], [1, 3]],
  [[event('session.context_cleared', 'r', { messagesCleared: 3 })], []],
])('what was taken back is aside', (after, seen) => {
  const said = ['a', 'b', 'c'].map((id) => event('user.message', id, { content: id }));
  const { steps } = read([...said, ...after]);
  expect(steps.filter(({ aside }) => aside === undefined).map(({ id }) => id)).toEqual(seen);
});

test.each([
  [{ errorType: 'quota', message: 'No premium requests are left.' }, 'usage-limit'],
  [{ errorType: 'rate_limit', errorCode: 'user_weekly_rate_limited', message: 'x' }, 'usage-limit'],
  [{ errorType: 'rate_limit', errorCode: 'rate_limited', message: 'x' }, 'rate-limited'],
  [{ errorType: 'context_limit', message: 'x' }, 'context-limit'],
  [{ errorType: 'query', statusCode: 500, message: 'x' }, 'error'],
])('%o is told as %s', (data, mark) => {
  expect(read([event('session.error', 'e', data)]).steps).toMatchObject([{ source: 'system', mark }]);
});

test('what the program says in a user’s name is its own', () => {
  const { steps } = read([
    event('user.message', 'a', { content: 'skill words', source: 'skill-tally' }),
    event('user.message', 'b', { content: 'go on', isAutopilotContinuation: true }),
    event('user.message', 'c', { content: 'mine', transformedContent: '<current_datetime/>mine' }),
  ]);
  expect(steps.map(({ source, text }) => [source, text])).toEqual([
    ['system', 'skill words'],
    ['system', 'go on'],
    ['user', 'mine'],
  ]);
});
