/** What it takes to say that checks pass. */
import { describe, expect, test } from 'vitest';
import { lint } from '../../src/core/lint.ts';
import { subjectFrom, type Example } from './example.ts';

type Run = NonNullable<Example['runs']>[number];

function ran(command: string, exit = 0, on: Run['on'] = 'this state'): Run {
  return { run: command.split(' '), exit, on };
}

function judged(text: string, runs: readonly Run[], more: Partial<Example> = {}): string[] {
  const example = { ...more, claims: { done: [{ text, evidence: ['j3'] }] }, runs };
  return lint(subjectFrom(example))
    .filter(({ rule }) => rule === 'tests-unproven')
    .map(({ severity }) => severity);
}

const two = { contract: { validation: [{ run: ['npm', 'test'] }, { run: ['npm', 'run', 'lint'] }] } };

describe('a claim that checks pass', () => {
  test('is refused while another command failed on the same workspace', () => {
    expect(judged('all tests pass', [ran('npm test'), ran('npm run e2e', 1)])).toEqual(['error']);
  });

  test('stands where a command failed on an earlier state and nobody asks for it', () => {
    expect(judged('all tests pass', [ran('npm run e2e', 1, 'an earlier state'), ran('npm test')])).toEqual(
      [],
    );
  });

  test('needs every command of the contract', () => {
    expect(judged('all tests pass', [ran('npm test')], two)).toEqual(['error']);
    const stale = [ran('npm run lint', 0, 'an earlier state'), ran('npm test')];
    expect(judged('all tests pass', stale, two)).toEqual(['error']);
    expect(judged('all tests pass', [ran('npm run lint'), ran('npm test')], two)).toEqual([]);
  });

  test('that names its command is judged by that one', () => {
    const runs = [ran('npm run lint', 1), ran('npm test')];
    expect(judged('npm test passes', runs, two)).toEqual([]);
    expect(judged('npm run lint passes', runs, two)).toEqual(['error']);
  });

  test('is a warning where only a command of another kind was run, unless it is cited', () => {
    const grep = { contract: { validation: [{ run: ['grep', '-q', 'limit', 'src/limit.ts'] }] } };
    const runs = [ran('grep -q limit src/limit.ts')];
    expect(judged('all tests pass', runs, grep)).toEqual(['warning']);
    const example: Example = {
      ...grep,
      claims: { done: [{ text: 'all tests pass', evidence: ['r5'] }] },
      runs,
    };
    const found = lint(subjectFrom(example)).filter(({ rule }) => rule === 'tests-unproven');
    expect(found).toEqual([]);
  });
});
