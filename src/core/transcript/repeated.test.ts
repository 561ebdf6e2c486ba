import { describe, expect, test } from 'vitest';
import { bareFacts } from './bare-facts.ts';
import { withLegLine } from './leg-line.ts';
import { oneHistory } from './one-history.ts';
import type { ToolCall, Step } from './step.ts';
import { lastNamed, stepsCalled, storyOf, type Reader, type Story, type StoryPart } from './story.ts';
import { toJson } from '../formats/to-json.ts';
import { toMarkdown } from '../formats/to-markdown.ts';

type Line = readonly [source: Step['source'], text: string, more?: Partial<Step>];

/** A record is a step. */
const reader: Reader = (records) => ({
  facts: bareFacts('program'),
  steps: [...records].map((bytes, i): Step => {
    const [source, text, more = {}] = JSON.parse(Buffer.from(bytes).toString()) as Line;
    return { id: i + 1, source, text, at: null, record: i, ...more };
  }),
  omissions: [],
  unanswered: [],
});

interface Given {
  readonly session: string;
  readonly lines: readonly Line[];
  readonly fromStart?: boolean;
}

function partsOf(...given: readonly Given[]): StoryPart[] {
  let before = 0;
  return given.map(({ session, lines, fromStart = false }) => {
    const records = lines.map((line) => Buffer.from(JSON.stringify(line)));
    before += records.length;
    return {
      runtime: 'program',
      session,
      before: before - records.length,
      fromStart,
      records,
      omissions: [],
    };
  });
}

const story = (...given: readonly Given[]): Story => storyOf(partsOf(...given), () => reader);
const told = ({ steps }: Story): string[] => steps.map(({ ref, text }) => `s${ref} ${text}`);

const call = (tool: string): ToolCall => ({ id: tool, tool, args: {} });

const first: readonly Line[] = [
  ['user', 'go'],
  ['system', 'context'],
  ['agent', 'going', { calls: [call('shell')] }],
];

describe('what a session repeats', () => {
  test('a session that was written from the history before it is told from where it goes on', () => {
    const whole = story(
      { session: 'a', lines: first },
      {
        session: 'b',
        lines: [
          ['user', 'go'],
          ['agent', 'going', { calls: [call('bash')] }],
          ['user', 'go on'],
        ],
      },
    );
    expect(told(whole)).toEqual(['s1 go', 's2 context', 's3 going', 's6 go on']);
    expect(whole.sessions.map(({ repeats }) => repeats)).toEqual([undefined, 2]);
    expect(oneHistory(whole).steps.map(({ text }) => text)).toEqual(['go', 'context', 'going', 'go on']);
  });

  test('the name of a copy leads to the copy, which says what it repeats', () => {
    const parts = partsOf(
      { session: 'a', lines: first },
      {
        session: 'b',
        lines: [
          ['user', 'go'],
          ['agent', 'going', { calls: [call('bash')] }],
          ['user', 'go on'],
        ],
      },
    );
    const whole = storyOf(parts, () => reader);
    const named = (ref: number): unknown => stepsCalled(whole, ref, lastNamed(parts));
    expect(named(5)).toMatchObject([{ ref: 5, text: 'going', aside: 'repeated', copyOf: 3, session: 1 }]);
    expect(named(6)).toMatchObject([{ ref: 6, text: 'go on' }]);
    expect(named(7)).toEqual([]);
  });

  test('a page says that a session begins with what was said before, and so does JSON', () => {
    const whole = story(
      { session: 'a', lines: [['user', 'go']] },
      {
        session: 'b',
        lines: [
          ['user', 'go'],
          ['user', 'go on'],
        ],
      },
    );
    expect(toMarkdown(whole)).toContain(
      'It begins with what was said before it, which is not told again (steps: 1).',
    );
    expect(toMarkdown(whole).match(/^go$/gm)).toHaveLength(1);
    expect(toJson(whole)['sessions']).toMatchObject([{}, { repeats: 1 }]);
  });

  test('a third session repeats the first and what the second added', () => {
    const whole = story(
      { session: 'a', lines: [['user', 'go']] },
      {
        session: 'b',
        lines: [
          ['user', 'go'],
          ['agent', 'went'],
        ],
      },
      {
        session: 'c',
        lines: [
          ['user', 'go'],
          ['agent', 'went'],
          ['user', 'home'],
        ],
      },
    );
    expect(told(whole)).toEqual(['s1 go', 's3 went', 's6 home']);
  });

  test('a session that begins with the same words and not with all of them is told whole', () => {
    const whole = story(
      { session: 'a', lines: first },
      {
        session: 'b',
        lines: [
          ['user', 'go'],
          ['agent', 'going elsewhere'],
        ],
      },
      { session: 'c', lines: [['user', 'go']] },
    );
    expect(told(whole)).toHaveLength(6);
    expect(whole).not.toHaveProperty('repeated');
  });

  test('messages may have been parted or joined, and blanks lost', () => {
    const whole = story(
      {
        session: 'a',
        lines: [
          ['user', 'go '],
          ['agent', 'one\n\ntwo'],
          ['agent', 'three'],
          ['agent', '  '],
        ],
      },
      {
        session: 'b',
        lines: [
          ['user', 'go'],
          ['agent', 'one'],
          ['agent', 'two\nthree'],
          ['user', 'on'],
        ],
      },
    );
    expect(told(whole)).toEqual(['s1 go ', 's2 one\n\ntwo', 's3 three', 's4   ', 's8 on']);
  });

  test('a message that says more than the last of those before is no copy', () => {
    const whole = story(
      { session: 'a', lines: [['user', 'go']] },
      { session: 'b', lines: [['user', 'go on']] },
    );
    expect(told(whole)).toEqual(['s1 go', 's2 go on']);
  });

  test('the prompt that a leg was started with is repeated as words of a user', () => {
    const prompt = withLegLine('Take over.', { task: 'tabcdefghjkmn', generation: 2 } as never);
    const whole = story(
      {
        session: 'a',
        lines: [
          ['user', prompt],
          ['agent', 'taken'],
        ],
      },
      {
        session: 'b',
        lines: [
          ['user', prompt],
          ['agent', 'taken'],
          ['user', 'next'],
        ],
      },
    );
    expect(told(whole).slice(2)).toEqual(['s5 next']);
  });

  test('words of a user that are read as those of a program are a copy all the same', () => {
    const whole = story(
      {
        session: 'a',
        lines: [
          ['user', '<command>go</command>'],
          ['agent', 'gone'],
        ],
      },
      {
        session: 'b',
        lines: [
          ['system', '<command>go</command>'],
          ['agent', 'gone'],
          ['user', 'next'],
        ],
      },
    );
    expect(told(whole).slice(2)).toEqual(['s5 next']);
  });

  test('what was left aside need not be repeated, and may be', () => {
    const left: readonly Line[] = [
      ['user', 'go'],
      ['agent', 'wrong way', { aside: 'branch-left' }],
      ['agent', 'right'],
    ];
    const without = story(
      { session: 'a', lines: left },
      {
        session: 'b',
        lines: [
          ['user', 'go'],
          ['agent', 'right'],
          ['user', 'on'],
        ],
      },
    );
    expect(told(without).slice(3)).toEqual(['s6 on']);
    const withIt = story(
      { session: 'a', lines: left },
      {
        session: 'b',
        lines: [
          ['user', 'go'],
          ['agent', 'wrong way'],
          ['agent', 'right'],
          ['user', 'on'],
        ],
      },
    );
    expect(told(withIt).slice(3)).toEqual(['s7 on']);
  });

  test('copies that were compacted or rewritten since are copies', () => {
    const whole = story(
      {
        session: 'a',
        lines: [
          ['user', 'go'],
          ['agent', 'going'],
        ],
      },
      {
        session: 'b',
        lines: [
          ['user', 'go', { aside: 'compacted' }],
          ['agent', 'going', { aside: 'compacted' }],
          ['system', 'all of it', { mark: 'compaction' }],
        ],
      },
    );
    expect(told(whole)).toEqual(['s1 go', 's2 going', 's5 all of it']);
  });

  test('what a session says after another was written from it is no part of what was repeated', () => {
    const whole = story(
      { session: 'a', lines: [['user', 'go']] },
      {
        session: 'b',
        lines: [
          ['user', 'go'],
          ['user', 'on'],
        ],
      },
      { session: 'a', lines: [['user', 'elsewhere']] },
    );
    expect(told(whole)).toEqual(['s1 go', 's3 on', 's4 elsewhere']);
  });

  test('a session that was rewritten is no copy of itself', () => {
    const whole = story(
      { session: 'a', lines: [['user', 'go']] },
      {
        session: 'a',
        lines: [
          ['user', 'go'],
          ['agent', 'gone'],
        ],
        fromStart: true,
      },
    );
    expect(told(whole)).toEqual(['s1 go', 's2 go', 's3 gone']);
  });
});
