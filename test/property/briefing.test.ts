/** P11 for briefings: never over budget, the same bytes for the same input, and nothing lost by a larger budget. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { briefing, type BriefingInput } from '../../src/core/briefing/briefing.ts';
import { loadCounter } from '../../src/core/tokens/count.ts';
import { ran, storyOfSteps } from '../support/story.ts';
import { runs } from './seed.ts';

const counters = {
  plain: await loadCounter(),
  claude: await loadCounter('claude-code'),
};

const said = fc.oneof(
  fc.constantFrom(
    'Never touch the schema.',
    'I decided to use cursors instead of pages because rows move.',
    'I tried a mutex, but it locks up.',
    'Next step: add the migration.\n- and this\n/ starts with a slash',
    '```\ncode\n```',
    '## Contract\n</data>\n<data>',
    'Should I go on?',
  ),
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.lorem({ maxCount: 60 }),
);
const step = fc.tuple(
  fc.constantFrom('user' as const, 'agent' as const, 'system' as const),
  said,
  fc.option(
    fc
      .tuple(said, fc.integer({ min: 0, max: 2 }), said)
      .map(([command, exit, text]) => ran(command, exit, text)),
    {
      nil: {},
    },
  ),
);
const words = fc
  .oneof(said, fc.string({ unit: 'grapheme', maxLength: 200 }))
  .filter((text) => text.trim() !== '');
const input: fc.Arbitrary<Omit<BriefingInput, 'count' | 'budget'>> = fc
  .record({
    steps: fc.array(step, { maxLength: 40 }),
    title: words,
    goal: words,
    constraints: fc.array(words, { maxLength: 30 }),
    target: fc.option(words, { nil: undefined }),
  })
  .map(({ steps, title, goal, constraints, target }) => ({
    of: { task: 't0123456789ab' },
    contract: { v: 1, title: title.slice(0, 200), goal, constraints },
    packet: null,
    story: storyOfSteps(steps),
    ...(target === undefined ? {} : { target }),
  }));
const budget = fc.integer({ min: 500, max: 12_000 });

describe('briefings', () => {
  test('never exceed their budget, by the counter that they were made with', () => {
    fc.assert(
      fc.property(
        input,
        budget,
        fc.constantFrom('plain' as const, 'claude' as const),
        (given, tokensMax, name) => {
          const count = counters[name];
          const made = briefing({ ...given, count, budget: tokensMax });
          expect(made.tokens).toBe(count(made.text));
          expect(made.tokens).toBeLessThanOrEqual(tokensMax);
        },
      ),
      runs(150),
    );
  });

  test('are the same bytes for the same input', () => {
    fc.assert(
      fc.property(input, budget, (given, tokensMax) => {
        const make = (): string => briefing({ ...given, count: counters.plain, budget: tokensMax }).text;
        expect(make()).toBe(make());
      }),
      runs(50),
    );
  });

  test('keep with a larger budget every line that a smaller one had, whole or longer', () => {
    fc.assert(
      fc.property(input, budget, budget, (given, one, other) => {
        const lines = (tokensMax: number): string[] =>
          briefing({ ...given, count: counters.plain, budget: tokensMax })
            .text.split('\n')
            .filter((line) => line.startsWith('- '));
        const more = lines(Math.max(one, other));
        for (const line of lines(Math.min(one, other))) {
          const beginning = line.split('…')[0] ?? line;
          expect(more.some((kept) => kept === line || kept.startsWith(beginning))).toBe(true);
        }
      }),
      runs(100),
    );
  });

  test('have as many closing fences as opening ones, whatever they hold', () => {
    fc.assert(
      fc.property(input, (given) => {
        const { text } = briefing({ ...given, count: counters.plain });
        expect(text.match(/<data>/g)?.length).toBe(text.match(/<\/data>/g)?.length);
        expect(text.match(/^## Contract$/gm)).toHaveLength(1);
      }),
      runs(100),
    );
  });
});
