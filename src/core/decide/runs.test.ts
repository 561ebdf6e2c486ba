import { describe, expect, test } from 'vitest';
import { Play, terms, treeA, treeB } from '../../../test/support/play.ts';
import { ada, bea, eve, sol } from '../../../test/support/world.ts';
import type { Command, PhaseMove } from '../task/command.ts';
import type { Digest } from '../journal/digest.ts';
import { limits } from '../base/limits.ts';

type Run = Extract<Command, { type: 'record-runs' }>['runs'][number];

function run(exit: number | null, workspace: Digest | null = treeA, words = ['npm', 'test']): Run {
  return {
    run: words,
    exit,
    ended: exit === null ? 'timed-out' : 'exited',
    ms: 5,
    outputBytes: 0,
    workspace,
  };
}

function record(runs: readonly Run[], more: { generation?: number; phase?: PhaseMove } = {}): Command {
  return { type: 'record-runs', runs, ...more };
}

function move(phase: PhaseMove): Command {
  return record([], { generation: 1, phase });
}

describe('results', () => {
  test('of a command: the last pass, the last failure, and how often it failed since', () => {
    const play = new Play().begin(ada);
    for (const [exit, tree] of [[0, treeA] as const, [1, treeB] as const, [null, treeB] as const])
      play.run(ada, record([run(exit, tree)], { generation: 1 }));
    expect(play.state.runs).toMatchObject([
      { run: ['npm', 'test'], passed: { exit: 0, workspace: treeA }, failed: { exit: null }, failures: 2 },
    ]);
    play.run(ada, record([run(0)], { generation: 1 }));
    expect(play.state.runs).toMatchObject([{ failures: 0, failed: { exit: null } }]);
  });

  test('the state keeps those of the commands run last', () => {
    const play = new Play().begin(ada);
    for (let n = 0; n <= limits.runsKeptMax; n += 1)
      play.run(ada, record([run(0, treeA, ['step', String(n)])], { generation: 1 }));
    expect(play.state.runs).toHaveLength(limits.runsKeptMax);
    expect(play.state.runs[0]?.run).toEqual(['step', '1']);
  });

  test('are recorded by the holder, by a person and by a supervisor', () => {
    const play = new Play().begin(ada);
    expect(play.run(eve, record([run(0)]))).toHaveLength(1);
    expect(play.run(sol, record([run(0)]))).toHaveLength(1);
    expect(play.refusal(bea, record([run(0)])).code).toBe('not-holder');
    expect(play.refusal(ada, record([run(0)], { generation: 2 })).code).toBe('stale-generation');
  });
});

describe('phases', () => {
  const phased = { terms: terms({ phases: [{ name: 'measure' }, { name: 'change' }] }) };

  test('are started in order, each after the one before is verified', () => {
    const play = new Play().begin(ada, phased);
    expect(play.refusal(ada, move({ phase: 'change', to: 'started' }))).toMatchObject({
      code: 'wrong-state',
      message: 'Phase measure comes first and is not verified.',
    });
    play.run(ada, move({ phase: 'measure', to: 'started', workspace: treeA }));
    expect(play.refusal(ada, move({ phase: 'measure', to: 'started' })).message).toContain('already');
    play.run(ada, move({ phase: 'measure', to: 'verified' }));
    play.run(ada, move({ phase: 'change', to: 'started' }));
    expect(play.state.phases.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'measure verified',
      'change started',
    ]);
  });

  test('one that failed can be verified later, one that was rolled back is started again', () => {
    const play = new Play().begin(ada, phased);
    play.run(ada, move({ phase: 'measure', to: 'started' }));
    play.run(ada, move({ phase: 'measure', to: 'failed', why: 'npm test did not pass.' }));
    play.run(ada, move({ phase: 'measure', to: 'verified' }));
    play.run(ada, move({ phase: 'measure', to: 'rolled-back', why: 'The numbers were wrong.' }));
    expect(play.refusal(ada, move({ phase: 'measure', to: 'verified' })).code).toBe('wrong-state');
    play.run(ada, move({ phase: 'measure', to: 'started' }));
    expect(play.state.phases).toHaveLength(1);
  });

  test('with a phase undone, no later one is verified, and those that were have to be shown again', () => {
    const play = new Play().begin(ada, phased);
    for (const phase of ['measure', 'change'])
      for (const to of ['started', 'verified'] as const) play.run(ada, move({ phase, to }));
    const events = play.run(ada, move({ phase: 'measure', to: 'rolled-back', why: 'Wrong numbers.' }));
    expect(events).toMatchObject([
      { type: 'phase-rolled-back', phase: 'measure' },
      { type: 'phase-failed', phase: 'change', why: 'Phase measure, which comes before it, was undone.' },
    ]);
    expect(play.refusal(ada, move({ phase: 'change', to: 'verified' }))).toMatchObject({
      code: 'wrong-state',
      message: 'Phase measure comes first and is not verified.',
    });
    play.run(ada, move({ phase: 'measure', to: 'started' }));
    expect(play.code(ada, move({ phase: 'change', to: 'verified' }))).toBe('wrong-state');
    play.run(ada, move({ phase: 'measure', to: 'verified' }));
    expect(play.run(ada, move({ phase: 'change', to: 'verified' }))).toHaveLength(1);
  });

  test('a phase that is half undone shakes the later ones, and one that only failed does not', () => {
    const play = new Play().begin(ada, phased);
    for (const phase of ['measure', 'change'])
      for (const to of ['started', 'verified'] as const) play.run(ada, move({ phase, to }));
    const failing: PhaseMove = { phase: 'measure', to: 'failed', why: 'w' };
    const again = { ...run(1), phase: { name: 'measure', part: 'verify' as const } };
    expect(play.run(ada, record([again], { generation: 1, phase: failing }))).toHaveLength(2);
    const undoing = { ...run(1), phase: { name: 'measure', part: 'rollback' as const } };
    const events = play.run(ada, record([undoing], { generation: 1, phase: failing }));
    expect(events.at(-1)).toMatchObject({ type: 'phase-failed', phase: 'change' });
  });

  test.each<[PhaseMove['to']]>([['verified'], ['failed'], ['rolled-back']])(
    'one that was not started cannot be %s',
    (to) => {
      const play = new Play().begin(ada, phased);
      expect(play.refusal(ada, move({ phase: 'measure', to, why: 'w' })).code).toBe('wrong-state');
    },
  );

  test('one that the contract does not have is named with those it has', () => {
    const play = new Play().begin(ada, phased);
    expect(play.refusal(ada, move({ phase: 'mesure', to: 'started' }))).toMatchObject({
      code: 'unknown-phase',
      message: expect.stringContaining('measure, change') as string,
    });
    expect(new Play().begin(ada).refusal(ada, move({ phase: 'measure', to: 'started' })).message).toContain(
      'no phases',
    );
  });

  test('are moved by the holder alone', () => {
    const play = new Play().begin(ada, phased);
    expect(play.refusal(eve, record([], { phase: { phase: 'measure', to: 'started' } })).code).toBe(
      'not-holder',
    );
  });

  test('moving one is progress: handing the task back is no bounce', () => {
    const play = new Play().begin(ada, phased);
    const before = play.state.mark.progress;
    play.run(ada, move({ phase: 'measure', to: 'started' }));
    expect(play.state.mark.progress).toBe(before + 1);
  });
});
