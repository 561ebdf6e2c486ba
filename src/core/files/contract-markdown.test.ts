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

test('commands have names and traits, in code marks or not', () => {
  const source = `## Validation
- npm test
- unit: npm run unit
- lint: \`npm run lint\`
- \`a | b\` (shell, timeout 5m)
- e2e: \`npm run e2e\` (timeout: 1h)
`;
  expect(readContractMarkdown(source).validation).toEqual([
    'npm test',
    'unit: npm run unit',
    'lint: npm run lint',
    { run: 'a | b', shell: true, timeout: '5m' },
    { run: 'npm run e2e', name: 'e2e', timeout: '1h' },
  ]);
});

test('phases have a goal, criteria and commands, or only names', () => {
  const source = `## Phases
### measure
The rate
is known.
- it stands in rates.md
#### Verified by
- node rate.mjs
#### Undone by
- \`git checkout -- rates.md\`
### import ###
## Skills
- docs/import.md
`;
  expect(readContractMarkdown(source)).toEqual({
    phases: [
      {
        name: 'measure',
        goal: 'The rate\nis known.',
        criteria: ['it stands in rates.md'],
        verify: ['node rate.mjs'],
        rollback: ['git checkout -- rates.md'],
      },
      { name: 'import' },
    ],
    skills: ['docs/import.md'],
  });
  expect(readContractMarkdown('## Phases\n- measure\n- import\n').phases).toEqual([
    { name: 'measure' },
    { name: 'import' },
  ]);
});

const refusals: readonly (readonly [title: string, source: string, says: RegExp])[] = [
  ['an unknown part of a phase', '## Phases\n### a\n#### Tests\n- x\n', /phase a has a section "Tests"/],
  ['text before the first phase', '## Phases\nfirst\n### a\n', /before the first phase/],
  ['an unknown trait of a command', '## Validation\n- `npm test` (fast)\n', /"fast" says nothing/],
  ['an unknown line of the policy', '## Review policy\n- files: src/\n', /"files: src\/" means nothing/],
  ['an unknown cap', '## Caps\n- hups: 3\n', /"hups: 3" means nothing under caps/],
];
for (const [title, source, says] of refusals) {
  test(`${title} is refused`, () => {
    expect(() => readContractMarkdown(source)).toThrow(says);
  });
}
