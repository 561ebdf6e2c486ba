import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Step, Transcript } from '../../../core/transcript/step.ts';
import { mapped } from '../../claude-code/tools.ts';
import { ownCall } from '../../opencode/tools.ts';
import { compose } from '../compose.ts';
import { nativeCall } from '../tools.ts';
import { read } from './read.ts';

const fixtures = join(import.meta.dirname, '../../../../test/runtimes/fixtures/qwen-code');

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
      's2 agent: I will look. | run_shell_command passed',
      's3 agent: One file.',
      's4 user: and now?',
      's5 agent: Nothing more.',
    ],
  ],
  ['crash-mid-tool.jsonl', ['s1 user: wait', 's2 agent: Waiting. | run_shell_command']],
  [
    'hooks.jsonl',
    [
      's1 system: <qwen:user-prompt-submit-context> CTX-Us | context',
      's2 user: list the files',
      's3 agent: I will look. | run_shell_command failed',
      's4 agent: One file.',
    ],
  ],
  [
    'usage-limit.jsonl',
    [
      's1 user: begin',
      's2 agent: I begin. | run_shell_command passed',
      's3 system: 402 Insufficient credits. | usage-limit',
    ],
  ],
  [
    'referenced-file.jsonl',
    [
      's1 system:  --- Content from referenced files ---   | context',
      's2 user: see @a.txt please',
      's3 agent: Seen.',
    ],
  ],
  [
    'subagent/chats/164f9a47-004d-4cf4-a924-83c71e03d97c.jsonl',
    [
      's1 user: go | compacted',
      's2 agent: sub | compacted agent passed',
      's3 agent: from the agent | compacted',
      's4 system: <task-notification> <task-id>general-pur | context compacted',
      's5 agent: x | compacted',
      's6 system: <state_snapshot>summary words</state_sna | compaction',
      's7 system: <system-reminder> 1 background agent was | context',
      's8 user: after',
      's9 agent: After.',
    ],
  ],
])('%s', (file, expected) => {
  expect(session(file).steps.map(outline)).toEqual(expected);
});

test('a call without its result is under way', () => {
  expect(session('crash-mid-tool.jsonl').unanswered.map(({ tool }) => tool)).toEqual(['run_shell_command']);
  expect(session('basic.jsonl').unanswered).toEqual([]);
});

test('facts, readable reasoning and usage are those of the records', () => {
  const { facts, steps } = session('basic.jsonl');
  expect(facts).toMatchObject({
    runtime: 'qwen-code',
    session: 'efd565b8-fdbd-4a20-98ca-4f00ce3592ac',
    version: '0.24.4',
    model: 'lab-large',
    folder: '/home/dev/demo',
  });
  expect(steps[1]).toMatchObject({ reasoning: 'hmm let me see', usage: { input: 18_964, window: 18_980 } });
});

const record = (uuid: string, parentUuid: string | null, text: string): Uint8Array =>
  Buffer.from(JSON.stringify({ uuid, parentUuid, type: 'user', message: { parts: [{ text }] } }));

test('what was said on a branch that was left is aside', () => {
  const { steps } = read([record('a', null, 'one'), record('b', 'a', 'two'), record('c', 'a', 'three')]);
  expect(steps.map(({ text, aside }) => [text, aside])).toEqual([
    ['one', undefined],
    ['two', 'branch-left'],
    ['three', undefined],
  ]);
});

test('words that look like the program’s come back as those of the user', () => {
  const words = [
    '<system-reminder>mine</system-reminder>',
    'ends so\n\n',
    'These are the words of the user:\n',
  ];
  const steps = words.map((text, at): Step => ({ id: at + 1, source: 'user', at: 0, text, record: at }));
  let bytes = 0;
  const random = (count: number): Uint8Array => {
    bytes += 1;
    return Buffer.alloc(count, bytes);
  };
  const { facts } = session('basic.jsonl');
  const transcript = { facts, steps, omissions: [], unanswered: [] };
  const { lines } = compose(transcript, { session: 's', folder: '/w', now: 0, random });
  const back = read(lines.map((line) => Buffer.from(line)));
  expect(back.steps.map(({ source, text }) => [source, text])).toEqual(words.map((text) => ['user', text]));
});

test('a tool that two programs call alike is told apart by its arguments', () => {
  const args = { file_path: '/a', old_string: 'x', new_string: 'y', replace_all: true };
  const theirs = { filePath: '/a', oldString: 'x', newString: 'y', replaceAll: true };
  expect(ownCall({ tool: 'edit', args })).toEqual({ tool: 'edit', input: theirs });
  expect(nativeCall('several', { id: 'c', tool: 'edit', args: theirs })).toEqual({
    tool: 'edit',
    args,
    dropped: 0,
  });
  expect(mapped({ id: 'c', tool: 'edit', args }, 'qwen-code')).toMatchObject({ tool: 'Edit', args });
});
