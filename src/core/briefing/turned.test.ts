import { expect, test } from 'vitest';
import { called, ran, storyOfSteps } from '../../../test/support/story.ts';
import type { Contract } from '../contract.ts';
import { briefing } from './briefing.ts';

const contract: Contract = { v: 1, title: 'Dry run', goal: 'The importer has a dry-run mode.' };
const ok = { text: '', failed: false };
type Steps = Parameters<typeof storyOfSteps>[0];

/** Hundreds of sentences with a reason, none like another. */
const chatter = (from: number, many: number): Steps =>
  Array.from({ length: many }, (_, i) => [
    'agent',
    `Handler ${from + i} of ${'abcdefghij'[i % 10]}${'klmnopqrst'[Math.floor(i / 10) % 10]}quuz waits for frame ${i}, since the reader of ${'uvwxyzabcd'[i % 10]}lorp is not awake yet.`,
    ran(`ls src/${from + i}`, 0),
  ]);

const said = 'Glueing both halves was a short joy, the seam shows.';

function told(story: ReturnType<typeof storyOfSteps>): string {
  const input = { task: 't0123456789ab', contract, packet: null, story, budget: 2000 } as const;
  return briefing({ ...input, count: (given) => given.length / 4 }).text;
}

test('what is said where an edit is undone is told, whatever its words', () => {
  const around = (command: string): string =>
    told(
      storyOfSteps([
        ['user', 'Add the mode.'],
        ...chatter(0, 150),
        ['agent', '', called('Write', { file_path: 'src/a.ts', content: '1' }, ok)],
        ['agent', said, ran(command, 0)],
        ['agent', 'On it.', ran('ls', 0)],
        ...chatter(150, 150),
      ]),
    );
  const line = new RegExp(`## Said where work was undone, failed or stopped\\n(?:- .*\\n)?- ${said}`);
  const undone = around('git checkout -- src/a.ts');
  expect(undone).toMatch(line);
  expect(undone).toBe(around('git checkout -- src/a.ts'));
  expect(around('git status')).not.toMatch(line);
});

test('the last words of an agent are told as such, before what else it concluded', () => {
  const last = 'Both halves lie on the bench, unglued.';
  const text = told(storyOfSteps([['user', 'Add the mode.'], ...chatter(0, 300), ['agent', last]]));
  expect(text).toContain(`## Last words of the previous agent\n- ${last} [s302]\n`);
});

test('a clause behind a semicolon is told with the choice that it explains', () => {
  const story = storyOfSteps([
    ['user', 'Add the mode.'],
    ['agent', 'I decided against a database for the sizes; one small artifact is enough.', ran('ls', 0)],
    ['agent', 'On it.'],
  ]);
  expect(told(story)).toContain(
    '## Decisions\n- I decided against a database for the sizes; one small artifact is enough. [s2]\n',
  );
});
