/** Where a contract says who hands to whom, a handoff along no edge is refused, also by an agent that nobody supervises. */
import { describe, expect, test } from 'vitest';
import { Play, terms, toExecute } from '../../../test/support/play.ts';
import { ada, bea, cyd, eve, quinn, sol } from '../../../test/support/world.ts';
import type { Actor } from '../task/actor.ts';
import type { Address } from '../task/address.ts';
import type { Command } from '../task/command.ts';
import type { Edges } from '../contract/terms.ts';

const edges: Edges = [
  { from: 'ada', to: 'bea' },
  { from: 'ada', to: 'code' },
  { from: 'code', to: 'quinn' },
];
const named = (given: Edges = edges) => ({ terms: terms({ edges: given }) });
const handing = (to: Address, more: object = {}): Command => ({
  type: 'handoff',
  generation: 1,
  offer: { to, lane: 'execute' },
  sealed: null,
  ...more,
});
const code = (name: string): Actor => ({ ...bea, name });

describe('a handoff where edges are named', () => {
  test('goes along one, and the refusal of any other names those there are', () => {
    const play = new Play().begin(ada, named());
    const refused = play.refusal(ada, handing('agent:cyd'));
    expect(refused.code).toBe('edge-denied');
    expect(refused.hint).toBe('ada may hand it to: agent:bea, agent:code');
    play.run(ada, handing('agent:bea'));
    expect(play.take(bea).state.leg?.holder.name).toBe('bea');
  });

  test('a name stands for its group, which hands on within itself', () => {
    const play = new Play().begin(ada, named());
    play.run(ada, handing('agent:code/1'));
    play.take(code('code/1')).progress(code('code/1'));
    play.run(code('code/1'), handing('agent:code/2', { generation: 2 }));
    play.take(code('code/2')).progress(code('code/2'));
    expect(play.code(code('code/2'), handing('agent:bea', { generation: 3 }))).toBe('edge-denied');
    play.run(
      code('code/2'),
      handing('agent:quinn', { generation: 3, offer: { to: 'agent:quinn', lane: 'audit' } }),
    );
    expect(play.state.status).toBe('offered');
  });

  test.each<Address>(['lane:execute', 'anyone'])(
    'to %s can be taken by who is at the end of an edge, and by a person',
    (to) => {
      const given = (): Play => new Play().begin(ada, named()).handoff(ada, { to, lane: 'execute' });
      expect(given().code(cyd, { type: 'accept', offer: null, met: [], leaseMs: 1000 })).toBe('edge-denied');
      for (const by of [bea, code('code/7'), eve]) expect(given().take(by).state.leg?.holder).toEqual(by);
    },
  );

  test('to another lane needs somebody to hand to', () => {
    const play = new Play().begin(bea, named());
    expect(play.code(bea, handing('lane:audit', { offer: { to: 'lane:audit', lane: 'audit' } }))).toBe(
      'edge-denied',
    );
    expect(play.refusal(bea, handing('agent:ada')).hint).toContain('hands it to nobody');
    // A limit ends a leg, and the next of its kind goes on.
    expect(play.handoff(bea, toExecute).state.status).toBe('offered');
  });

  test('is free for any group, without edges, for a person from outside, and back to an author with findings', () => {
    for (const given of ['any', undefined] as const) {
      const play = new Play().begin(ada, given === undefined ? {} : named(given));
      expect(play.handoff(ada, { to: 'agent:cyd', lane: 'execute' }).state.status).toBe('offered');
    }
    const outside = new Play().begin(ada, named());
    outside.run(ada, handing('agent:cyd', { outside: true }));
    expect(outside.state.status).toBe('offered');
    const audited = new Play().begin(code('code'), named());
    audited.run(code('code'), handing('agent:quinn', { offer: { to: 'agent:quinn', lane: 'audit' } }));
    audited.take(quinn);
    audited.run(quinn, handing('agent:code', { generation: 2, findings: [{ text: 'A gap.' }] }));
    expect(audited.take(code('code')).state.status).toBe('held');
  });

  test('does not bind what a supervisor offers, nor what a lapse puts on offer again', () => {
    const play = new Play().begin(ada, named());
    play.now += 120_000;
    play.run(sol, { type: 'lapse' });
    expect(play.take(cyd).state.leg?.holder.name).toBe('cyd');
  });
});
