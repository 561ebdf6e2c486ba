import { describe, expect, test } from 'vitest';
import { bareFacts } from '../transcript/bare-facts.ts';
import type { Call, Step } from '../transcript/step.ts';
import type { Story } from '../transcript/story.ts';
import { guessesOf } from './guess.ts';

function storyOf(steps: readonly Partial<Step>[], unanswered: readonly Call[] = []): Story {
  return {
    sessions: [{ facts: bareFacts('claude-code', 's'), omissions: [], unanswered, rewritten: false }],
    steps: steps.map((step, index) => ({
      id: index + 1,
      source: 'agent',
      at: null,
      text: '',
      record: index,
      ref: index + 1,
      session: 0,
      ...step,
    })),
    unread: [],
  };
}

const asked: Partial<Step> = { source: 'user', text: 'Make the import\nof users faster.' };

function ran(command: string, exit: number): Partial<Step> {
  return {
    calls: [{ id: command, tool: 'Bash', args: { command } }],
    results: [{ call: command, text: '', failed: exit !== 0, exit }],
  };
}

describe('what a session suggests', () => {
  test('is what it was opened with, on one line, and a person who reviews', () => {
    expect(guessesOf(storyOf([asked]))).toEqual({
      goal: 'Make the import of users faster.',
      acceptance: 'what was asked for is there: Make the import of users faster.',
      review: 'human',
      next: 'go on with what was asked last: Make the import of users faster.',
    });
  });

  test('is the last test that ran, and that it passes', () => {
    const story = storyOf([asked, ran('npm test', 0), ran('node import.mjs', 0), ran('ls', 0)]);
    expect(guessesOf(story)).toMatchObject({ validation: 'npm test', acceptance: 'npm test passes' });
  });

  test('is no command that proves nothing, although it passed', () => {
    for (const command of ['node import.mjs', 'ls', 'git push --force origin main'])
      expect(guessesOf(storyOf([asked, ran(command, 0)]))).not.toHaveProperty('validation');
  });

  test('is to mend what failed last, and before that to finish what was under way', () => {
    const failed = [asked, ran('npm test', 1)];
    expect(guessesOf(storyOf(failed))).toMatchObject({ next: 'make npm test pass' });
    const call: Call = { id: 'c', tool: 'Bash', args: { command: 'npm run bench' } };
    expect(guessesOf(storyOf([...failed, { calls: [call] }], [call]))).toMatchObject({
      next: 'see whether what was running took effect, before it is run again: npm run bench',
    });
  });

  test.each([
    ['the installer is out of scope'],
    ['Fonts come later, skip them.'],
    ['Careful: the schema must stay as it is.'],
    ['It is done when ten rows arrive.'],
    ['Anna has to approve it.'],
    ["hm, that isn't quite it"],
    ['## Non-goals\n- dark mode\n- printing'],
  ])('is what was asked for, and no limit that was said after it: %s', (limit) => {
    const story = storyOf([asked, { text: 'On it.' }, { source: 'user', text: limit }, { text: 'Fine.' }]);
    expect(guessesOf(story).next).toBe('go on with what was asked last: Make the import of users faster.');
  });

  test('is the latest request, with what it leans on', () => {
    const later = {
      source: 'user' as const,
      text: 'The mails are late. Please repair that. Use no new queue.',
    };
    expect(guessesOf(storyOf([asked, later])).next).toBe(
      'go on with what was asked last: The mails are late. Please repair that.',
    );
    const onward = { source: 'user' as const, text: 'sure, go through the second file' };
    expect(guessesOf(storyOf([asked, onward])).next).toBe(`go on with what was asked last: ${onward.text}`);
  });

  test('is that the goal is there, and not a question that was answered', () => {
    const question = { source: 'user' as const, text: 'who calls the reader?' };
    expect(guessesOf(storyOf([question, { text: 'main.ts.' }, asked])).acceptance).toBe(
      'what was asked for is there: Make the import of users faster.',
    );
  });

  test('is no next action where only limits were said', () => {
    expect(guessesOf(storyOf([{ source: 'user', text: 'Never touch the schema.' }]))).not.toHaveProperty(
      'next',
    );
  });

  test('leaves out the files that were not touched', () => {
    const edit: Call = { id: 'e', tool: 'Write', args: { file_path: '/repo/src/import.ts', content: 'x' } };
    const done = { call: 'e', text: 'ok', failed: false };
    const { nonGoals } = guessesOf(storyOf([asked, { calls: [edit], results: [done] }]));
    expect(nonGoals).toMatch(/^files other than .*import\.ts$/);
  });

  test('is nothing but a reviewer where nothing was said', () => {
    expect(guessesOf(storyOf([]))).toEqual({ review: 'human' });
  });
});
