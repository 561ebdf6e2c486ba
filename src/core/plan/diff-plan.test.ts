import { expect, test } from 'vitest';
import { diffPlan, type RunningTask } from './diff-plan.ts';
import type { NamedTask } from './work-plan.ts';

function task(name: string, rest: Partial<NamedTask> = {}): NamedTask {
  return { name, goal: name, lane: 'execute', ...rest };
}

function running(planned: NamedTask, status: RunningTask['status'] = 'open', holder?: string): RunningTask {
  return { planned, status, ...(holder === undefined ? {} : { holder }) };
}

test('a plan of which nothing runs is opened, needs first', () => {
  expect(diffPlan([task('b', { needs: ['a'] }), task('a')], [])).toEqual([
    { act: 'open', task: 'a' },
    { act: 'open', task: 'b' },
  ]);
});

test('a plan that runs as it is asks for nothing, in whatever order needs are named', () => {
  const was = task('c', { needs: ['a', 'b'], paths: ['x'] });
  const is = task('c', { needs: ['b', 'a'], paths: ['x'] });
  expect(diffPlan([is, task('a')], [running(was), running(task('a'), 'done')])).toEqual([]);
});

test('what changed is amended, what is gone is cancelled, and what is over is too late', () => {
  const before = [
    running(task('a'), 'held', 'code'),
    running(task('b')),
    running(task('gone'), 'held', 'qa'),
    running(task('old'), 'done'),
    running(task('over'), 'done'),
    running(task('again'), 'cancelled'),
  ];
  const after = [
    task('a', { goal: 'another' }),
    task('b', { priority: 3 }),
    task('new'),
    task('over', { goal: 'other' }),
    task('again'),
  ];
  expect(diffPlan(after, before)).toEqual([
    { act: 'open', task: 'new' },
    { act: 'amend', task: 'a', fields: ['goal'], changesContract: true, holder: 'code' },
    { act: 'amend', task: 'b', fields: ['priority'], changesContract: false, holder: null },
    { act: 'too-late', task: 'over', fields: ['goal'], status: 'done' },
    { act: 'too-late', task: 'again', fields: [], status: 'cancelled' },
    { act: 'cancel', task: 'gone', holder: 'qa' },
  ]);
});
