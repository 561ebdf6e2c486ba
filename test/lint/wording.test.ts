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
