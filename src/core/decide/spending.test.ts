/** Limits hold over the whole life of a task, and what is spent asks a person: it never fails the work. */
import { describe, expect, test } from 'vitest';
import { minute, packetA, Play, terms, toExecute } from '../../../test/support/play.ts';
import { ada, bea, eve, quinn, sol } from '../../../test/support/world.ts';
import type { Command } from '../task/command.ts';
import type { TaskBudget } from '../contract/terms.ts';

const within = (budget: TaskBudget) => ({ terms: terms({ budget, review: { owner: 'lane:audit' } }) });
const count = (
  tokens: number,
  more: { leg?: number; cost?: { amount: number; unit: string } } = {},
): Command => ({
  type: 'count-usage',
  usage: { leg: 1, source: 'codex', tokens, ...more },
});
const usd = (amount: number) => ({ amount, unit: 'USD' });

describe('counting what was used', () => {
  test('adds up over all legs, and shows the latest leg by itself', () => {
    const play = new Play().begin(ada);
    play.run(ada, { ...count(10, { cost: usd(0.1) }), generation: 1 } as Command);
    play.run(sol, count(5, { cost: usd(0.2) }));
    play.handoff(ada).take(bea);
    play.run(sol, count(7, { leg: 2 }));
    play.run(sol, count(1, { leg: 1 }));
    expect(play.state.usage).toEqual({
      tokens: 23,
      costs: [usd(0.3)],
      ms: 0,
      leg: { generation: 2, tokens: 7, costs: [] },
    });
  });

  test.each([
    ['an onlooker', bea, count(1), 'not-holder'],
    ['a former holder', ada, { ...count(1), generation: 2 } as Command, 'stale-generation'],
    ['for a leg that never was', sol, count(1, { leg: 2 }), 'invalid-input'],
  ])('%s is refused', (_who, by, command, code) => {
    expect(new Play().begin(ada).code(by, command)).toBe(code);
  });

  test('the units of one task are few', () => {
    const play = new Play().begin(ada);
    for (const unit of ['AAA', 'BBB', 'CCC', 'DDD', 'EEE', 'FFF', 'GGG', 'HHH'])
      play.run(sol, count(1, { cost: { amount: 1, unit } }));
    expect(play.code(sol, count(1, { cost: { amount: 1, unit: 'III' } }))).toBe('too-large');
  });
});

describe('a budget that is spent', () => {
  test.each<[string, TaskBudget, (play: Play) => unknown]>([
    ['tokens', { tokens: 10 }, (play) => play.run(sol, count(10))],
    ['legs', { legs: 1 }, () => undefined],
    ['time', { ms: minute }, (play) => (play.now += minute)],
    ['money', { cost: usd(1) }, (play) => play.run(sol, count(0, { cost: usd(1.5) }))],
  ])('of %s escalates the next handoff, retry or lapse, and says so', (_what, budget, spend) => {
    const ends: readonly Command[] = [
      { type: 'handoff', generation: 1, offer: toExecute, sealed: null },
      { type: 'retry', generation: 1, why: 'w', delayMs: 0 },
      { type: 'lapse' },
    ];
    for (const command of ends) {
      const play = new Play().begin(ada, within(budget));
      spend(play);
      if (command.type === 'lapse') play.now += 2 * minute;
      play.run(ada, command);
      expect(play.state).toMatchObject({ status: 'escalated', dead: null, escalation: { reason: 'budget' } });
    }
  });

  test('lets the leg that is on go on, and end well', () => {
    const play = new Play().begin(ada, { terms: terms({ budget: { tokens: 10 } }) });
    play.run(sol, count(12));
    expect(play.state.status).toBe('held');
    play.run(ada, { type: 'complete', generation: 1, sealed: null });
    expect(play.state.status).toBe('done');
  });

  test('takes an offer back, so that nobody starts on it', () => {
    const play = new Play().begin(ada, within({ tokens: 10 })).handoff(ada);
    play.run(sol, count(9));
    expect(play.state.status).toBe('offered');
    play.run(sol, count(1));
    expect(play.state).toMatchObject({ status: 'escalated', escalation: { reason: 'budget' } });
  });

  test('stops rework too, and findings stay on record', () => {
    const play = new Play().begin(ada, within({ legs: 1 })).submit(ada);
    const events = play.run(quinn, { type: 'send-back', packet: packetA, findings: [{ text: 'A gap.' }] });
    expect(events.map(({ type }) => type)).toEqual(['review-sent-back', 'escalated']);
  });

  test('a person may let it go on for a leg, and raise it', () => {
    const play = new Play().begin(ada, within({ legs: 1 })).handoff(ada);
    play.run(eve, { type: 'redrive', to: 'agent:bea' });
    expect(play.take(bea).state.status).toBe('held');
    play.run(eve, { type: 'amend', contract: play.state.contract, why: 'w', ...within({ legs: 3 }) });
    expect(play.handoff(bea).state.status).toBe('offered');
  });

  test('time that nobody held it costs nothing', () => {
    const play = new Play().begin(ada, within({ ms: minute }));
    play.now += 20_000;
    play.handoff(ada);
    play.now += 10 * minute;
    play.take(bea);
    play.now += 20_000;
    play.handoff(bea);
    expect(play.state).toMatchObject({ status: 'offered', usage: { ms: 40_000 } });
  });
});

const run = (): Play => new Play().begin(sol);

describe('steering a run', () => {
  test('from outside the leg; what is left out stays as it was', () => {
    const play = run();
    play.run(eve, { type: 'steer', paused: true, parallel: 2, why: 'lunch' });
    play.run(eve, { type: 'steer', paused: false, caps: { tokens: 9 }, why: 'back' });
    expect(play.state.steering).toMatchObject({
      paused: false,
      parallel: 2,
      caps: { tokens: 9 },
      why: 'back',
      by: 'eve',
    });
    expect(play.state.status).toBe('held');
  });

  test.each([
    ['a task in another lane', new Play().begin(ada), eve, 'lane-denied'],
    ['an agent that does not direct', run(), bea, 'denied'],
  ])('%s is refused', (_what, play, by, code) => {
    expect(play.code(by, { type: 'steer', paused: true, why: 'w' })).toBe(code);
  });
});
