import { describe, expect, test } from 'vitest';
import { changing, proving } from '../../../../test/support/session-commands.ts';
import { called, ran, storyOfSteps } from '../../../../test/support/story.ts';
import { draftContract } from '../draft.ts';
import { proofIn } from './proving.ts';

const folder = '/home/dev/project';

describe('a command of a session', () => {
  test.each(changing)('is no proof where it may change something, or is not known: %s', (line) => {
    expect(proofIn(line, folder)).toBeNull();
  });

  test.each(proving)('is a proof as it stands: %s', (line) => {
    expect(proofIn(line, folder)).toBe(line);
  });

  test.each([
    ['npm test 2>&1 | tail -20', 'npm test'],
    ['npm test | tee test.log', 'npm test'],
    ['npm test; echo "exit: $?"', 'npm test'],
    ['npm test || true', 'npm test'],
    ['npm test 2>&1 | tail -20; echo "exit: ${PIPESTATUS[0]}"', 'npm test'],
    ['cd api && npm test || echo failed', 'cd api && npm test'],
    ['npm test;', 'npm test'],
  ])('is a proof without what hides how it ended: %s', (line, proof) => {
    expect(proofIn(line, folder)).toBe(proof);
  });

  test('is no proof where it is too long or has several lines', () => {
    expect(proofIn(`npm test ${'a '.repeat(200)}b`)).toBeNull();
    expect(proofIn(`npm test; echo ${'; echo '.repeat(100_000)}`)).toBeNull();
    expect(proofIn('npm test\nrm -rf build')).toBeNull();
  });
});

describe('what a session drafts', () => {
  test('names no command that changes something, whether it passed or failed', () => {
    for (const exit of [0, 1]) {
      const story = storyOfSteps([
        ['user', 'Clean up the project. Never delete the build folder.'],
        ...changing.map((command) => ['agent', '', ran(command, exit)] as const),
      ]);
      expect(draftContract(story).contract).not.toHaveProperty('validation');
    }
  });

  test('names what passed when it ran last, and no question that was answered', () => {
    const story = storyOfSteps([
      ['agent', '', ran('npm test', 1)],
      ['agent', '', ran('npm test', 0)],
      ['agent', '', ran('npm run lint', 0)],
      ['agent', '', ran('npm run lint', 1)],
      ['agent', '', ran('grep -q ready src/a.ts', 0)],
    ]);
    expect(draftContract(story).contract.validation).toEqual([{ run: ['npm', 'test'] }]);
  });

  test('names one command once, however its output was shortened or reported', () => {
    const story = storyOfSteps([
      ['agent', '', ran('npm test; echo $?', 0)],
      ['agent', '', ran('npm test 2>&1 | tail -3', 0)],
      ['agent', '', ran('npm test;', 0)],
    ]);
    expect(draftContract(story)).toMatchObject({
      contract: { validation: [{ run: ['npm', 'test'] }] },
      evidence: { validation: ['s3'] },
    });
  });

  test.each(['npm test || true', 'npm test; echo $?', 'npm test 2>&1 | tail -3', '! npm test', 'npm test &'])(
    'names nothing that may have failed although its line ended well: %s',
    (line) => {
      const story = storyOfSteps([['agent', '', ran(line, 0)]]);
      expect(draftContract(story).contract).not.toHaveProperty('validation');
    },
  );

  test('names nothing that failed since in another line, and what ran in a folder with that folder', () => {
    const story = storyOfSteps([
      ['agent', '', ran('npm test', 0)],
      ['agent', '', ran('cd api && npm test', 0)],
      ['agent', '', ran('cd /home/dev/project && npm test', 1)],
    ]);
    expect(draftContract(story).contract.validation).toEqual([{ run: ['cd api && npm test'], shell: true }]);
  });

  test.each([
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit).",
    "The user doesn't want to take this action right now. STOP what you are doing.",
    '[Request interrupted by user for tool use]',
    'Permission to use Bash with command npm test has been denied.',
    "Claude requested permissions to use Bash, but you haven't granted it yet.",
    'exec command rejected by user',
    'aborted by user after 1.2s',
    '[Operation Cancelled] Reason: User denied execution.',
    'The user rejected permission to use this specific tool call.',
  ])('names no call that never ran: %s', (text) => {
    const rejected = called('Bash', { command: 'npm test' }, { text, failed: true });
    const story = storyOfSteps([['agent', '', rejected]]);
    expect(draftContract(story).contract).not.toHaveProperty('validation');
    const again = storyOfSteps([
      ['agent', '', ran('npm test', 0)],
      ['agent', '', rejected],
    ]);
    expect(draftContract(again).contract.validation).toEqual([{ run: ['npm', 'test'] }]);
  });
});
