import { describe, expect, test } from 'vitest';
import { withHead, headOf } from './head.ts';

const page = (head: string, body = 'Run it.\n'): string => `---\n${head}\n---\n\n${body}`;

describe('the head of a skill', () => {
  test.each([
    ['plain', 'name: tally\ndescription: Counts: lines', 'Counts: lines'],
    ['in double quotes', 'name: tally\ndescription: "Says \\"so\\" # here"', 'Says "so" # here'],
    ['in single quotes', "name: tally\ndescription: 'It''s so'", "It's so"],
    ['folded', 'name: tally\ndescription: >-\n  Counts\n  lines', 'Counts lines'],
    ['with other line ends', 'name: tally\r\ndescription: Counts', 'Counts'],
  ])('is read where the description is %s', (_, head, description) => {
    expect(headOf(page(head))).toEqual({ name: 'tally', description, sets: [] });
  });

  test('names what it sets besides describing the skill', () => {
    const head = 'name: a\ndescription: b\nlicense: MIT\nhooks:\n  Stop: x\nallowed-tools: Bash';
    expect(headOf(page(head)).sets).toEqual(['hooks', 'allowed-tools']);
  });

  test('that never ends is none', () => {
    expect(headOf(`---\nname: a\n${'x\n'.repeat(200_000)}`)).toEqual({
      name: null,
      description: null,
      sets: [],
    });
  });
});

describe('a page for every program', () => {
  test('is left as it is where it says name and description', () => {
    const whole = page('description: b\nname: a\nmetadata:\n  x: y');
    expect(withHead(whole, 'folder')).toBe(whole);
  });

  test.each([
    ['no head', '# Count\n\nRun it.\n', { name: 'tally', description: 'Count' }],
    ['no name', page('description: Counts.'), { name: 'tally', description: 'Counts.' }],
    ['no description', page('name: other'), { name: 'other', description: 'Run it.' }],
    ['an empty description', page('name: other\ndescription:'), { name: 'other', description: 'Run it.' }],
    ['nothing in it', '', { name: 'tally', description: 'tally' }],
    ['a byte order mark', `\ufeff${page('name: a\ndescription: b')}`, { name: 'a', description: 'b' }],
  ])('gets what it lacks where it has %s, and stays so', (_, text, wanted) => {
    const whole = withHead(text, 'tally');
    expect(headOf(whole)).toMatchObject(wanted);
    expect(whole.startsWith('---\n')).toBe(true);
    expect(withHead(whole, 'tally')).toBe(whole);
    expect(whole).toContain(text.includes('Run it.') ? 'Run it.\n' : '---');
  });
});
