import { expect, test } from 'vitest';
import { readContractMarkdown } from './contract-markdown.ts';

const full = `# Rate limits

Requests over the limit get 429.
They carry Retry-After.

## Acceptance criteria
- npm test passes
- the header is a whole
  number of seconds

## Non-goals
1. per-user limits

## Protected paths
* \`infra/\`

## Validation
- \`npm test\`

## Review owner
agent:ada

## Stop at
verified

## Needs
- t0123456789ab
`;

test('a contract file gives every field that has a heading', () => {
  expect(readContractMarkdown(full)).toEqual({
    title: 'Rate limits',
    goal: 'Requests over the limit get 429.\nThey carry Retry-After.',
    acceptance: ['npm test passes', 'the header is a whole number of seconds'],
    nonGoals: ['per-user limits'],
    protectedPaths: ['infra/'],
    validation: ['npm test'],
    review: 'agent:ada',
    stop: 'verified',
    needs: ['t0123456789ab'],
  });
});

test('a file without headings is a goal', () => {
  expect(readContractMarkdown('Mend the fence.\n')).toEqual({ goal: 'Mend the fence.' });
});

test('Windows line endings and check boxes are read', () => {
  expect(readContractMarkdown('# A\r\n\r\nB\r\n\r\n## Constraints\r\n- [ ] one\r\n- [x] two\r\n')).toEqual({
    title: 'A',
    goal: 'B',
    constraints: ['one', 'two'],
  });
});

test('an unknown section is refused by its name', () => {
  expect(() => readContractMarkdown('# A\n\n## Aceptance\n- x\n')).toThrow(/Aceptance/);
});

test('a section given twice is refused', () => {
  expect(() => readContractMarkdown('## Goal\na\n## Goal\nb\n')).toThrow(/two sections for goal/);
});
