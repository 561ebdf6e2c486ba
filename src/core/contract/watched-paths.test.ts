import { describe, expect, test } from 'vitest';
import { StaffettaError } from '../base/error.ts';
import { globMatcher } from '../base/glob.ts';
import { watchedPath, withWatchedPaths } from './watched-paths.ts';

const here = { root: '/home/ada/site', exists: (path: string) => path === 'deploy' };

describe('paths that are put right', () => {
  test.each([
    ['deploy/prod.yml', 'deploy/prod.yml'],
    ['./deploy/prod.yml', 'deploy/prod.yml'],
    ['deploy//prod.yml', 'deploy/prod.yml'],
    ['deploy/./old/../prod.yml', 'deploy/prod.yml'],
    ['deploy/', 'deploy/'],
    ['deploy///', 'deploy/'],
    [' .env ', '.env'],
    ['/home/ada/site/deploy', '/deploy'],
    ['/home/ada/site/deploy/', '/deploy/'],
    ['/home/ada/site', '**'],
    ['./', '**'],
    ['/deploy/prod.yml', '/deploy/prod.yml'],
    ['/Makefile', '/Makefile'],
    ['**/*.pem', '**/*.pem'],
    ['app/[id]/page.tsx', 'app/[id]/page.tsx'],
  ])('%s is %s', (given, meant) => {
    expect(watchedPath(given, here)).toBe(meant);
  });

  test('an absolute path protects the file that it names', () => {
    const isMatch = globMatcher(watchedPath('/home/ada/site/deploy', here));
    expect([isMatch('deploy/prod.yml'), isMatch('other/deploy')]).toEqual([true, false]);
  });

  test('a Windows path in the workspace too', () => {
    const there = { root: 'C:\\site', exists: () => false };
    expect(watchedPath('C:\\site\\deploy\\prod.yml', there)).toBe('/deploy/prod.yml');
  });
});

describe('paths that would protect nothing', () => {
  test.each([
    ['/etc/passwd', 'is absolute and not in the workspace /home/ada/site'],
    ['/home/ada/sitemap/x', 'is absolute'],
    ['C:\\other\\x', 'is absolute'],
    ['deploy\\prod.yml', 'has a backslash'],
    ['../other', 'leads out of the workspace'],
    ['deploy/../../x', 'leads out of the workspace'],
    ['~/site/.env', 'begins with "~"'],
    ['!deploy', 'begins with "!"'],
    ['src/*.{ts,js}', 'has a list in braces'],
    ['a\nb', 'holds a control character'],
  ])('%j is refused', (given, fault) => {
    expect(() => watchedPath(given, here)).toThrow(StaffettaError);
    expect(() => watchedPath(given, here)).toThrow(fault);
  });
});

test('what stood in the contract before stays as it is, and nothing is listed twice', () => {
  const before = { v: 1, title: 'Mend', goal: 'It stands.', protectedPaths: ['a\\b'] } as const;
  const after = {
    ...before,
    protectedPaths: ['a\\b', './deploy', 'deploy'],
    review: { human: true, policy: { paths: ['./x'], diffLinesMax: 3 } },
  };
  expect(withWatchedPaths(after, here, { ...before, protectedPaths: ['a\\b'] })).toMatchObject({
    protectedPaths: ['a\\b', 'deploy'],
    review: { human: true, policy: { paths: ['x'], diffLinesMax: 3 } },
  });
});
