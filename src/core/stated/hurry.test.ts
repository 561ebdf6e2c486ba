import { expect, test } from 'vitest';
import { storyOfSteps } from '../../../test/support/story.ts';
import { agentsInHurry, usersInHurry } from './hurry.ts';

type Said = readonly ['user' | 'agent', string];

/** So many characters that no sign fits. */
function filler(chars: number): string {
  return 'The log of the parser has one more line here.\n'.repeat(Math.ceil(chars / 46));
}

function textsOf(said: readonly Said[]): string[] {
  return usersInHurry(storyOfSteps(said)).map(({ text }) => text);
}

test('everything that users say is judged, as long as it is no more than people write', () => {
  const said = Array.from({ length: 100 }, (_, i): Said => ['user', `${filler(2000)}This is message ${i}.`]);
  expect(textsOf(said)).toEqual(said.map(([, text]) => text));
});

test('what agents say, and what is on a branch that was left, is no part of it', () => {
  const story = storyOfSteps([
    ['user', 'Add an export.'],
    ['agent', 'Fine.'],
    ['user', 'Never mind.', { aside: 'branch-left' }],
    ['user', 'Do your best.', { session: 1 }],
  ]);
  const sessions = [
    story.sessions[0],
    { ...story.sessions[0], facts: { ...story.sessions[0]?.facts, parent: 'x' } },
  ];
  const judged = usersInHurry({ ...story, sessions: sessions as typeof story.sessions });
  expect(judged.map(({ ref }) => ref)).toEqual([1]);
});

test('of messages with much pasted into them the beginning and the end are judged, and short ones whole', () => {
  const judged = textsOf([
    ['user', 'Add an export.'],
    ...Array.from({ length: 10 }, (_, i): Said => [
      'user',
      `Here is log ${i}.\n${filler(100_000)}\nNever print log ${i}.`,
    ]),
    ['user', 'Keep the old format.'],
  ]);
  expect(judged).toHaveLength(12);
  expect([judged[0], judged[11]]).toEqual(['Add an export.', 'Keep the old format.']);
  for (const [i, text] of judged.slice(1, 11).entries()) {
    expect(text.startsWith(`Here is log ${i}.\n`)).toBe(true);
    expect(text.endsWith(`\nNever print log ${i}.`)).toBe(true);
    expect(text.length).toBeLessThan(3000);
  }
});

test('a long line without an end is cut between letters, not within one', () => {
  const [text] = textsOf([['user', '🦉'.repeat(300_000)]]);
  expect(text?.isWellFormed()).toBe(true);
});

test('of a session that is all prose the beginning, the end and what sounds like an order are judged', () => {
  const prose = Array.from({ length: 1000 }, (): Said => ['user', filler(3000)]);
  const judged = textsOf([
    ['user', 'Add an export.'],
    ...prose,
    ['user', `${filler(1000)}The export must never lock the table.\n${filler(1000)}`],
    ['user', 'no polyfills'],
    ...prose,
    ['user', 'Call it dump.'],
  ]);
  expect(judged.at(0)).toBe('Add an export.');
  expect(judged.at(-1)).toBe('Call it dump.');
  expect(judged).toContain('The export must never lock the table.');
  expect(judged).toContain('no polyfills');
  expect(judged.join('').length).toBeLessThan(120_000);
});

test('what agents say is judged, and of very much of it the end', () => {
  const said = Array.from({ length: 1000 }, (_, i): Said => ['agent', `Part ${i} is done.`]);
  expect(agentsInHurry(storyOfSteps([...said, ['user', 'Go on.']]))).toHaveLength(1000);
  const long = Array.from({ length: 1000 }, (): Said => ['agent', filler(3000)]);
  const judged = agentsInHurry(storyOfSteps([...long, ...said]));
  expect(judged.length).toBeLessThan(1040);
  expect(judged.at(0)?.text).toBe(filler(3000));
  expect(judged.at(-1)?.text).toBe('Part 999 is done.');
});

test('a last message that is longer than all that is judged is judged all the same', () => {
  const judged = agentsInHurry(
    storyOfSteps([
      ['agent', 'Fine.'],
      ['agent', filler(1_000_000)],
    ]),
  );
  expect(judged.map(({ ref }) => ref)).toEqual([2]);
});
