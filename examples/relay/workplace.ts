/** The scratch repository the agents work in: a small program, its tests, and one of them failing. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const program = `export function slug(title) {
  return title.toLowerCase().replaceAll(' ', '-');
}
`;

const tests = `import assert from 'node:assert/strict';
import test from 'node:test';
import { slug } from './slug.mjs';

test('words are joined by dashes', () => assert.equal(slug('One Two'), 'one-two'));
test('accents become plain letters', () => assert.equal(slug('Città Più Bella'), 'citta-piu-bella'));
test('punctuation goes away', () => assert.equal(slug('What? Now!'), 'what-now'));
`;

export function makeWorkplace(): string {
  const folder = mkdtempSync(join(tmpdir(), 'staffetta-relay-'));
  mkdirSync(join(folder, 'notes'));
  writeFileSync(join(folder, 'slug.mjs'), program);
  writeFileSync(join(folder, 'slug.test.mjs'), tests);
  git(folder, 'init', '--quiet');
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', 'slug: first version');
  return folder;
}

export function git(folder: string, ...words: string[]): string {
  const identity = [
    '-c',
    'user.name=relay',
    '-c',
    'user.email=relay@localhost',
    '-c',
    'commit.gpgsign=false',
  ];
  return execFileSync('git', [...identity, '-C', folder, ...words], { encoding: 'utf8' }).trim();
}

export interface TestRun {
  readonly passed: boolean;
  readonly output: string;
}

export function runTests(folder: string): TestRun {
  // Set by a surrounding test run, it would make this one report to it instead of to us.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const done = spawnSync(process.execPath, ['--test', '--test-reporter=tap', 'slug.test.mjs'], {
    cwd: folder,
    encoding: 'utf8',
    env,
  });
  return { passed: done.status === 0, output: done.stdout };
}
