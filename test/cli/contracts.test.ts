/** Everything a contract can hold, from each place it can come from. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newWorkplace, staffetta, type Json } from './command.ts';
import { hasTerminal, typed } from './terminal.ts';

const full = {
  title: 'Import users',
  goal: 'Every row of users.csv is in the table users',
  kind: 'data',
  acceptance: ['`npm test` passes'],
  constraints: ['no downtime'],
  nonGoals: ['orders'],
  protectedPaths: ['infra/'],
  validation: [
    { name: 'unit', run: ['npm', 'test'], timeoutMs: 600_000 },
    { name: 'count', run: ['wc -l users.csv | cat'], shell: true, timeoutMs: 600_000 },
  ],
  phases: [
    {
      name: 'measure',
      goal: 'the rate is known',
      criteria: ['it stands in rates.md'],
      verify: [{ run: ['node', 'rate.mjs'] }],
      rollback: [{ run: ['git', 'checkout', '--', 'rates.md'] }],
    },
    { name: 'import' },
  ],
  skills: ['docs/import.md'],
  review: {
    owner: 'lane:audit',
    stop: 'verified',
    policy: { paths: ['src/auth/'], diffLinesMax: 400, kinds: ['deleted', 'binary'] },
  },
  caps: { attempts: 2, rework: 4, hops: 9 },
};

const options: readonly (readonly [option: string, value: string])[] = [
  ['title', full.title],
  ['kind', 'data'],
  ['accept', '`npm test` passes'],
  ['constraint', 'no downtime'],
  ['non-goal', 'orders'],
  ['protect', 'infra/'],
  ['validate', 'unit: npm test'],
  ['validate-shell', 'count: wc -l users.csv | cat'],
  ['time-limit', '10m'],
  ['phase', 'measure: the rate is known'],
  ['phase-accept', 'measure: it stands in rates.md'],
  ['phase-verify', 'measure: node rate.mjs'],
  ['phase-rollback', 'measure: git checkout -- rates.md'],
  ['phase', 'import'],
  ['skill', 'docs/import.md'],
  ['review', 'lane:audit'],
  ['stop', 'verified'],
  ['policy-path', 'src/auth/'],
  ['policy-lines', '400'],
  ['policy-kind', 'deleted'],
  ['policy-kind', 'binary'],
  ['attempts', '2'],
  ['rework', '4'],
  ['hops', '9'],
];
const flags = [full.goal, ...options.flatMap(([option, value]) => [`--${option}`, value])];

const yaml = `title: Import users
goal: Every row of users.csv is in the table users
kind: data
acceptance: ['\`npm test\` passes']
constraints: [no downtime]
nonGoals: [orders]
protectedPaths: [infra/]
validation:
  - { name: unit, run: npm test, timeout: 10m }
  - { name: count, run: wc -l users.csv | cat, shell: true, timeoutMs: 600000 }
phases:
  - name: measure
    goal: the rate is known
    criteria: [it stands in rates.md]
    verify: [node rate.mjs]
    rollback: [git checkout -- rates.md]
  - import
skills: [docs/import.md]
review:
  owner: lane:audit
  stop: verified
  policy: { paths: [src/auth/], diffLinesMax: 400, kinds: [deleted, binary] }
caps: { attempts: 2, rework: 4, hops: 9 }
`;

const markdown = `# Import users
Every row of users.csv is in the table users

## Kind
data

## Acceptance
- \`npm test\` passes

## Constraints
- no downtime

## Non-goals
- orders

## Protected paths
- \`infra/\`

## Validation
- unit: \`npm test\` (timeout 10m)
- \`wc -l users.csv | cat\` (shell, name: count, timeout: 10m)

## Phases

### measure
the rate is known
- it stands in rates.md

#### Verify
- node rate.mjs

#### Rollback
- \`git checkout -- rates.md\`

### import

## Skills
- docs/import.md

## Review
lane:audit

## Stop at
verified

## Review policy
- paths: src/auth/
- diff lines: 400
- kinds: deleted, binary

## Caps
- attempts: 2
- rework: 4
- hops: 9
`;

async function contractOf(folder: string, task: string): Promise<Json> {
  const { json } = await staffetta(['show', task, '--json'], { cwd: folder });
  const { digest: _digest, v: _v, ...contract } = json['contract'] as Json;
  return contract;
}

async function opened(args: readonly string[], file?: readonly [name: string, text: string]): Promise<Json> {
  const folder = newWorkplace();
  if (file !== undefined) writeFileSync(join(folder, file[0]), file[1]);
  const ran = await staffetta(['open', ...args, '--json'], { cwd: folder });
  expect(ran.stderr).toBe('');
  return await contractOf(folder, String(ran.json['task']));
}

describe('a contract with all its fields', () => {
  test('comes from options', async () => {
    expect(await opened(flags)).toEqual(full);
  });

  test('comes from YAML', async () => {
    expect(await opened(['--file', 'c.yaml'], ['c.yaml', yaml])).toEqual(full);
  });

  test('comes from JSON', async () => {
    expect(await opened(['--file', 'c.json'], ['c.json', JSON.stringify({ v: 1, ...full })])).toEqual(full);
  });

  test('comes from Markdown', async () => {
    expect(await opened(['--file', 'c.md'], ['c.md', markdown])).toEqual(full);
  });

  test('is put together by amending: lists and phases grow, the rest is set', async () => {
    const folder = newWorkplace();
    const first = await staffetta(['open', full.goal, '--phase', 'measure', '--json'], { cwd: folder });
    const task = String(first.json['task']);
    const [, ...rest] = flags;
    const amended = await staffetta(['amend', task, ...rest, '--why', 'agreed'], { cwd: folder });
    expect(amended).toMatchObject({ status: 0, stderr: '' });
    expect(await contractOf(folder, task)).toEqual(full);
    const policy = [
      'amend',
      task,
      '--policy-lines',
      '10',
      '--phase-accept',
      'import: all rows',
      '--why',
      'x',
    ];
    await staffetta(policy, { cwd: folder });
    expect(await contractOf(folder, task)).toMatchObject({
      review: { policy: { paths: ['src/auth/'], diffLinesMax: 10 } },
      phases: [full.phases[0], { name: 'import', criteria: ['all rows'] }],
    });
  });

  test('is shown with its phases, its policy and what to load', async () => {
    const folder = newWorkplace();
    const { json } = await staffetta(['open', ...flags, '--json'], { cwd: folder });
    const { stdout } = await staffetta(['show', String(json['task'])], { cwd: folder });
    expect(stdout).toContain('Proven by\n  - unit: npm test\n  - count: wc -l users.csv | cat\n');
    expect(stdout).toContain(
      'Phases\n  - measure: not started\n    the rate is known\n  - import: not started\n',
    );
    expect(stdout).toContain('Skills, and where they are\n  docs/import.md');
    expect(stdout).toContain('only a person, where src/auth/ changes');
    expect(stdout).toContain('only a person, beyond 400 changed lines');
  });
});

const goalAsked = 'What should be true at the end: ';

describe.runIf(hasTerminal)('at a terminal', () => {
  test('open asks for what was not said, and an empty answer leaves one out', async () => {
    const folder = newWorkplace();
    const ran = await typed(
      folder,
      ['open', '--kind', 'code'],
      [
        [goalAsked, 'fence.txt has 6 lines\r'],
        ['It is accepted when: ', 'it holds a cow\r'],
        ['What is not part of it: ', '\r'],
        ['A command that proves it: ', 'node check.mjs\rhuman\r'],
      ],
    );
    expect(ran.status).toBe(0);
    const task = /(t\w{12}) {2}fence\.txt has 6 lines/.exec(ran.text)?.[1] ?? '';
    expect(await contractOf(folder, task)).toEqual({
      title: 'fence.txt has 6 lines',
      goal: 'fence.txt has 6 lines',
      kind: 'code',
      acceptance: ['it holds a cow'],
      validation: [{ run: ['node', 'check.mjs'] }],
      review: { human: true },
    });
  });

  test('no goal, the end of the input, or Ctrl-C opens nothing', async () => {
    const folder = newWorkplace();
    const unsaid = { status: 2, text: expect.stringContaining('open needs a GOAL') as unknown };
    expect(await typed(folder, ['open'], [[goalAsked, '\r']])).toMatchObject(unsaid);
    expect(await typed(folder, ['open'], [[goalAsked, '\u0004']])).toMatchObject(unsaid);
    const stopped = await typed(
      folder,
      ['open'],
      [
        [goalAsked, 'a goal\r'],
        ['It is accepted when: ', '\u0003'],
      ],
    );
    expect(stopped).toMatchObject({
      status: 130,
      text: expect.stringContaining('nothing was opened') as unknown,
    });
    expect(existsSync(join(folder, '.staffetta'))).toBe(false);
  });

  test('what was given with options is not asked again', async () => {
    const folder = newWorkplace();
    const ran = await typed(
      folder,
      ['open', '--accept', 'x', '--non-goal', 'y', '--validate', 'node check.mjs'],
      [
        [goalAsked, 'fence.txt has 6 lines\r'],
        ['Who reviews it (human, lane:audit, or an agent): ', 'human\r'],
      ],
    );
    expect(ran.status).toBe(0);
    expect(ran.text).not.toContain('It is accepted when');
    expect(ran.text).not.toContain('the gate will ask for more');
  });

  test('a program that wants JSON is asked nothing', async () => {
    const ran = await typed(newWorkplace(), ['open', '--json'], []);
    expect(ran).toMatchObject({ status: 2, text: expect.stringContaining('"code":"usage"') as unknown });
  });
});
