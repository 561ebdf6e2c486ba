import { describe, expect, test } from 'vitest';
import { merged, oneHistory, severalRuntimes } from './one-history.ts';
import type { SessionFacts, Step } from './step.ts';
import type { Story, StoryStep } from './story.ts';

const facts = (runtime: string): SessionFacts => ({
  runtime,
  session: runtime,
  version: null,
  model: `${runtime}-model`,
  folder: null,
  branch: null,
  commit: null,
  startedAt: null,
  title: null,
  parent: null,
});

type Line = readonly [source: Step['source'], text: string, more?: Partial<Step>];

function storyOf(...sessions: readonly (readonly [runtime: string, lines: readonly Line[]])[]): Story {
  const steps: StoryStep[] = [];
  for (const [session, [, lines]] of sessions.entries())
    for (const [i, [source, text, more = {}]] of lines.entries())
      steps.push({ id: i + 1, source, text, at: null, record: i, ref: steps.length + 1, session, ...more });
  return {
    sessions: sessions.map(([runtime]) => ({
      facts: facts(runtime),
      omissions: [{ kind: 'image', count: 1, why: 'no text' }],
      unanswered: [],
      rewritten: false,
    })),
    steps,
    unread: [],
  };
}

const told = (story: Story): string[] =>
  oneHistory(story).steps.map(({ source, text }) => `${source}: ${text}`);

const first: readonly Line[] = [
  ['user', 'go'],
  ['system', 'context'],
  ['agent', 'going'],
];

describe('one history', () => {
  test('sessions follow each other, numbered through', () => {
    const story = storyOf(
      ['a', first],
      [
        'b',
        [
          ['user', 'the briefing'],
          ['agent', 'on it'],
        ],
      ],
    );
    expect(told(story)).toEqual([
      'user: go',
      'system: context',
      'agent: going',
      'user: the briefing',
      'agent: on it',
    ]);
    expect(oneHistory(story).steps.map(({ id, record }) => [id, record])).toEqual([
      [1, 0],
      [2, 1],
      [3, 2],
      [4, 3],
      [5, 4],
    ]);
    expect(oneHistory(story).steps[0]).not.toHaveProperty('ref');
  });

  test('the last session says where it stands, and several programs are said to be several', () => {
    expect(oneHistory(storyOf(['a', first])).facts.runtime).toBe('a');
    const both = oneHistory(storyOf(['a', first], ['b', [['user', 'x']]]));
    expect(both.facts).toMatchObject({ runtime: severalRuntimes, model: 'b-model' });
  });

  test('losses of one kind are one, and a session that nobody could read is a loss', () => {
    const story = {
      ...storyOf(['a', first], ['b', []]),
      unread: [{ runtime: 'c', session: 'x', why: 'No.' }],
    };
    expect(oneHistory(story).omissions).toEqual([
      { kind: 'image', count: 2, why: 'no text' },
      { kind: 'unread-session', count: 1, why: 'c: No.' },
    ]);
    expect(merged([])).toEqual([]);
  });

  test('without any session there is nothing', () => {
    expect(oneHistory({ sessions: [], steps: [], unread: [] })).toMatchObject({ steps: [], unanswered: [] });
  });
});
