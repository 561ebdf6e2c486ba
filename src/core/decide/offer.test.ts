import { describe, expect, test } from 'vitest';
import {
  contractB,
  minute,
  needA,
  packetA,
  packetB,
  Play,
  terms,
  toAudit,
  toExecute,
  treeA,
} from '../../../test/support/play.ts';
import { ada, bea, cyd, dawn, eve, quinn, sol } from '../../../test/support/world.ts';
import type { OfferTerms, Sealed } from '../task/command.ts';
import { limits } from '../base/limits.ts';

const toBea: OfferTerms = { to: 'agent:bea', lane: 'execute' };
const toAda: OfferTerms = { to: 'agent:ada', lane: 'execute' };

describe('offering work that nobody holds', () => {
  test('its opener, a supervisor and a person may, with everything the offer says', () => {
    const offer: OfferTerms = {
      to: 'agent:bea',
      lane: 'execute',
      why: 'She knows the posts.',
      trigger: 'user',
      notBefore: dawn + minute,
      expiresMs: 2 * minute,
    };
    for (const by of [ada, sol, eve]) {
      const play = new Play().open(ada);
      play.run(by, { type: 'offer', offer });
      expect(play.state.offer).toMatchObject({
        offer: 1,
        to: 'agent:bea',
        cause: 'opened',
        trigger: 'user',
        by: by.name,
        notBefore: dawn + minute,
        expiresMs: 2 * minute,
        expiresAt: dawn + 3 * minute,
      });
    }
  });

  test('an agent that neither opened nor last held it may not', () => {
    const error = new Play().open(ada).refusal(bea, { type: 'offer', offer: toExecute });
    expect(error.code).toBe('denied');
    expect(error.hint).toContain('opener');
    expect(error.details).toMatchObject({ status: 'open', holder: null });
  });

  test('its last holder may offer what was declined', () => {
    const play = new Play().open(eve, { first: { take: 'execute', leaseMs: minute } });
    play.handoff(eve, toBea);
    play.run(bea, { type: 'decline', reasons: ['No time.'] });
    play.run(eve, { type: 'offer', offer: toExecute });
    expect(play.state).toMatchObject({ status: 'offered', offer: { cause: 'redrive', offer: 2 } });
  });

  test('what waits for a person is offered by nobody else, not even by its opener', () => {
    const play = new Play().begin(ada);
    play.run(ada, { type: 'escalate', generation: 1, text: 'Stuck.' });
    const error = play.refusal(ada, { type: 'offer', offer: toExecute });
    expect(error.code).toBe('denied');
    expect(error.details).toMatchObject({ status: 'escalated' });
    expect(play.run(eve, { type: 'offer', offer: toExecute })).toHaveLength(1);
  });

  test('what is offered, held, submitted or over is not offered again', () => {
    const offered = new Play().offered(ada);
    const held = new Play().begin(ada);
    const submitted = new Play().begin(ada).submit(ada);
    const over = new Play().begin(ada);
    over.run(eve, { type: 'cancel', why: 'Flood.' });
    for (const play of [offered, held, submitted, over])
      expect(play.code(eve, { type: 'offer', offer: toExecute })).toBe('wrong-state');
    expect(over.refusal(eve, { type: 'offer', offer: toExecute }).hint).toBe('Open a new task.');
    expect(held.refusal(eve, { type: 'offer', offer: toExecute }).message).toContain('held by ada');
  });
});

describe('handing off', () => {
  const sealed: Sealed = { packet: packetA, certification: 'ready', workspace: treeA };

  test('P1: seal, end of the leg and offer are one entry', () => {
    const play = new Play().begin(ada);
    const events = play.run(ada, {
      type: 'handoff',
      generation: 1,
      offer: { ...toAudit, why: 'Ready to check.', trigger: 'planned' },
      sealed,
    });
    expect(events).toEqual([
      {
        type: 'checkpoint-sealed',
        v: 1,
        packet: packetA,
        parent: null,
        certification: 'ready',
        workspace: treeA,
      },
      { type: 'leg-ended', v: 1, generation: 1, outcome: 'handed-off', why: 'Ready to check.' },
      {
        type: 'offer-made',
        v: 1,
        offer: 1,
        to: 'lane:audit',
        lane: 'audit',
        packet: packetA,
        cause: 'handoff',
        attempt: 1,
        trigger: 'planned',
        why: 'Ready to check.',
      },
    ]);
    expect(play.state).toMatchObject({ status: 'offered', leg: null, packet: packetA, packets: 1 });
    expect(play.state.custody).toMatchObject({ agent: 'ada', generation: 1, lane: 'execute' });
  });

  test('a packet continues the packet before it', () => {
    const play = new Play().begin(ada);
    play.run(ada, { type: 'checkpoint', generation: 1, sealed });
    play.run(ada, {
      type: 'handoff',
      generation: 1,
      offer: toExecute,
      sealed: { packet: packetB, certification: 'ready' },
    });
    expect(play.told.at(-1)?.entry.events[0]).toMatchObject({ packet: packetB, parent: packetA });
  });

  test('what was taken but not acknowledged cannot be handed on as planned', () => {
    const play = new Play().offered(ada).accept(bea);
    const error = play.refusal(bea, { type: 'handoff', generation: 1, offer: toExecute, sealed: null });
    expect(error.code).toBe('not-acknowledged');
    expect(error.hint).toContain('staffetta ack t000000000042');
    expect(error.details).toEqual({ task: play.task, generation: 1 });
    expect(
      play.code(bea, {
        type: 'handoff',
        generation: 1,
        offer: { ...toExecute, trigger: 'user' },
        sealed: null,
      }),
    ).toBe('not-acknowledged');
  });

  test.each(['context-limit', 'usage-limit', 'timeout', 'crash'] as const)(
    'an emergency does not wait for an acknowledgement: %s',
    (trigger) => {
      const play = new Play().offered(ada).accept(bea);
      play.run(bea, { type: 'handoff', generation: 1, offer: { ...toExecute, trigger }, sealed: null });
      expect(play.state).toMatchObject({ status: 'offered', offer: { trigger } });
    },
  );

  test('what a session left that is over is on offer, whether or not it was acknowledged', () => {
    const play = new Play().offered(ada).accept(bea);
    play.run(bea, { type: 'checkpoint', generation: 1, sealed: { packet: packetA, certification: 'valid' } });
    const offer = { ...toExecute, to: 'anyone', trigger: 'user' } as const;
    play.run(bea, { type: 'handoff', generation: 1, offer, sealed: null, left: true });
    expect(play.state).toMatchObject({
      status: 'offered',
      leg: null,
      offer: { packet: packetA, to: 'anyone' },
    });
  });

  test('a handed-off task starts its attempts over', () => {
    const play = new Play().offered(ada).take(bea);
    play.run(bea, { type: 'retry', generation: 1, why: 'Rain.', delayMs: 0 });
    expect(play.state.attempts).toBe(1);
    play.take(bea).handoff(bea);
    expect(play.state).toMatchObject({ attempts: 0, offer: { attempt: 1 } });
  });
});

/** ada gave it to bea, who has it and did nothing yet. */
const received = (): Play => new Play().begin(ada).handoff(ada, toBea).take(bea);

describe('bounces', () => {
  test('returning unchanged work to its giver is not done but escalated', () => {
    const play = received();
    const events = play.run(bea, { type: 'handoff', generation: 2, offer: toAda, sealed: null });
    expect(events).toMatchObject([
      { type: 'leg-ended', outcome: 'escalated' },
      { type: 'escalated', reason: 'bounce' },
    ]);
    expect(play.state).toMatchObject({ status: 'escalated', leg: null, offer: null });
    expect(play.state.escalation?.text).toContain('bea would return the task to ada');
  });

  test('sealing another packet changes nothing by itself', () => {
    const play = received();
    const sealed: Sealed = { packet: packetA, certification: 'ready' };
    play.run(bea, { type: 'handoff', generation: 2, offer: toAda, sealed });
    expect(play.state).toMatchObject({
      status: 'escalated',
      packet: packetA,
      escalation: { reason: 'bounce' },
    });
  });

  test.each<[string, (play: Play) => void, Sealed | null]>([
    ['progress', (play) => play.progress(bea), null],
    [
      'a decision',
      (play) =>
        play.run(bea, { type: 'carry', generation: 2, events: [{ type: 'decision-made', text: 'Oak.' }] }),
      null,
    ],
    ['a message', (play) => play.run(eve, { type: 'message', text: 'Give it back.' }), null],
    [
      'an amended contract',
      (play) => play.run(eve, { type: 'amend', contract: contractB, terms: terms(), why: 'The river rose.' }),
      null,
    ],
    ['a changed workspace', () => {}, { packet: packetA, certification: 'ready', workspace: treeA }],
  ])('with %s it is no bounce', (_what, change, sealed) => {
    const play = received();
    change(play);
    play.run(bea, { type: 'handoff', generation: 2, offer: toAda, sealed });
    expect(play.state).toMatchObject({ status: 'offered', offer: { to: 'agent:ada', notTo: null } });
    play.accept(ada);
    expect(play.state.leg?.holder.name).toBe('ada');
  });

  test('a note is not a change', () => {
    const play = received();
    play.run(bea, { type: 'carry', generation: 2, events: [{ type: 'note', text: 'Hm.' }] });
    play.handoff(bea, toAda);
    expect(play.state.escalation?.reason).toBe('bounce');
  });

  test('offered to a whole lane, unchanged work is refused to the one who gave it away', () => {
    const play = received().handoff(bea, toExecute);
    expect(play.state.offer?.notTo).toBe('ada');
    const error = play.refusal(ada, { type: 'accept', offer: null, met: [], leaseMs: minute });
    expect(error.code).toBe('bounce');
    expect(error.message).toBe('ada handed this task to bea, and nothing has changed since.');
    expect(error.hint).toContain('Another agent');
    play.accept(cyd);
    expect(play.state.leg?.holder.name).toBe('cyd');
  });
});

describe('caps on hops', () => {
  test('hops that change nothing are counted, and one too many is escalated', () => {
    const play = new Play().begin(ada);
    const crew = Array.from({ length: limits.idleHopsMax + 1 }, (_, n) => ({ ...ada, name: `agent-${n}` }));
    let holder = ada;
    for (const next of crew.slice(0, limits.idleHopsMax)) {
      play.handoff(holder, { to: `agent:${next.name}`, lane: 'execute' }).take(next);
      holder = next;
    }
    expect(play.state.idleHops).toBe(limits.idleHopsMax);
    play.handoff(holder, { to: 'agent:agent-8', lane: 'execute' });
    expect(play.state).toMatchObject({ status: 'escalated', escalation: { reason: 'idle-hops' } });
    expect(play.state.escalation?.text).toBe(`${limits.idleHopsMax + 1} hops in a row changed nothing.`);
  });

  test('a hop after a change starts the count over', () => {
    const play = new Play().begin(ada).handoff(ada, toBea).take(bea);
    expect(play.state.idleHops).toBe(1);
    play.progress(bea).handoff(bea, { to: 'agent:cyd', lane: 'execute' }).take(cyd);
    expect(play.state).toMatchObject({ hops: 2, idleHops: 0 });
  });

  test('the contract caps hops, and the one after the last is escalated', () => {
    const play = new Play().begin(ada, { terms: terms({ caps: { hops: 1 } }) });
    play.progress(ada).handoff(ada, toBea).take(bea).progress(bea);
    play.handoff(bea, { to: 'agent:cyd', lane: 'execute' });
    expect(play.state).toMatchObject({ status: 'escalated', hops: 1 });
    expect(play.state.escalation).toMatchObject({ reason: 'hop-cap', text: 'The contract allows 1 hops.' });
  });
});

describe('withdrawing', () => {
  const withdraw = { type: 'withdraw', leaseMs: minute, why: 'I can do it.' } as const;

  test('P1: a giver that withdraws carries on under a new generation', () => {
    const play = new Play().begin(ada).handoff(ada);
    const events = play.run(ada, withdraw);
    expect(events).toMatchObject([
      { type: 'offer-withdrawn', offer: 1, why: 'I can do it.' },
      { type: 'leg-started', generation: 2, offer: null, lane: 'execute' },
    ]);
    expect(play.state).toMatchObject({
      status: 'held',
      leg: { acknowledged: true, holder: { name: 'ada' } },
    });
  });

  test('the first generation of the same giver is stale then', () => {
    const play = new Play().begin(ada).handoff(ada);
    play.run(ada, withdraw);
    expect(play.code(ada, { type: 'fail', generation: 1, why: 'x' })).toBe('stale-generation');
  });

  test('anybody else who may direct leaves the task open', () => {
    for (const by of [eve, sol]) {
      const play = new Play().begin(ada).handoff(ada);
      play.run(by, withdraw);
      expect(play.state).toMatchObject({ status: 'open', leg: null, offer: null });
    }
  });

  test('an opener that never held it leaves it open', () => {
    const play = new Play().offered(ada);
    play.run(ada, withdraw);
    expect(play.state).toMatchObject({ status: 'open', generation: 0, leg: null });
  });

  test('a last holder that offered declined work again and withdraws that leaves it open', () => {
    const play = new Play().begin(ada).handoff(ada, toBea);
    play.run(bea, { type: 'decline', reasons: ['No time.'] });
    play.run(ada, { type: 'offer', offer: toExecute });
    play.run(ada, withdraw);
    expect(play.state).toMatchObject({ status: 'open', leg: null });
  });

  test('a giver whose task got a new need meanwhile does not hold it again', () => {
    const play = new Play().begin(ada).handoff(ada);
    play.run(eve, { type: 'amend', contract: contractB, terms: terms({ needs: [needA] }), why: 'x' });
    play.run(ada, withdraw);
    expect(play.state).toMatchObject({ status: 'open', leg: null, unmet: [needA] });
  });

  test('another agent cannot withdraw it', () => {
    const error = new Play().begin(ada).handoff(ada).refusal(bea, withdraw);
    expect(error.code).toBe('denied');
    expect(error.message).toContain('Only ada');
    expect(error.details).toMatchObject({ offeredTo: 'lane:execute' });
  });

  test('there must be an offer, a task that is not over, and a lease within bounds', () => {
    expect(new Play().begin(ada).code(ada, withdraw)).toBe('wrong-state');
    const over = new Play().begin(ada);
    over.run(eve, { type: 'cancel', why: 'x' });
    expect(over.code(eve, withdraw)).toBe('wrong-state');
    const offered = new Play().begin(ada).handoff(ada);
    expect(offered.code(ada, { ...withdraw, leaseMs: 1 })).toBe('invalid-input');
  });

  test('an auditor resumes in the audit lane', () => {
    const play = new Play().begin(ada).handoff(ada, toAudit).take(quinn).handoff(quinn, toExecute);
    play.run(quinn, withdraw);
    expect(play.state.leg).toMatchObject({ lane: 'audit', holder: { name: 'quinn' } });
  });
});
