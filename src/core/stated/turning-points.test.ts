import { describe, expect, test } from 'vitest';
import { called, ran, storyOfSteps, type Said } from '../../../test/support/story.ts';
import { turningPoints } from './turning-points.ts';

const ok = { text: '', failed: false };
const wrote = (path: string, content: string): Said => called('Write', { file_path: path, content }, ok);
const replaced = (from: string, to: string): Said =>
  called('Edit', { file_path: 'src/a.ts', old_string: from, new_string: to }, ok);

type Steps = Parameters<typeof storyOfSteps>[0];

function turnsOf(...steps: Steps): Record<number, string> {
  // Something is said last, so that nothing else is where the agent stopped.
  return Object.fromEntries(
    turningPoints(storyOfSteps([...steps, ['agent', 'On it.'], ['user', 'ok']]).steps),
  );
}

describe('what is said around an edit that is undone', () => {
  test.each<[string, Said, Said]>([
    ['by git checkout', wrote('src/a.ts', '1'), ran('git checkout -- src/a.ts', 0)],
    ['by git restore', wrote('src/a.ts', '1'), ran('cd /repo && git restore src/a.ts', 0)],
    ['by git revert', wrote('src/a.ts', '1'), ran('git revert --no-edit HEAD', 0)],
    ['by git stash', wrote('src/a.ts', '1'), ran('git stash', 0)],
    ['by an edit the other way round', replaced('one', 'two'), replaced('two', 'one')],
    ['by deleting what was made', wrote('src/b.ts', '1'), ran('rm -f src/b.ts', 0)],
    ['by removing a package', ran('npm install zod', 0), ran('npm uninstall zod', 0)],
    [
      'by a patch that deletes what a patch added',
      called('apply_patch', { input: '*** Begin Patch\n*** Add File: b.ts\n+1\n*** End Patch' }, ok),
      called('apply_patch', { input: '*** Begin Patch\n*** Delete File: b.ts\n*** End Patch' }, ok),
    ],
  ])('counts: %s', (_, done, undone) => {
    const turns = turnsOf(
      ['user', 'Go.'],
      ['agent', 'First.', done],
      ['agent', 'Nothing of this sort.', ran('ls', 0)],
      ['agent', 'Hm, glue.', undone],
      ['agent', 'Taking the other road.'],
      ['agent', 'Elsewhere.', ran('ls src', 0)],
    );
    expect(turns).toMatchObject({ 3: 'undone', 4: 'undone', 5: 'undone' });
    expect(turns[2]).toBeUndefined();
    expect(turns[6]).toBeUndefined();
  });

  test('counts where an earlier text is written again', () => {
    const turns = turnsOf(
      ['agent', 'A.', wrote('src/a.ts', 'one')],
      ['agent', 'B.', wrote('src/a.ts', 'two')],
      ['agent', 'C.', wrote('src/a.ts', 'one')],
    );
    expect(turns[3]).toBe('undone');
  });

  test.each<[string, Said]>([
    ['changing the branch', ran('git checkout main', 0)],
    ['bringing back a stash', ran('git stash pop', 0)],
    ['taking out of the index', ran('git restore --staged .', 0)],
    ['deleting what was there before', ran('rm -rf dist', 0)],
    ['a checkout that failed', ran('git checkout -- src/a.ts', 1)],
  ])('does not count: %s', (_, done) => {
    const turns = turnsOf(['agent', 'First.', wrote('src/a.ts', '1')], ['agent', 'Then.', done]);
    expect(Object.values(turns)).not.toContain('undone');
  });

  test('does not count before anything was edited', () => {
    expect(Object.values(turnsOf(['agent', 'Clean.', ran('git checkout -- .', 0)]))).not.toContain('undone');
  });

  test('ends where a user speaks, and leaves long messages out', () => {
    const turns = turnsOf(
      ['agent', 'First.', wrote('src/a.ts', '1')],
      ['agent', 'Much else. '.repeat(120), ran('git checkout -- src/a.ts', 0)],
      ['user', 'Why?'],
      ['agent', 'Because.'],
    );
    expect(turns[1]).toBe('undone');
    expect(turns[2]).toBe('stopped');
    expect(turns[4]).not.toBe('undone');
  });
});

test('a file that is edited again after a failed check was tried another way', () => {
  const again: Steps = [
    ['agent', 'First.', wrote('src/a.ts', '1')],
    ['agent', 'Look.', ran('npm test', 1)],
    ['agent', 'Glue it is.', wrote('src/a.ts', '2')],
  ];
  expect(turnsOf(...again)).toMatchObject({ 2: 'retried', 3: 'retried' });
  const other: Steps = [...again.slice(0, 2), ['agent', 'Glue it is.', wrote('src/b.ts', '2')]];
  expect(Object.values(turnsOf(...other))).not.toContain('retried');
  const passed: Steps = [again[0] as Steps[0], ['agent', 'Look.', ran('npm test', 0)], again[2] as Steps[0]];
  expect(Object.values(turnsOf(...passed))).not.toContain('retried');
});

test('the last failure that nothing made good is where the work is stuck', () => {
  const turns = turnsOf(
    ['agent', 'A.', ran('make deploy', 1)],
    ['agent', 'B.', ran('make deploy', 0)],
    ['agent', 'C.', ran('./login.sh', 1)],
    ['agent', 'No card for that door.'],
  );
  expect(turns).toMatchObject({ 3: 'stuck', 4: 'stuck' });
  expect(turns[1]).toBeUndefined();
});

test('an agent stopped where a user speaks next, the program broke off, or nothing follows', () => {
  const { steps } = storyOfSteps([
    ['agent', 'A.', ran('ls', 0)],
    ['agent', 'B.'],
    ['user', 'Go on.'],
    ['agent', 'C.'],
    ['system', 'Limit reached', { mark: 'usage-limit' }],
    ['agent', 'D.', ran('ls', 0)],
    ['agent', '', ran('ls src', 0)],
    ['agent', 'E.', { aside: 'branch-left' }],
  ]);
  expect([...turningPoints(steps)]).toEqual([
    [2, 'stopped'],
    [4, 'stopped'],
    [6, 'stopped'],
  ]);
});
