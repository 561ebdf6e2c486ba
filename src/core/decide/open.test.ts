import { describe, expect, test } from 'vitest';
import {
  contractA,
  contractB,
  minute,
  needA,
  needB,
  Play,
  terms,
  toExecute,
} from '../../../test/support/play.ts';
import { ada, bea, dawn, eve, pia, sol } from '../../../test/support/world.ts';
import type { Command } from '../task/command.ts';
import { limits } from '../base/limits.ts';

describe('opening', () => {
  test('a draft is neither offered nor held', () => {
    const play = new Play().open(ada);
    expect(play.state).toMatchObject({
      status: 'open',
      generation: 0,
      leg: null,
      offer: null,
      openedBy: 'ada',
    });
    expect(play.told[0]?.entry.events).toEqual([
      { type: 'task-opened', v: 1, contract: contractA, terms: terms() },
    ]);
  });

  test('an opened task can be offered in the same entry', () => {
    const play = new Play().open(ada, { first: toExecute });
    expect(play.told).toHaveLength(1);
    expect(play.state).toMatchObject({
      status: 'offered',
      offer: { offer: 1, to: 'lane:execute', cause: 'opened', attempt: 1, by: 'ada', packet: null },
    });
  });

  test('an opened task can be taken in the same entry, and its opener need not acknowledge it', () => {
    const play = new Play().begin(ada);
    expect(play.told).toHaveLength(1);
    expect(play.state).toMatchObject({
      status: 'held',
      generation: 1,
      leg: { holder: ada, lane: 'execute', acknowledged: true, leaseUntil: dawn + minute, from: null },
    });
  });

  test('opening what exists is refused', () => {
    const play = new Play().open(ada);
    const again: Command = { type: 'open', contract: contractB, terms: terms(), met: [], first: null };
    expect(play.code(bea, again)).toBe('task-exists');
  });

  test('needs that are done already are recorded as met', () => {
    const play = new Play().open(ada, {
      terms: terms({ needs: [needA, needB] }),
      met: [needB],
      first: toExecute,
    });
    expect(play.state).toMatchObject({ status: 'blocked', unmet: [needA] });
  });

  test('a task whose needs are unmet cannot be taken at once, and the refusal names them', () => {
    const play = new Play();
    const error = play.refusal(ada, {
      type: 'open',
      contract: contractA,
      terms: terms({ needs: [needA, needB] }),
      met: [needA],
      first: { take: 'execute', leaseMs: minute },
    });
    expect(error.code).toBe('needs-unmet');
    expect(error.details).toEqual({ unmet: [needB] });
    expect(error.message).toContain(needB);
  });

  test('a task whose needs are all met can be taken at once', () => {
    const play = new Play().open(ada, {
      terms: terms({ needs: [needA] }),
      met: [needA],
      first: { take: 'execute', leaseMs: minute },
    });
    expect(play.state).toMatchObject({ status: 'held', unmet: [] });
  });

  test.each([limits.leaseMsMin - 1, limits.leaseMsMax + 1, Number.NaN])(
    'a lease of %d ms is refused',
    (leaseMs) => {
      const error = new Play().refusal(ada, {
        type: 'open',
        contract: contractA,
        terms: terms(),
        met: [],
        first: { take: 'execute', leaseMs },
      });
      expect(error.code).toBe('invalid-input');
      expect(error.hint).toBe(
        `Choose between ${limits.leaseMsMin} ms and ${limits.leaseMsMax} ms, which is 24 hours.`,
      );
    },
  );
});

const amend = (more: Parameters<typeof terms>[0] = {}): Extract<Command, { type: 'amend' }> => ({
  type: 'amend',
  contract: contractB,
  terms: terms(more),
  why: 'The river rose.',
});

describe('amending the contract', () => {
  test('a person, a supervisor and a holder in the plan lane may', () => {
    for (const by of [eve, sol]) {
      const play = new Play().begin(ada);
      play.run(by, amend());
      expect(play.state).toMatchObject({ contract: contractB, mark: { contract: 2 }, status: 'held' });
    }
    const planning = new Play().begin(pia);
    planning.run(pia, amend());
    expect(planning.state.contract).toBe(contractB);
  });

  test('a holder in another lane may not widen it, nor change it in a way nobody looked at', () => {
    const play = new Play().begin(ada);
    for (const widenings of [{ widenings: ['goal: it says something else'] }, {}]) {
      const error = play.refusal(ada, { ...amend(), ...widenings });
      expect(error.code).toBe('lane-denied');
      expect(error.hint).toContain('Raise a decision');
      expect(error.details).toMatchObject({ holder: 'ada', generation: 1 });
    }
  });

  test('a holder in another lane may narrow it', () => {
    const play = new Play().begin(ada);
    play.run(ada, { ...amend(), widenings: [] });
    expect(play.state.contract).toBe(contractB);
  });

  test('an agent that does not hold the task may not', () => {
    const play = new Play().begin(ada);
    for (const by of [bea, pia]) expect(play.code(by, amend())).toBe('not-holder');
  });

  test('a planner that no longer holds the task may not', () => {
    const play = new Play().begin(pia).handoff(pia);
    expect(play.code(pia, amend())).toBe('stale-generation');
  });

  test('a new need blocks an offer, and dropping it frees the offer again', () => {
    const play = new Play().offered(ada);
    play.run(eve, amend({ needs: [needA] }));
    expect(play.state).toMatchObject({ status: 'blocked', unmet: [needA] });
    play.run(eve, amend());
    expect(play.state).toMatchObject({ status: 'offered', unmet: [] });
  });

  test('a need that was met stays met', () => {
    const play = new Play().open(ada, { terms: terms({ needs: [needA] }), met: [needA], first: toExecute });
    play.run(eve, amend({ needs: [needA, needB] }));
    expect(play.state.unmet).toEqual([needB]);
  });

  test('a finished task keeps its contract', () => {
    const play = new Play().begin(ada);
    play.run(ada, { type: 'fail', generation: 1, why: 'No wood.' });
    expect(play.code(eve, amend())).toBe('wrong-state');
  });
});
