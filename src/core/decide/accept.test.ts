import { describe, expect, test } from 'vitest';
import {
  minute,
  needA,
  needB,
  packetA,
  Play,
  terms,
  toAudit,
  toExecute,
} from '../../../test/support/play.ts';
import { ada, bea, cyd, dawn, eve, quinn } from '../../../test/support/world.ts';
import type { Actor } from '../task/actor.ts';
import type { Command, OfferTerms } from '../task/command.ts';

const accept: Command = { type: 'accept', offer: null, met: [], leaseMs: minute };

describe('accepting', () => {
  test('P1: a leg starts with the next generation, from the offer that stands, and the offer is gone', () => {
    const play = new Play().offered(ada);
    play.now += 5;
    const events = play.run(bea, accept);
    expect(events).toEqual([
      {
        type: 'leg-started',
        v: 1,
        generation: 1,
        offer: 1,
        lane: 'execute',
        leaseMs: minute,
        leaseUntil: dawn + 5 + minute,
      },
    ]);
    expect(play.state).toMatchObject({
      status: 'held',
      offer: null,
      leg: { holder: bea, acknowledged: false, since: dawn + 5 },
    });
  });

  test('the receiver of a handoff knows from whom and from which packet it starts', () => {
    const play = new Play().begin(ada);
    play.run(ada, {
      type: 'handoff',
      generation: 1,
      offer: toAudit,
      sealed: { packet: packetA, certification: 'ready' },
    });
    play.accept(quinn);
    expect(play.state).toMatchObject({ hops: 1, leg: { from: 'ada', received: packetA, lane: 'audit' } });
  });

  test('P1: the agent that comes second is told who holds it and until when', () => {
    const play = new Play().offered(ada).accept(bea);
    play.renewedUntil = dawn + 2 * minute;
    const error = play.refusal(cyd, accept);
    expect(error.code).toBe('held');
    expect(error.message).toBe(`Task ${play.task} is held by bea until 2026-01-01T00:02:00.000Z.`);
    expect(error.details).toEqual({
      task: play.task,
      status: 'held',
      generation: 1,
      holder: 'bea',
      leaseUntil: dawn + 2 * minute,
      offeredTo: null,
    });
    expect(error.hint).toContain('Wait');
  });

  test('the holder itself cannot take what it holds', () => {
    expect(new Play().offered(ada).accept(bea).code(bea, accept)).toBe('held');
  });

  test('without an offer there is nothing to accept', () => {
    const error = new Play().open(ada).refusal(bea, accept);
    expect(error.code).toBe('wrong-state');
    expect(error.hint).toBe(`See: staffetta show ${new Play().task}`);
  });

  test('an offer asked for by number must be the one that stands', () => {
    const play = new Play().begin(ada).handoff(ada);
    play.run(eve, { type: 'withdraw', leaseMs: minute });
    play.run(eve, { type: 'offer', offer: toExecute });
    const error = play.refusal(bea, { ...accept, offer: 1 });
    expect(error.code).toBe('unknown-offer');
    expect(error.details).toMatchObject({ offer: 2 });
    expect(play.run(bea, { ...accept, offer: 2 })).toHaveLength(1);
  });

  test.each<[string, Actor]>([
    ['another agent', { name: 'cyd', kind: 'agent', lane: 'execute' }],
    ['the right agent in the wrong lane', { name: 'bea', kind: 'agent', lane: 'audit' }],
    ['a person of another name', eve],
  ])('an offer to an agent is not for %s', (_who, by) => {
    const play = new Play().offered(ada, { to: 'agent:bea', lane: 'execute' });
    const error = play.refusal(by, accept);
    expect(error.code).toBe('not-addressed');
    expect(error.details).toMatchObject({ offeredTo: 'agent:bea', lane: 'execute' });
    expect(error.hint).toBeTruthy();
  });

  test.each<[string, Actor, OfferTerms, string]>([
    ['the agent asked, in another lane', bea, { to: 'agent:bea', lane: 'audit' }, '--lane audit'],
    [
      'another agent',
      ada,
      { to: 'agent:qa', lane: 'audit' },
      'qa takes it with: staffetta take TASK --as qa --lane audit',
    ],
    ['another lane', bea, { to: 'lane:audit', lane: 'audit' }, 'actors in the audit lane'],
    ['anyone of another lane', bea, { to: 'anyone', lane: 'plan' }, 'staffetta take TASK --lane plan'],
    ['another runtime', bea, { to: 'runtime:codex', lane: 'execute' }, '--runtime codex --lane execute'],
    [
      'the runtime asked, in another lane',
      { ...bea, runtime: 'codex' },
      { to: 'runtime:codex', lane: 'audit' },
      'Your runtime is asked, but in the audit lane',
    ],
  ])('%s is told for whom the offer is, and how those take it', (_who, by, offer, hint) => {
    const play = new Play().offered(ada, offer);
    const error = play.refusal(by, accept);
    expect(error.message).toContain(`offered to ${offer.to} in the ${offer.lane} lane, not to ${by.name}`);
    expect(error.hint?.replaceAll(play.task, 'TASK')).toContain(hint);
  });

  test('an offer that was never made is not called over', () => {
    const play = new Play().offered(ada);
    expect(play.refusal(bea, { ...accept, offer: 7 }).message).toContain(
      'has had no offer 7; offer 1 stands',
    );
  });

  test('an offer to a runtime is for agents that run in it', () => {
    const play = new Play().offered(ada, { to: 'runtime:codex', lane: 'execute' });
    expect(play.code(bea, accept)).toBe('not-addressed');
    expect(play.run({ ...bea, runtime: 'codex' }, accept)).toHaveLength(1);
  });

  test('an offer to anyone is still an offer in a lane', () => {
    const play = new Play().offered(ada, { to: 'anyone', lane: 'audit' });
    expect(play.code(bea, accept)).toBe('not-addressed');
    expect(play.run(quinn, accept)).toHaveLength(1);
  });

  test('unmet needs are named, and met ones are recorded with the start of the leg', () => {
    const play = new Play().open(ada, { terms: terms({ needs: [needA, needB] }), first: toExecute });
    const error = play.refusal(bea, { ...accept, met: [needA] });
    expect(error.code).toBe('needs-unmet');
    expect(error.details).toMatchObject({ unmet: [needB] });
    expect(error.message).toContain(needB);
    const events = play.run(bea, { ...accept, met: [needA, needB] });
    expect(events.map((event) => event.type)).toEqual(['need-met', 'need-met', 'leg-started']);
    expect(play.state).toMatchObject({ status: 'held', unmet: [] });
  });

  test('an offer that rests cannot be taken before its time, and can at it', () => {
    const play = new Play().offered(ada, { ...toExecute, notBefore: dawn + minute });
    const error = play.refusal(bea, accept);
    expect(error.code).toBe('too-early');
    expect(error.retryable).toBe(true);
    expect(error.details).toMatchObject({ notBefore: dawn + minute });
    play.now = dawn + minute;
    expect(play.run(bea, accept)).toHaveLength(1);
  });

  test('an offer can be taken through its last millisecond and not after', () => {
    const offer = { ...toExecute, expiresMs: minute };
    const late = new Play().offered(ada, offer);
    late.now = dawn + minute + 1;
    expect(late.code(bea, accept)).toBe('unknown-offer');
    expect(late.refusal(bea, accept).hint).toBe('Run: staffetta recover');
    const timely = new Play().offered(ada, offer);
    timely.now = dawn + minute;
    expect(timely.run(bea, accept)).toHaveLength(1);
  });

  test('a finished task and a lease out of bounds are refused', () => {
    const over = new Play().offered(ada);
    expect(over.code(bea, { ...accept, leaseMs: 1 })).toBe('invalid-input');
    over.run(eve, { type: 'cancel', why: 'x' });
    expect(over.code(bea, accept)).toBe('wrong-state');
  });
});

describe('declining', () => {
  const reasons = ['No tools.', 'No time.'];

  test('before taking it, by the one it is offered to: it goes back to the giver', () => {
    const play = new Play().offered(ada, { to: 'agent:bea', lane: 'execute' });
    expect(play.run(bea, { type: 'decline', reasons })).toEqual([
      { type: 'offer-declined', v: 1, offer: 1, reasons },
    ]);
    expect(play.state).toMatchObject({ status: 'declined', offer: null, leg: null });
  });

  test('by one of several it is offered to: the offer stands for the others, and no longer for this one', () => {
    const play = new Play().offered(ada);
    play.run(bea, { type: 'decline', reasons });
    expect(play.state).toMatchObject({ status: 'offered', offer: { declinedBy: ['bea'] } });
    expect(play.code(bea, { type: 'accept', offer: null, met: [], leaseMs: minute })).toBe('not-addressed');
    expect(play.run(bea, { type: 'decline', reasons })).toEqual([]);
    play.accept(cyd);
    expect(play.state.leg?.holder.name).toBe('cyd');
  });

  test('before taking it, by nobody else', () => {
    const error = new Play().offered(ada).refusal(quinn, { type: 'decline', reasons });
    expect(error.code).toBe('not-addressed');
    expect(error.details).toMatchObject({ offeredTo: 'lane:execute' });
  });

  test('after taking and before acknowledging, the leg ends and nobody holds it', () => {
    const play = new Play().offered(ada).accept(bea);
    expect(play.run(bea, { type: 'decline', reasons, generation: 1 })).toEqual([
      { type: 'leg-ended', v: 1, generation: 1, outcome: 'declined' },
      { type: 'offer-declined', v: 1, offer: 1, reasons },
    ]);
    expect(play.state).toMatchObject({ status: 'declined', leg: null, generation: 1 });
  });

  test('after acknowledging it is too late', () => {
    const play = new Play().offered(ada).take(bea);
    const error = play.refusal(bea, { type: 'decline', reasons, generation: 1 });
    expect(error.code).toBe('wrong-state');
    expect(error.message).toContain('Hand it off, or escalate it, instead');
  });

  test('what was begun without an offer cannot be declined', () => {
    expect(new Play().begin(ada).code(ada, { type: 'decline', reasons })).toBe('wrong-state');
  });

  test('a task that is neither offered nor held, or is over, cannot be declined', () => {
    expect(new Play().open(ada).code(bea, { type: 'decline', reasons })).toBe('wrong-state');
    const over = new Play().offered(ada);
    over.run(eve, { type: 'cancel', why: 'x' });
    expect(over.code(bea, { type: 'decline', reasons })).toBe('wrong-state');
  });

  test('somebody else cannot decline what another holds', () => {
    expect(new Play().offered(ada).accept(bea).code(cyd, { type: 'decline', reasons })).toBe('not-holder');
  });
});
