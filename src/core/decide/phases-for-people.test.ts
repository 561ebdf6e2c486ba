/** A phase may ask for a person: what comes after it waits until one has looked. */
import { expect, test } from 'vitest';
import { Play, terms } from '../../../test/support/play.ts';
import { ada, bea, eve, sol } from '../../../test/support/world.ts';
import { cardOf } from '../task/card.ts';
import type { Command, PhaseMove } from '../task/command.ts';

const phased = { terms: terms({ phases: [{ name: 'plan', human: true }, { name: 'apply' }] }) };
const move = (phase: PhaseMove): Command => ({ type: 'record-runs', runs: [], generation: 1, phase });
const start = (phase: string): Command => move({ phase, to: 'started' });
const verify = (phase: string): Command => move({ phase, to: 'verified', because: 'It is written.' });
const approve: Command = { type: 'approve-phase', phase: 'plan' };

function planned(): Play {
  const play = new Play().begin(ada, phased);
  play.run(ada, start('plan'));
  play.run(ada, verify('plan'));
  return play;
}

test('no later phase starts, and nothing is handed in, before a person has approved it', () => {
  const play = planned();
  expect(cardOf(play.state).person).toBe(true);
  const endings: readonly Command[] = [
    start('apply'),
    { type: 'submit', generation: 1, sealed: null },
    { type: 'complete', generation: 1, sealed: null },
  ];
  for (const command of endings)
    expect(play.refusal(ada, command)).toMatchObject({ code: 'review-required' });
  play.run(eve, approve);
  expect(cardOf(play.state).person).toBeUndefined();
  expect(play.run(eve, approve)).toEqual([]);
  play.run(ada, start('apply'));
  expect(play.state.phases).toMatchObject([{ name: 'plan', approved: { by: 'eve' } }, { name: 'apply' }]);
});

test.each([
  ['an agent', sol, 'plan', 'denied'],
  ['a phase that is not there', eve, 'sow', 'unknown-phase'],
  ['a phase that is not verified', eve, 'apply', 'wrong-state'],
  ['what an agent spawned', { ...eve, lineage: ['bea'] }, 'plan', 'denied'],
])('%s is refused', (_who, by, phase, code) => {
  expect(planned().code(by, { type: 'approve-phase', phase })).toBe(code);
});

test('P7: a person who worked on it does not approve its phases', () => {
  const play = new Play().begin(eve, phased);
  play.run(eve, start('plan'));
  play.run(eve, verify('plan'));
  expect(play.code(eve, approve)).toBe('author-review');
});

test('what is verified anew, or undone, is approved anew', () => {
  const play = planned();
  play.run(eve, approve);
  play.run(ada, verify('plan'));
  expect(play.code(ada, start('apply'))).toBe('review-required');
  play.run(eve, approve);
  play.run(ada, move({ phase: 'plan', to: 'rolled-back', why: 'w' }));
  expect(play.code(eve, approve)).toBe('wrong-state');
});

test('it can be handed over while it waits, and can be approved under any holder', () => {
  const play = planned().handoff(ada);
  play.run(eve, approve);
  expect(play.take(bea).state.phases[0]?.approved).toMatchObject({ by: 'eve' });
});
