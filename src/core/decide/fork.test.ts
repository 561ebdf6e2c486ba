import { describe, expect, test } from 'vitest';
import {
  contractA,
  forkA,
  minute,
  packetA,
  packetB,
  Play,
  terms,
  toExecute,
  treeA,
} from '../../../test/support/play.ts';
import { ada, bea, eve, pia, quinn, sol } from '../../../test/support/world.ts';
import type { Actor } from '../task/actor.ts';
import type { Command } from '../task/command.ts';
import { StaffettaError } from '../base/error.ts';

function opening(fork = forkA): Command {
  return { type: 'open', contract: contractA, terms: terms(), met: [], first: toExecute, fork };
}

describe('opening a fork', () => {
  test('what is taken over stands beside the opening, and the offer carries the packet', () => {
    const events = new Play().run(ada, opening());
    expect(events.map(({ type }) => type)).toEqual(['task-opened', 'task-forked', 'offer-made']);
    expect(events[1]).toEqual({
      type: 'task-forked',
      v: 1,
      from: { task: forkA.task, seq: 3, digest: forkA.digest },
      packet: packetA,
      certification: 'ready',
      workspace: treeA,
      authors: ['quinn'],
      demands: ['It touches a protected path.'],
      start: { head: 'a'.repeat(40), branch: 'main' },
      why: 'Another way.',
    });
    expect(events[2]).toMatchObject({ packet: packetA });
  });

  test('where nothing was probed and nothing demanded, nothing is said of it', () => {
    const events = new Play().run(ada, opening({ ...forkA, workspace: null, demands: [], start: null }));
    expect(Object.keys(events[1] ?? {})).not.toContain('workspace');
    expect(Object.keys(events[1] ?? {})).not.toContain('demands');
    expect(Object.keys(events[1] ?? {})).not.toContain('start');
  });

  test('its first own packet continues the one it was forked at, on that workspace', () => {
    const play = new Play().open(ada, { first: { take: 'execute', leaseMs: minute }, fork: forkA });
    expect(play.state).toMatchObject({
      start: forkA.start,
      packet: packetA,
      packets: 0,
      authors: ['quinn', 'ada'],
      demands: forkA.demands,
      sealed: { certification: 'ready', workspace: treeA },
      leg: { received: packetA, workspace: treeA },
      mark: { workspace: treeA },
      fork: { task: forkA.task, seq: 3, packet: packetA, why: 'Another way.' },
    });
    const [sealed] = play.run(ada, {
      type: 'checkpoint',
      generation: 1,
      sealed: { packet: packetB, certification: 'valid' },
    });
    expect(sealed).toMatchObject({ parent: packetA });
  });

  test.each<[string, Actor]>([
    ['a person', eve],
    ['the plan lane', pia],
    ['the supervise lane', sol],
  ])('%s may widen the contract', (_who, by) => {
    expect(
      new Play().run(by, opening({ ...forkA, widenings: ['goal: it says something else'] })),
    ).toHaveLength(3);
  });

  test.each<[string, Actor]>([
    ['the execute lane', bea],
    ['the audit lane', quinn],
    ['an agent without a lane', { name: 'drifter', kind: 'agent' }],
  ])('%s may not', (_who, by) => {
    const error = new Play().refusal(by, opening({ ...forkA, widenings: ['goal: it says something else'] }));
    expect(error).toMatchObject({ code: 'lane-denied', details: { task: forkA.task } });
    expect(error.message).toContain('goal: it says something else');
    expect(error.hint).toBeTruthy();
  });
});

function broken(tell: () => unknown): string {
  try {
    tell();
    return 'nothing';
  } catch (error) {
    if (error instanceof StaffettaError) return error.message;
    throw error;
  }
}

describe('laws of forks', () => {
  const [, forked] = new Play().run(ada, opening());
  if (forked === undefined) throw new Error('nothing was forked');

  test('a task is forked when it is opened, and once', () => {
    const late = new Play().open(ada);
    expect(broken(() => late.tell(ada, [forked]))).toContain('a task is forked when it is opened.');
    const opened = new Play().ask(ada, { ...opening(), first: null } as Command);
    if (opened instanceof StaffettaError) throw opened;
    expect(broken(() => new Play().tell(ada, [...opened, forked]))).toContain(
      'a task is forked when it is opened.',
    );
    expect(broken(() => new Play().tell(ada, [forked]))).toContain('a journal begins with task-opened.');
  });

  test('a task is not forked from itself', () => {
    const play = new Play();
    expect(broken(() => play.run(ada, opening({ ...forkA, task: play.task })))).toContain('from another one');
  });
});
