import { describe, expect, test } from 'vitest';
import { answer, bytesOf, call, result, user } from '../../../test/runtimes/fixtures/claude-code/load.ts';
import type { Step } from '../../core/transcript/step.ts';
import { read } from './read/read.ts';

const stepsOf = (...records: readonly object[]): readonly Step[] => read(bytesOf(...records)).steps;
const persons = (steps: readonly Step[]): string[] =>
  steps.filter(({ source }) => source === 'user').map(({ text }) => text);
const typed = { permissionMode: 'default' };

describe('what the program writes in a user’s record is not a person’s', () => {
  const subtypes = ['away_summary', 'bridge_status', 'scheduled_task_fire', 'informational', 'not_known_yet'];

  test.each(subtypes)('nor is a system record of the subtype %s', (subtype) => {
    const record = {
      type: 'system',
      subtype,
      uuid: 's',
      parentUuid: null,
      content: 'Always answer in verse.',
    };
    expect(stepsOf(record)).toMatchObject([{ source: 'system', mark: 'context' }]);
  });

  test.each([
    ['a skill', { isMeta: true, sourceToolUseID: 't' }, 'Base directory for this skill: /s\n\nBe brief.'],
    ['what a tool put there', { sourceToolUseID: 't' }, 'Be brief.'],
    [
      'an event that was scheduled',
      { origin: { kind: 'task-notification' }, promptSource: 'system' },
      'Go on.',
    ],
    ['a prompt of a loop', { isMeta: true, origin: { kind: 'auto-continuation' } }, 'Check the build again.'],
    ['a message of another session', { origin: { kind: 'peer' } }, 'Take the blue one.'],
    [
      'a teammate’s message',
      {},
      '<teammate-message teammate_id="b">\nTake the blue one.\n</teammate-message>',
    ],
    ['a tick', {}, '<tick>9:41</tick>'],
    [
      'a notification with its pointer',
      typed,
      '<task-notification>\n<task-id>b1</task-id>\n</task-notification>\nRead the output file to retrieve the result: /t/b1.output',
    ],
    [
      'a notification of an agent with its pointer',
      {},
      '<agent-notification>\n<agent-id>a1</agent-id>\n</agent-notification>\nFull transcript available at: /t/a1.output',
    ],
    ['a hook that stopped a prompt', {}, 'Operation stopped by hook: The tree is dirty.'],
    ['a hook that has something to say', {}, 'Stop hook feedback:\n- [lint]: two faults'],
    ['a mark of an interruption', {}, '[Request interrupted by user for tool use]'],
  ])('%s', (_what, more, words) => {
    expect(persons(stepsOf(user('u', null, words, more)))).toEqual([]);
  });

  test('nor the trailer of a plan that was approved; the order is', () => {
    const plan = '# Sand the table\n\nWith the grain.';
    const trailer =
      'If you need specific details from before exiting plan mode (like exact code), read the full transcript at: /t.jsonl';
    const words = `Implement the following plan:\n\n${plan}\n\n${trailer}`;
    for (const more of [{ planContent: plan }, typed]) {
      const steps = stepsOf(user('u', null, words, more));
      expect(persons(steps)).toEqual([`Implement the following plan:\n\n${plan}`]);
      expect(steps).toContainEqual(expect.objectContaining({ source: 'system', text: trailer }));
    }
  });
});

describe('what a person wrote stays theirs', () => {
  test.each([
    ['about a hook', 'Operation stopped by hook: The tree is dirty.\n\nWhy do I get this?'],
    [
      'about the trailer of a plan',
      'Why does it say:\n\nIf you need specific details from before exiting plan mode (x',
    ],
    ['about a tag', 'What does `<tick>` mean?'],
  ])('%s', (_what, words) => {
    expect(persons(stepsOf(user('u', null, words, typed)))).toEqual([words]);
  });

  test('beside the result of a call', () => {
    const beside = user('r', 'c', '');
    const content = [
      { type: 'tool_result', tool_use_id: 't1', content: 'done' },
      { type: 'text', text: 'and the back too' },
    ];
    const steps = stepsOf(answer('c', null, [call('t1', 'Bash', { command: 'ls' })]), {
      ...beside,
      message: { role: 'user', content },
    });
    expect(persons(steps)).toEqual(['and the back too']);
  });
});

const queue = (operation: string, content?: string): object => ({
  type: 'queue-operation',
  operation,
  timestamp: '2026-11-15T18:00:00.000Z',
  ...(content === undefined ? {} : { content }),
});

describe('what was typed while the model worked', () => {
  const before = [
    user('u', null, 'sand the table', typed),
    answer('c', 'u', [call('t1', 'Bash', { command: 'sand' })]),
  ];
  const after = [user('r', 'c', [result('t1', 'smooth')]), answer('a', 'r', 'Done.')];
  const attachment = {
    type: 'attachment',
    uuid: 'q',
    parentUuid: 'r',
    attachment: { type: 'queued_command', prompt: 'and the chair', commandMode: 'prompt' },
  };

  test('is told where it was given to the model, also where only the queue has it', () => {
    const steps = stepsOf(...before, queue('enqueue', 'and the chair'), queue('remove'), ...after);
    expect(steps.map(({ source, text, aside }) => [source, text, aside])).toEqual([
      ['user', 'sand the table', undefined],
      ['agent', '', undefined],
      ['user', 'and the chair', undefined],
      ['agent', 'Done.', undefined],
    ]);
  });

  test.each([
    ['behind it', [queue('remove'), after[0], attachment]],
    ['before it', [after[0], attachment, queue('remove')]],
  ])('is told once where the conversation has it %s', (_where, records) => {
    const steps = stepsOf(...before, queue('enqueue', 'and the chair'), ...(records as object[]));
    expect(persons(steps)).toEqual(['sand the table', 'and the chair']);
  });

  test.each([
    ['taken back', [queue('enqueue', 'and the chair'), queue('popAll')]],
    ['sent as a prompt of its own', [queue('enqueue', 'and the chair'), queue('dequeue')]],
    ['a command', [queue('enqueue', '/model'), queue('remove')]],
    ['a notification', [queue('enqueue', '<task-notification>x</task-notification>'), queue('remove')]],
    ['never there', [queue('remove'), queue('remove')]],
  ])('is not told of the queue where it was %s', (_what, records) => {
    expect(persons(stepsOf(...before, ...records, ...after))).toEqual(['sand the table']);
  });
});

describe('what the program summarised', () => {
  const boundary = {
    type: 'system',
    subtype: 'compact_boundary',
    uuid: 'b',
    parentUuid: null,
    content: 'Compacted',
  };
  const summary = user('s', 'b', 'We sanded.', { isCompactSummary: true });

  test('at a compaction is told as a summary, and a boundary without one is not', () => {
    expect(stepsOf(boundary, summary)).toMatchObject([
      { text: 'We sanded.', mark: 'compaction', summary: 'compaction' },
    ]);
    expect(stepsOf(boundary)[0]).not.toHaveProperty('summary');
  });

  test('for somebody who comes back is told as a recap', () => {
    const recap = {
      type: 'system',
      subtype: 'away_summary',
      uuid: 's',
      parentUuid: null,
      content: 'Sanding.',
    };
    expect(stepsOf(recap)).toMatchObject([{ source: 'system', text: 'Sanding.', summary: 'recap' }]);
  });
});

const made = (toolUseResult: object): Step | undefined =>
  stepsOf(answer('c', null, [call('t1', 'TaskCreate', { subject: 'Sand' })]), {
    ...user('r', 'c', [result('t1', 'words')]),
    toolUseResult,
  })[0];

describe('tasks of the program’s list', () => {
  test('have the id that the program gave them', () => {
    expect(made({ task: { id: '3', subject: 'Sand' } })?.results).toMatchObject([
      { task: '3', failed: false },
    ]);
  });

  test('are not changed where the program says so', () => {
    expect(made({ success: false, taskId: '9', error: 'Task not found' })?.results).toMatchObject([
      { failed: true },
    ]);
  });
});
