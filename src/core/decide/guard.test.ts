/** The fence (P3): what only a holder may do, and what comes from outside the leg. */
import { describe, expect, test } from 'vitest';
import { minute, needA, packetA, Play, terms, toExecute } from '../../../test/support/play.ts';
import { ada, bea, cyd, dawn, eve } from '../../../test/support/world.ts';
import { systemActor, type Actor } from '../task/actor.ts';
import type { Command } from '../task/command.ts';

type Fenced = Extract<Command, { readonly generation: number }>;

/** Typed by name, so that a new fenced command without a case here does not compile. */
const fenced: { readonly [T in Fenced['type']]: (generation: number) => Extract<Command, { type: T }> } = {
  handoff: (generation) => ({ type: 'handoff', generation, offer: toExecute, sealed: null }),
  acknowledge: (generation) => ({ type: 'acknowledge', generation, goal: 'g', gate: 'g', next: 'n' }),
  checkpoint: (generation) => ({
    type: 'checkpoint',
    generation,
    sealed: { packet: packetA, certification: 'ready' },
  }),
  carry: (generation) => ({ type: 'carry', generation, events: [{ type: 'note', text: 'x' }] }),
  'read-messages': (generation) => ({ type: 'read-messages', generation, through: 99 }),
  'intend-effect': (generation) => ({
    type: 'intend-effect',
    generation,
    effect: 'deploy',
    token: 't',
    retry: false,
  }),
  'settle-effect': (generation) => ({ type: 'settle-effect', generation, effect: 'send', outcome: 'done' }),
  submit: (generation) => ({ type: 'submit', generation, sealed: null }),
  complete: (generation) => ({ type: 'complete', generation, sealed: null }),
  fail: (generation) => ({ type: 'fail', generation, why: 'x' }),
  retry: (generation) => ({ type: 'retry', generation, why: 'x', delayMs: 0 }),
};
/** These carry a generation where the holder speaks, and none where somebody else may. */
const optionally: { readonly [T in 'decline' | 'escalate']: (generation: number) => Command } = {
  decline: (generation) => ({ type: 'decline', generation, reasons: ['x'] }),
  escalate: (generation) => ({ type: 'escalate', generation, text: 'x' }),
};
const all = Object.entries({ ...fenced, ...optionally });

/** Held by bea at generation 2, after ada; a message and an effect wait. */
function second(holder: Actor = bea): Play {
  const play = new Play().begin(ada).handoff(ada).accept(holder);
  play.run(eve, { type: 'message', text: 'Hello.' });
  play.intend(holder, 'send');
  return play;
}

describe('P3: only the holder at its generation writes', () => {
  test.each(all)('the holder may %s', (type, command) => {
    const play = second();
    if (type !== 'decline') play.acknowledge(bea);
    if (type === 'submit' || type === 'complete')
      play.run(bea, { type: 'settle-effect', generation: 2, effect: 'send', outcome: 'done' });
    expect(play.run(bea, command(2)).length).toBeGreaterThan(0);
  });

  test.each(all)(
    'a generation that never was may not %s, and is not called a former one',
    (_type, command) => {
      const error = second().refusal(bea, command(9));
      expect(error.code).toBe('stale-generation');
      expect(error.message).toContain('has had no generation 9: it is at generation 2, held by bea');
      expect(error.hint).toContain('that you were granted');
    },
  );

  test.each(all)('a former generation may not %s', (_type, command) => {
    const play = second();
    play.renewedUntil = dawn + 3 * minute;
    for (const by of [ada, bea]) {
      const error = play.refusal(by, command(1));
      expect(error.code).toBe('stale-generation');
      expect(error.message).toBe(
        `Generation 1 of task ${play.task} no longer holds it: it is at generation 2, held by bea until 2026-01-01T00:03:00.000Z.`,
      );
      expect(error.details).toEqual({
        task: play.task,
        status: 'held',
        generation: 2,
        holder: 'bea',
        leaseUntil: dawn + 3 * minute,
        offeredTo: null,
        yours: 1,
      });
      expect(error.hint).toContain('Stop working on this task');
    }
  });

  test.each(all)('a generation that was never granted may not %s', (_type, command) => {
    expect(second().code(bea, command(3))).toBe('stale-generation');
    expect(second().code(bea, command(0))).toBe('stale-generation');
  });

  test.each(all)('somebody else who knows the generation may not %s', (_type, command) => {
    const error = second().refusal(cyd, command(2));
    expect(error.code).toBe('not-holder');
    expect(error.message).toContain('held by bea, not by cyd');
    expect(error.details).toMatchObject({ holder: 'bea', generation: 2 });
    expect(error.hint).toContain('Leave a message');
  });

  test.each(all)('another session of the same name may not %s', (_type, command) => {
    const play = second({ ...bea, session: 'one' });
    const error = play.refusal({ ...bea, session: 'two' }, command(2));
    expect(error.code).toBe('not-holder');
    expect(error.message).toContain('in this session');
  });

  test.each(Object.entries(fenced))('nobody may %s where nobody holds the task', (_type, command) => {
    const play = second();
    play.now += 2 * minute;
    play.run(systemActor, { type: 'lapse' });
    expect(play.code(bea, command(2))).toBe('stale-generation');
  });

  test.each(Object.entries(fenced))('nobody may %s a task that is over', (_type, command) => {
    const play = second();
    play.run(eve, { type: 'cancel', why: 'x' });
    expect(play.code(bea, command(2))).toBe('wrong-state');
  });
});

const submitted = (): Play => new Play().begin(ada).submit(ada);

describe('facts from outside the leg are not fenced', () => {
  const outside: readonly [string, Command][] = [
    ['a message', { type: 'message', text: 'x' }],
    ['an answer', { type: 'answer', decision: 1, answer: 'x' }],
    ['a need that is met', { type: 'need-met', needs: [needA] }],
    ['an amended contract', { type: 'amend', contract: packetA, terms: terms(), why: 'x' }],
    ['an escalation', { type: 'escalate', text: 'x' }],
    ['a cancellation', { type: 'cancel', why: 'x' }],
  ];

  test.each(outside)('%s arrives while an agent works', (_what, command) => {
    const play = new Play().begin(ada).handoff(ada).accept(bea);
    play.run(bea, { type: 'carry', generation: 2, events: [{ type: 'decision-raised', question: 'x' }] });
    play.run(eve, { type: 'amend', contract: packetA, terms: terms({ needs: [needA] }), why: 'x' });
    expect(play.run(eve, command).length).toBeGreaterThan(0);
  });

  test('an approval and a send-back need no leg at all', () => {
    expect(submitted().run(eve, { type: 'approve', packet: packetA })).toHaveLength(2);
    expect(
      submitted().run(eve, { type: 'send-back', packet: packetA, findings: [{ text: 'x' }] }),
    ).toHaveLength(2);
  });
});
