import { describe, expect, test } from 'vitest';
import { called, ran, storyOfSteps } from '../../../test/support/story.ts';
import { commitsIn } from './commits.ts';
import { latestRequest, messagesIn, turnsIn } from './messages.ts';
import { rankSentences } from './rank.ts';
import { sentencesIn } from './sentences.ts';
import { taskListIn } from './task-list.ts';

const done = { text: 'ok', failed: false };

const requested = (...texts: readonly string[]): string | undefined =>
  latestRequest(messagesIn(turnsIn(storyOfSteps(texts.map((text) => ['user', text] as const)))))?.text;

const created = (n: number, subject: string): ReturnType<typeof called> =>
  called('TaskCreate', { subject, description: 'd' }, { text: 'Created.', failed: false, task: `${n}` });

const updated = (taskId: string, fields: Readonly<Record<string, string>>): ReturnType<typeof called> =>
  called('TaskUpdate', { taskId, ...fields }, { text: `Updated task #${taskId}`, failed: false });

describe('messages', () => {
  test('are those of users in conversations of their own, also after a compaction', () => {
    const story = storyOfSteps(
      [
        ['user', 'one', { aside: 'compacted' }],
        ['user', 'left', { aside: 'branch-left' }],
        ['agent', 'answer'],
        ['system', 'context'],
        ['user', 'of an agent', { session: 1 }],
        ['user', 'two'],
        ['user', 'two'],
      ],
      { parents: [null, 'made-0'] },
    );
    const turns = turnsIn(story);
    expect(messagesIn(turns).map(({ text, ref }) => [text, ref])).toEqual([
      ['one', 1],
      ['two', 7],
    ]);
    expect(turns[0]?.last).toEqual({ ref: 3, text: 'answer' });
  });

  test('that say something by themselves are requests, and commands to the program are none', () => {
    const long = 'Move the import to a queue, so that uploads return at once.';
    expect(requested('hi', long, 'ok', '/compact')).toBe(long);
    expect(requested('fix the login', 'ok', '/clear')).toBe('fix the login');
    expect(requested('/clear')).toBeUndefined();
  });
});

describe('the task list', () => {
  test.each([
    ['TodoWrite', 'todos', 'content'],
    ['update_plan', 'plan', 'step'],
    ['write_todos', 'todos', 'description'],
    ['todowrite', 'todos', 'content'],
  ])('of %s is as it was last written', (tool, list, text) => {
    const plan = (...items: readonly (readonly [string, string])[]): ReturnType<typeof called> =>
      called(tool, { [list]: items.map(([words, status]) => ({ [text]: words, status })) }, done);
    const story = storyOfSteps([
      ['agent', '', plan(['read the schema', 'in_progress'])],
      ['agent', '', plan(['read the schema', 'completed'], ['ship', 'pending'])],
    ]);
    expect(taskListIn(story)).toEqual({
      ref: 2,
      tasks: [
        { text: 'read the schema', status: 'done' },
        { text: 'ship', status: 'open' },
      ],
    });
  });

  test('of single tasks is what their calls made of it', () => {
    const story = storyOfSteps([
      ['agent', '', created(1, 'read the schema')],
      ['agent', '', created(2, 'port the reader')],
      ['agent', '', created(3, 'ship')],
      ['agent', '', updated('1', { status: 'completed' })],
      ['agent', '', updated('2', { status: 'in_progress', subject: 'port both readers' })],
      ['agent', '', updated('3', { status: 'deleted' })],
      ['agent', '', updated('9', { status: 'completed' })],
    ]);
    expect(taskListIn(story)).toEqual({
      ref: 6,
      tasks: [
        { text: 'read the schema', status: 'done' },
        { text: 'port both readers', status: 'doing' },
      ],
    });
  });

  test('is not what failed or what a subagent listed', () => {
    const todo = { todos: [{ content: 'a', status: 'pending' }] };
    const failed = storyOfSteps([['agent', '', called('TodoWrite', todo, { text: '', failed: true })]]);
    expect(taskListIn(failed)).toBeNull();
    const story = storyOfSteps([['agent', '', called('TodoWrite', todo, done)]], { parents: ['p'] });
    expect(taskListIn(story)).toBeNull();
  });
});

test('commits and pull requests are those that were made, by what was printed', () => {
  const story = storyOfSteps([
    [
      'agent',
      '',
      ran('git add . && git commit -m "Add it"', 0, '[main (root-commit) 1a2b3c4] Add it\n 1 file'),
    ],
    ['agent', '', ran('git commit -qm "Quiet one"', 0, '')],
    ['agent', '', ran('git commit -m "$(cat <<\'EOF\'\nFrom a document\n\nbody\nEOF\n)"', 0, '')],
    ['agent', '', ran('git commit -m "Refused"', 1, 'hook failed')],
    ['agent', '', ran('git log', 0, '[main 9999999] not made here')],
    ['agent', '', ran('gh pr create --fill', 0, 'https://example.com/a/b/pull/7\n')],
  ]);
  expect(commitsIn(story.steps)).toEqual([
    { id: '1a2b3c4', text: 'Add it', ref: 1 },
    { id: 'committed', text: 'Quiet one', ref: 2 },
    { id: 'committed', text: 'From a document', ref: 3 },
    { id: 'https://example.com/a/b/pull/7', text: 'pull request', ref: 6 },
  ]);
});

test('sentences end at their marks, and code, tables and headings have none', () => {
  expect(
    sentencesIn(
      '# What changed\nIt uses e.g. cursors. They are stable!\n\n```\ncode. more.\n```\n| a | b |\n- [x] an item\n1. another one',
    ),
  ).toEqual(['It uses e.g. cursors.', 'They are stable!', 'an item', 'another one']);
});

const reading = (words: string): readonly ['agent', string] => ['agent', `Reading how the ${words} here.`];

test('ranks what agents said by how rare its words are, and by the goal that was given', () => {
  const story = storyOfSteps([
    ...Array.from({ length: 9 }, () => reading('router is called from three places')),
    reading('lexer deadlocks under contention because of reentrant mutexes'),
    reading('cache is called from three places'),
    ['user', 'go on'],
    ['agent', 'Done.'],
  ]);
  expect(rankSentences(story)[0]?.text).toContain('deadlocks');
  expect(rankSentences(story, 'make the cache of the router smaller')[0]?.text).toMatch(/cache/);
});
