/** Work that goes somewhere is done when it is there, and not when it is approved. */
import { describe, expect, test } from 'vitest';
import { contractB, packetA, packetB, Play, terms } from '../../../test/support/play.ts';
import { ada, bea, eve, quinn, sol } from '../../../test/support/world.ts';
import { systemActor } from '../task/actor.ts';
import type { Command } from '../task/command.ts';

const going = terms({ integrate: { onto: 'staffetta/limits' }, review: { owner: 'lane:audit' } });
const integrate = (more: Partial<Extract<Command, { type: 'integrate' }>> = {}): Command => ({
  type: 'integrate',
  packet: packetA,
  onto: 'staffetta/limits',
  commit: 'a'.repeat(40),
  tree: 'b'.repeat(40),
  ...more,
});
const sendBack: Command = { type: 'send-back', packet: packetA, findings: [{ text: 'It conflicts.' }] };

function approved(more = going): Play {
  const play = new Play().begin(ada, { terms: more }).submit(ada);
  play.run(quinn, { type: 'approve', packet: packetA });
  return play;
}

describe('approving work that goes somewhere', () => {
  test('it is approved and not done, and done when it is integrated', () => {
    const play = approved();
    expect(play.state).toMatchObject({ status: 'approved', approval: { packet: packetA, by: 'quinn' } });
    expect(play.run(sol, integrate()).map(({ type }) => type)).toEqual(['integrated', 'task-done']);
    expect(play.state).toMatchObject({
      status: 'done',
      integrated: { onto: 'staffetta/limits', commit: 'a'.repeat(40), by: 'sol' },
    });
    expect(play.code(sol, integrate())).toBe('wrong-state');
  });

  test('completing leads there too, by the reviewer and where nobody has to review', () => {
    const free = terms({ integrate: { onto: 'staffetta/limits' } });
    const alone = new Play().begin(ada, { terms: free });
    const sealed = { packet: packetA, certification: 'ready' } as const;
    expect(alone.run(ada, { type: 'complete', generation: 1, sealed }).at(-1)?.type).toBe('integration-due');
    const audited = new Play().begin(ada, { terms: going });
    audited.handoff(ada, { to: 'lane:audit', lane: 'audit' }).take(quinn);
    audited.run(quinn, { type: 'complete', generation: 2, sealed: null });
    expect([alone.state.status, audited.state.status]).toEqual(['approved', 'approved']);
  });

  test.each([
    ['an author', ada, {}, 'denied'],
    ['an agent that does not direct', bea, {}, 'denied'],
    ['another packet', sol, { packet: packetB }, 'review-stale'],
    ['another branch', eve, { onto: 'main' }, 'invalid-input'],
  ] as const)('%s does not integrate it', (_who, by, more, code) => {
    expect(approved().code(by, integrate(more))).toBe(code);
  });

  test('P7: an author who directs, or was spawned by one, does not integrate or send back', () => {
    const play = approved();
    for (const by of [
      { ...ada, lane: 'supervise' as const },
      { ...sol, lineage: ['ada'] },
    ]) {
      expect(play.code(by, integrate())).toBe('author-review');
      expect(play.code(by, sendBack)).toBe('author-review');
    }
  });

  test('what is only submitted, held or on offer is not integrated', () => {
    const play = new Play().begin(ada, { terms: going });
    expect(play.code(eve, integrate())).toBe('wrong-state');
    expect(play.submit(ada).code(eve, integrate())).toBe('wrong-state');
  });
});

function asked(): Play {
  const play = approved();
  play.run(sol, { type: 'escalate', reason: 'conflict', text: 'By hand, please.' });
  return play;
}

describe('approved work', () => {
  test('goes back with what was found, to its author, as a round of rework', () => {
    const play = approved();
    expect(play.code(quinn, sendBack)).toBe('denied');
    expect(play.code(eve, { ...sendBack, packet: packetB })).toBe('review-stale');
    play.run(systemActor, sendBack);
    expect(play.state).toMatchObject({ status: 'rework', rework: 1, offer: { to: 'agent:ada' } });
    expect(play.state.approval).toBeUndefined();
    play.take(ada).submit(ada, packetB);
    play.run(quinn, { type: 'approve', packet: packetB });
    expect(play.code(sol, integrate())).toBe('review-stale');
    play.run(sol, integrate({ packet: packetB }));
    expect(play.state.status).toBe('done');
  });

  test('is escalated when its rounds are used up', () => {
    const play = approved(
      terms({
        integrate: { onto: 'staffetta/limits' },
        review: { owner: 'lane:audit' },
        caps: { rework: 1 },
      }),
    );
    play.run(sol, sendBack);
    expect(play.state.escalation).toMatchObject({ reason: 'rework-cap' });
    expect(play.code(eve, integrate())).toBe('wrong-state');
  });

  test('can still be integrated after somebody was asked, until it is offered or agreed on anew', () => {
    const integrated = asked();
    integrated.run(eve, integrate());
    expect(integrated.state.status).toBe('done');
    const redriven = asked();
    redriven.run(eve, { type: 'redrive' });
    expect(redriven.code(eve, integrate())).toBe('wrong-state');
    const amended = asked();
    amended.run(eve, { type: 'amend', contract: contractB, terms: going, why: 'w' });
    expect(amended.code(eve, integrate())).toBe('wrong-state');
  });

  test('cannot be amended, offered, taken or lapse; it can be cancelled', () => {
    const play = approved();
    const amend: Command = { type: 'amend', contract: contractB, terms: terms(), why: 'w' };
    const offer: Command = { type: 'offer', offer: { to: 'anyone', lane: 'execute' } };
    for (const command of [
      amend,
      offer,
      { type: 'accept', offer: null, met: [], leaseMs: 1000 },
      { type: 'lapse' },
      { type: 'expire' },
      { type: 'redrive' },
    ] as const)
      expect([command.type, play.code(eve, command)]).toEqual([command.type, 'wrong-state']);
    expect(play.code(ada, { type: 'fail', generation: 1, why: 'w' })).toBe('stale-generation');
    play.run(eve, { type: 'cancel', why: 'w' });
    expect(play.state.status).toBe('cancelled');
  });
});
