import { describe, expect, test } from 'vitest';
import { globMatcher, globReaches, globsMeet } from './glob.ts';

describe('a glob', () => {
  test.each([
    ['a.ts', 'a.ts', true],
    ['a.ts', 'deep/er/a.ts', true],
    ['a.ts', 'a.ts/in/it', true],
    ['a.ts', 'xa.ts', false],
    ['/a', 'a/b', true],
    ['/a', 'b/a', false],
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/b/a.ts', false],
    ['src/**', 'src/b/a.ts', true],
    ['src/**/a.ts', 'src/a.ts', true],
    ['src/**/a.ts', 'src/b/c/a.ts', true],
    ['src/**/a.ts', 'src/b/xa.ts', false],
    ['**/b/*', 'a/b/c', true],
    ['**', 'anything/at/all', true],
    ['a?c', 'abc', true],
    ['a?c', 'a/c', false],
    ['*', 'a/b', true],
    ['./a//b/', 'a/b/c', true],
    ['a+(b)', 'a+(b)', true],
  ])('%s and %s: %s', (glob, path, expected) => {
    expect(globMatcher(glob)(path)).toBe(expected);
  });

  test('tells which folders it may lead into', () => {
    expect(globReaches('src/*/a.ts')('src/b')).toBe(true);
    expect(globReaches('src/*/a.ts')('lib')).toBe(false);
    expect(globReaches('src/**/a.ts')('src/b/c/d')).toBe(true);
    expect(globReaches('a.ts')('anywhere')).toBe(true);
  });

  test('with many stars comes to an end', () => {
    const path = `${'a/'.repeat(500)}${'a'.repeat(1000)}`;
    for (const part of ['*a', '**/', '**/*a', '**a', '?*'])
      expect(globMatcher(`${part.repeat(100)}b`)(path)).toBe(false);
  });

  test.each([
    ['src/a.ts', 'src/a.ts', true],
    ['src/a.ts', 'src/b.ts', false],
    ['src', 'src/b/c.ts', true],
    ['/src', 'lib/src', false],
    ['src/**', 'src/b/*.ts', true],
    ['src/*.ts', 'src/*.js', false],
    ['src/a*', 'src/*b', true],
    ['src/?', 'src/bb', false],
    ['src/*/x', 'src/**/y', true],
    ['src/*.ts', 'src/**/y', false],
    ['docs/**', 'src/**', false],
    ['*.md', 'docs/**', true],
    ['**/test/*', 'src/a.ts', false],
    ['/a.md', 'docs/**', false],
    ['**', 'x', true],
    ['README.md', 'LICENSE', false],
    ['*.md', '*.ts', false],
    ['/src/a.ts', '*.md', false],
    ['/conf.d', 'conf.d/*', true],
    ['/docs', '*.md', true],
  ])('%s and %s have a path in common: %s', (one, other, expected) => {
    expect(globsMeet(one, other)).toBe(expected);
    expect(globsMeet(other, one)).toBe(expected);
  });

  test('meets another with many stars in a time that grows with both', () => {
    const stars = '**/*a'.repeat(60);
    expect(globsMeet(`/x/${stars}`, `/y/${stars}`)).toBe(false);
    expect(globsMeet(`/x/${stars}b`, `/x/${stars}c`)).toBe(true);
  });
});
