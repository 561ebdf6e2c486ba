import { describe, expect, test } from 'vitest';
import { digestOf } from '../journal/digest.ts';
import { limits } from '../base/limits.ts';
import { filesFault, isSkillName, SealedSkill, SealedSkills } from './skill.ts';

const file = (path: string): object => ({ path, blob: digestOf(path), bytes: 1 });
const skill = (name: string, ...paths: readonly string[]): object => ({
  skill: name,
  name,
  from: 'workspace',
  files: paths.map(file),
});

test.each(['tally', 'Release_Notes', 'v1.2-check', 'a'])('%s is a name for a skill', (name) => {
  expect(isSkillName(name)).toBe(true);
});

test.each([
  '',
  '.',
  '..',
  '.git',
  '.hidden',
  'a/b',
  '../a',
  'a\\b',
  'a b',
  'con',
  'a.',
  'é',
  'a\u202eb',
  'x'.repeat(65),
])('%j is no name for a skill', (name) => {
  expect(isSkillName(name)).toBe(false);
});

describe('the files of a skill in a packet', () => {
  test('are a folder with a page', () => {
    const given = skill('tally', 'SKILL.md', 'scripts/tally.sh');
    expect(SealedSkill.parse(given)).toEqual(given);
  });

  test.each([
    ['no page', ['readme.md']],
    ['a path that leads out', ['SKILL.md', '../x']],
    ['a path that leads out later', ['SKILL.md', 'a/../../x']],
    ['an absolute path', ['SKILL.md', '/etc/passwd']],
    ["git's own folder", ['SKILL.md', '.git/hooks/post-checkout']],
    ['a backslash', ['SKILL.md', '..\\x']],
    ['two spellings of one name', ['SKILL.md', 'skill.md']],
    ['a name twice', ['SKILL.md', 'a', 'a']],
    ['a file that is a folder too', ['SKILL.md', 'a', 'a/b']],
  ])('are refused with %s', (_, paths) => {
    expect(SealedSkill.safeParse(skill('tally', ...paths)).success).toBe(false);
  });

  test('are refused where they are more than a packet carries', () => {
    const many = Array.from({ length: limits.skillFilesMax - 1 }, (_, n) => `f${n}`);
    expect(SealedSkills.safeParse([skill('a', 'SKILL.md', ...many)]).success).toBe(true);
    const skills = [skill('a', 'SKILL.md', ...many), skill('b', 'SKILL.md')];
    expect(SealedSkills.safeParse(skills).success).toBe(false);
  });

  test('have no fault where folders share a beginning', () => {
    expect(filesFault(['SKILL.md', 'a/b', 'a/c', 'ab'])).toBeNull();
  });
});
