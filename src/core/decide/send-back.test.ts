import { describe, expect, test } from 'vitest';
import {
  packetA,
  packetB,
  Play,
  terms,
  toAudit,
  toExecute,
  treeA,
  treeB,
} from '../../../test/support/play.ts';
import { ada, bea, eve, quinn } from '../../../test/support/world.ts';
import type { Actor } from '../task/actor.ts';
import type { Command, OfferTerms } from '../task/command.ts';
import type { Contract } from '../contract/contract.ts';

const findings = [{ text: 'A gap.', path: 'fence.md', line: 3 }];

function audited(more: Partial<Contract> = {}): Play {
  const play = new Play().begin(ada, { terms: terms({ review: { owner: 'lane:audit' }, ...more }) });
  give(play);
  return play.take(quinn);
}

/** Ada hands what she has to the reviewers. */
function give(play: Play): void {
  play.run(ada, {
    type: 'handoff',
    generation: play.generation,
    offer: toAudit,
    sealed: { packet: packetA, certification: 'ready', workspace: treeA },
  });
}

const back = (play: Play, more: object = {}): Command => ({
  type: 'send-back',
  packet: packetA,
  findings,
  generation: play.generation,
  workspace: treeA,
  ...more,
});

describe('from an audit leg', () => {
  test('one entry ends the leg and offers the work to its author with the findings', () => {
    const play = audited();
    const events = play.run(quinn, back(play));
    expect(events.map(({ type }) => type)).toEqual(['leg-ended', 'review-sent-back', 'offer-made']);
    expect(events[1]).toMatchObject({ packet: packetA, findings });
    expect(play.state).toMatchObject({
      status: 'rework',
      rework: 1,
      leg: null,
      packet: packetA,
      offer: { to: 'agent:ada', lane: 'execute', cause: 'review', notTo: null },
    });
    play.take(ada);
    expect(play.state.leg?.holder.name).toBe('ada');
  });

  test('the third round is for a person', () => {
    const play = audited();
    for (const rework of [1, 2]) {
      play.run(quinn, back(play));
      expect(play.state).toMatchObject({ status: 'rework', rework });
      play.take(ada);
      play.handoff(ada, toAudit).take(quinn);
    }
    const events = play.run(quinn, back(play));
    expect(events.at(-1)).toMatchObject({ type: 'escalated', reason: 'rework-cap' });
    expect(play.state).toMatchObject({ status: 'escalated', rework: 3, leg: null, offer: null });
  });

  test('the agent that is asked to look may, also where a person alone approves', () => {
    const play = audited({ review: { human: true } });
    expect(play.run(quinn, back(play)).at(-1)?.type).toBe('offer-made');
  });

  test('it goes to the agent that handed it over, if that one wrote some of it', () => {
    const play = new Play().begin(ada).handoff(ada).take(bea).progress(bea);
    play.handoff(bea, { to: 'agent:ada', lane: 'execute' }).take(ada);
    give(play);
    play.take(quinn);
    play.run(quinn, back(play));
    expect(play.state.offer?.to).toBe('agent:ada');
  });

  test('it goes to somebody else if the reviewer says so', () => {
    const play = audited();
    play.run(quinn, back(play, { to: 'lane:plan' }));
    expect(play.state.offer).toMatchObject({ to: 'lane:plan', lane: 'plan' });
  });

  test.each<[string, Actor, object]>([
    ['not-holder', eve, {}],
    ['stale-generation', quinn, { generation: 1 }],
    ['audit-changed', quinn, { workspace: treeB }],
    ['audit-changed', quinn, { workspace: undefined }],
    ['review-stale', quinn, { packet: packetB }],
  ])('it is refused with %s by %o with %o', (code, by, more) => {
    const play = audited();
    expect(play.code(by, back(play, more))).toBe(code);
  });

  test('it is refused before the leg is acknowledged', () => {
    const play = new Play().begin(ada);
    give(play);
    play.accept(quinn);
    expect(play.code(quinn, back(play))).toBe('not-acknowledged');
  });

  test('an author in the audit lane sends nothing back', () => {
    const play = new Play().begin(ada);
    give(play);
    play.run(eve, { type: 'message', text: 'Look again.' });
    const drifter: Actor = { name: 'ada', kind: 'agent' };
    play.take(drifter);
    expect(play.code(drifter, back(play))).toBe('author-review');
  });

  test('where nobody else worked on it, the reviewer says to whom it goes', () => {
    const play = new Play().begin(quinn);
    const given = { packet: null, workspace: undefined };
    expect(play.refusal(quinn, back(play, given))).toMatchObject({ code: 'wrong-state' });
    expect(play.run(quinn, back(play, { ...given, to: 'lane:execute' })).at(-1)?.type).toBe('offer-made');
  });

  test('approving from it is refused with the way there is', () => {
    const play = audited();
    expect(play.refusal(quinn, { type: 'approve', packet: packetA })).toMatchObject({
      code: 'wrong-state',
      hint: expect.stringContaining('staffetta complete') as string,
    });
  });
});

const handoff = (play: Play, offer: OfferTerms, named = findings): Command => ({
  type: 'handoff',
  generation: play.generation,
  offer,
  findings: named,
  sealed: { packet: packetB, certification: 'ready', workspace: treeA },
});

describe('a handoff from an audit leg that names blockers', () => {
  test('sends the work back: the author may take it, and the round counts', () => {
    const play = audited();
    const events = play.run(quinn, handoff(play, toExecute));
    expect(events.map(({ type }) => type)).toEqual([
      'checkpoint-sealed',
      'leg-ended',
      'review-sent-back',
      'offer-made',
    ]);
    expect(events[2]).toMatchObject({ packet: packetA, findings });
    expect(play.state).toMatchObject({
      status: 'rework',
      rework: 1,
      offer: { to: 'lane:execute', packet: packetB },
    });
    expect(play.take(ada).state.leg?.holder.name).toBe('ada');
  });

  test('to the author itself is no bounce', () => {
    const play = audited();
    const events = play.run(quinn, handoff(play, { to: 'agent:ada', lane: 'execute' }));
    expect(events.at(-1)).toMatchObject({ type: 'offer-made', cause: 'review' });
  });

  test('over the cap of rounds a person is asked', () => {
    const play = audited({ caps: { rework: 1 } });
    expect(play.run(quinn, handoff(play, toExecute)).at(-1)).toMatchObject({ reason: 'rework-cap' });
  });

  test('without any it is a bounce', () => {
    const play = audited();
    play.run(quinn, handoff(play, toExecute, []));
    expect(play.code(ada, { type: 'accept', offer: null, met: [], leaseMs: 60_000 })).toBe('bounce');
  });

  test('to another reviewer it is only handed on', () => {
    const play = audited();
    expect(play.run(quinn, handoff(play, toAudit)).at(-1)).toMatchObject({ cause: 'handoff' });
    expect(play.state.rework).toBe(0);
  });

  test('from another lane it is only handed on', () => {
    const play = new Play().begin(ada);
    expect(play.run(ada, handoff(play, toExecute)).at(-1)).toMatchObject({ cause: 'handoff' });
  });
});
