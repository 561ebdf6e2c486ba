/** The proof can fail: each way in which a history can be told wrong is a difference. */
import { expect, test } from 'vitest';
import type { Said } from './model/dialect.ts';
import { difference, type Wanted } from './proof.ts';

const wanted: readonly Wanted[] = [
  { user: 'Make it' },
  { agent: 'I will.' },
  { shell: 'make' },
  { result: 'made' },
  { agent: 'Made.' },
  { user: 'Go on' },
];

const told: readonly Said[] = [
  { by: 'system', text: 'You are an agent.' },
  { by: 'user', text: '<context>of the program</context>' },
  { by: 'user', text: 'Make it' },
  { by: 'agent', text: 'I will.' },
  { by: 'call', id: 'c1', tool: 'Bash', args: { command: 'make', description: 'x' } },
  { by: 'result', id: 'c1', text: 'exit 0\nmade\n' },
  { by: 'agent', text: 'Made.' },
  { by: 'user', text: 'Go on' },
];

function without(index: number, ...instead: readonly Said[]): Said[] {
  return told.toSpliced(index, 1, ...instead);
}

test('a history that was told in full is without a difference, whatever the program adds', () => {
  expect(difference(told, wanted, 'claude-code')).toBeNull();
});

test('what a program says for an agent that broke off is passed over, in that program alone', () => {
  const filled: Said[] = [
    ...told.slice(0, -1),
    { by: 'agent', text: 'No response requested.' },
    ...told.slice(-1),
  ];
  expect(difference(filled, wanted, 'claude-code')).toBeNull();
  expect(difference([{ by: 'agent', text: 'No response requested.' }], [], 'codex')).toMatch(/nobody said/);
});

test.each<[string, readonly Said[], RegExp]>([
  ['the prompt is missing', without(2), /^at 1 of 6/],
  ['the text is missing', without(3), /^at 2 of 6/],
  ['the call is missing', without(4), /^at 3 of 6/],
  ['the result is missing', without(5), /^at 4 of 6/],
  ['the final text is missing', without(6), /^at 5 of 6/],
  ['the new prompt is missing', without(7), /^at 6 of 6 nothing/],
  ['nothing was told', [], /^at 1 of 6 nothing/],
  ['the prompt was told twice', [...told, { by: 'user', text: 'Make it' }], /nobody said/],
  [
    'the result was told twice',
    without(5, { by: 'result', id: 'c1', text: 'made' }, { by: 'result', id: 'c1', text: 'made' }),
    /^at 5 of 6/,
  ],
  [
    'the result is of another call',
    without(5, { by: 'result', id: 'c2', text: 'made' }),
    /not of the call before/,
  ],
  ['the result says something else', without(5, { by: 'result', id: 'c1', text: 'failed' }), /^at 4 of 6/],
  ['the user said what the agent did', without(3, { by: 'user', text: 'I will.' }), /^at 2 of 6/],
  [
    'the command is another',
    without(4, { by: 'call', id: 'c1', tool: 'Bash', args: { command: 'make all' } }),
    /^at 3 of 6/,
  ],
  [
    'the tool is that of another program',
    without(4, { by: 'call', id: 'c1', tool: 'bash', args: { command: 'make' } }),
    /^at 3 of 6/,
  ],
  ['the agent said more', [...told, { by: 'agent', text: 'More.' }], /nobody said/],
  ['the order is another', [...told.slice(0, 2), ...told.slice(2).toReversed()], /^at 1 of 6/],
])('a difference is found where %s', (_name, heard, found) => {
  expect(difference(heard, wanted, 'claude-code')).toMatch(found);
});
