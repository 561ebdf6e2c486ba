/** Work that goes out again: retry, lapse, expiry, dead letters, re-driving. */
import { describe, expect, test } from 'vitest';
import { minute, packetA, Play, terms, toAudit, toExecute } from '../../../test/support/play.ts';
import { ada, bea, dawn, eve, quinn, sol } from '../../../test/support/world.ts';
import { systemActor } from '../task/actor.ts';
import { StaffettaError } from '../base/error.ts';
import { decide } from './decide.ts';
import { limits } from '../base/limits.ts';

const retry = (generation: number) => ({ type: 'retry', generation, why: 'Rain.', delayMs: 700 }) as const;

describe('a failed attempt', () => {
  test('the leg ends and the work rests, on offer to the same lane', () => {
    const play = new Play().offered(ada).take(bea);
    expect(play.run(bea, retry(1))).toEqual([
      { type: 'leg-ended', v: 1, generation: 1, outcome: 'attempt-failed', why: 'Rain.' },
      {
        type: 'offer-made',
        v: 1,
        offer: 2,
        to: 'lane:execute',
        lane: 'execute',
        packet: null,
        cause: 'retry',
        attempt: 2,
        why: 'Rain.',
        notBefore: dawn + 700,
      },
    ]);
    expect(play.state).toMatchObject({ status: 'offered', attempts: 1 });
  });

  test('when the attempts are used up it becomes a dead letter, whole, and a person is asked', () => {
    const play = new Play().offered(ada, toExecute, { terms: terms({ caps: { attempts: 2 } }) }).take(bea);
    play.run(bea, { type: 'checkpoint', generation: 1, sealed: { packet: packetA, certification: 'ready' } });
    play.run(bea, retry(1));
    play.now += minute;
    play.take(bea);
    const events = play.run(bea, retry(2));
    expect(events).toMatchObject([
      { type: 'leg-ended', outcome: 'attempt-failed' },
      { type: 'offer-dead', to: 'lane:execute', packet: packetA, attempts: 2, why: 'Rain.' },
      { type: 'escalated', reason: 'attempts-cap', text: '2 attempts failed; the last: Rain.' },
    ]);
    expect(play.state).toMatchObject({
      status: 'escalated',
      leg: null,
      offer: null,
      dead: { attempts: 2, packet: packetA, at: dawn + minute },
    });
  });

  test('without a cap in the contract the default holds', () => {
    const play = new Play().offered(ada);
    for (let attempt = 1; attempt < limits.attemptsMaxDefault; attempt += 1) {
      play.take(bea).run(bea, retry(attempt));
      expect(play.state.dead).toBeNull();
      play.now += minute;
    }
    play.take(bea).run(bea, retry(limits.attemptsMaxDefault));
    expect(play.state.dead?.attempts).toBe(limits.attemptsMaxDefault);
  });

  test('the longest reason fits the last attempt too', () => {
    const play = new Play().offered(ada, toExecute, { terms: terms({ caps: { attempts: 1 } }) }).take(bea);
    const why = 'é'.repeat(limits.textBytesMax / 2);
    play.run(bea, { type: 'retry', generation: 1, why, delayMs: 0 });
    expect(play.state.dead?.why).toBe(why);
    expect(Buffer.byteLength(play.state.escalation?.text ?? '')).toBeLessThanOrEqual(limits.textBytesMax);
  });
});

describe('a lapse', () => {
  test('a live lease is left alone, also in its last millisecond, and the refusal says who and until when', () => {
    const play = new Play().offered(ada).accept(bea);
    play.now = dawn + minute;
    const error = play.refusal(systemActor, { type: 'lapse' });
    expect(error.code).toBe('lease-live');
    expect(error.details).toEqual({ task: play.task, holder: 'bea', leaseUntil: dawn + minute });
  });

  test('P1: end of the leg and new offer are one entry', () => {
    const play = new Play().offered(ada).accept(bea);
    play.now = dawn + minute + 1;
    const events = play.run(systemActor, { type: 'lapse' });
    expect(events).toMatchObject([
      { type: 'leg-lapsed', generation: 1, leaseUntil: dawn + minute },
      { type: 'offer-made', cause: 'lapse', to: 'lane:execute', attempt: 2 },
    ]);
    expect(play.state).toMatchObject({ status: 'lapsed', leg: null });
    expect(events[1]).toMatchObject({ why: expect.stringContaining('bea fell silent') as string });
  });

  test('the lease as renewed counts, not the one granted', () => {
    const play = new Play().offered(ada).accept(bea);
    play.renewedUntil = dawn + 5 * minute;
    play.now = dawn + 5 * minute;
    expect(play.code(systemActor, { type: 'lapse' })).toBe('lease-live');
    play.now += 1;
    expect(play.run(systemActor, { type: 'lapse' })).toHaveLength(2);
  });

  test('lapses use up attempts like failures do', () => {
    const play = new Play().offered(ada, toExecute, { terms: terms({ caps: { attempts: 1 } }) }).accept(bea);
    play.now = dawn + 2 * minute;
    play.run(systemActor, { type: 'lapse' });
    expect(play.state).toMatchObject({ status: 'escalated', dead: { attempts: 1 } });
  });

  test('where nobody holds the task nobody can fall silent', () => {
    expect(new Play().offered(ada).code(systemActor, { type: 'lapse' })).toBe('wrong-state');
  });

  test('P3: the one that fell silent is refused when it comes back', () => {
    const play = new Play().offered(ada).take(bea);
    play.now = dawn + 2 * minute;
    play.run(systemActor, { type: 'lapse' });
    const error = play.refusal(bea, { type: 'complete', generation: 1, sealed: null });
    expect(error.code).toBe('stale-generation');
    expect(error.message).toContain('offered to lane:execute');
    expect(error.details).toMatchObject({ yours: 1, generation: 1, holder: null });
  });
});

describe('an offer that nobody takes', () => {
  test('it is renewed with the same terms, and counts as an attempt', () => {
    const play = new Play().offered(ada, { to: 'agent:bea', lane: 'execute', expiresMs: minute });
    play.now = dawn + minute;
    expect(play.code(systemActor, { type: 'expire' })).toBe('wrong-state');
    play.now += 1;
    expect(play.run(systemActor, { type: 'expire' })).toMatchObject([
      { type: 'offer-expired', offer: 1 },
      { type: 'offer-made', offer: 2, to: 'agent:bea', cause: 'expiry', attempt: 2, expiresMs: minute },
    ]);
    expect(play.state.offer?.expiresAt).toBe(dawn + minute + 1 + minute);
  });

  test('it ends among the dead letters', () => {
    const play = new Play().offered(
      ada,
      { ...toAudit, expiresMs: minute },
      { terms: terms({ caps: { attempts: 1 } }) },
    );
    play.now = dawn + 2 * minute;
    play.run(systemActor, { type: 'expire' });
    expect(play.state).toMatchObject({
      status: 'escalated',
      dead: { to: 'lane:audit', lane: 'audit', why: 'Nobody took offer 1 in time.' },
    });
  });

  test('without an end it never expires, and what is not offered cannot', () => {
    const play = new Play().offered(ada);
    play.now += 10 ** 12;
    expect(play.code(systemActor, { type: 'expire' })).toBe('wrong-state');
    expect(new Play().begin(ada).code(systemActor, { type: 'expire' })).toBe('wrong-state');
  });
});

function dead(): Play {
  const play = new Play().offered(ada, toAudit, { terms: terms({ caps: { attempts: 1 } }) });
  play.take({ name: 'quinn', kind: 'agent', lane: 'audit' });
  play.run({ name: 'quinn', kind: 'agent', lane: 'audit' }, retry(1));
  return play;
}

describe('re-driving', () => {
  test('a dead letter goes out again where it was going, its attempts forgiven', () => {
    for (const by of [eve, sol]) {
      const play = dead();
      play.run(by, { type: 'redrive', why: 'The rain stopped.' });
      expect(play.state).toMatchObject({
        status: 'offered',
        attempts: 0,
        dead: null,
        escalation: null,
        offer: { to: 'lane:audit', lane: 'audit', cause: 'redrive', attempt: 1 },
      });
    }
  });

  test('it can be sent to somebody else', () => {
    const play = dead();
    play.run(eve, { type: 'redrive', to: 'agent:una' });
    expect(play.state.offer).toMatchObject({ to: 'agent:una', lane: 'audit' });
  });

  test('sent to another lane, it becomes a leg of that lane, which somebody there can take', () => {
    const play = dead();
    play.run(eve, { type: 'redrive', to: 'lane:plan' });
    expect(play.state.offer).toMatchObject({ to: 'lane:plan', lane: 'plan' });
    play.accept({ name: 'pia', kind: 'agent', lane: 'plan' });
    expect(play.state.leg?.lane).toBe('plan');
  });

  test('declined and escalated work goes back to the lane it was in', () => {
    const declined = new Play().offered(ada, { to: 'agent:quinn', lane: 'audit' });
    declined.run(quinn, { type: 'decline', reasons: ['No.'] });
    declined.run(eve, { type: 'redrive' });
    expect(declined.state.offer).toMatchObject({ to: 'agent:quinn', lane: 'audit' });
    const escalated = new Play().begin(ada);
    escalated.run(ada, { type: 'escalate', generation: 1, text: 'Stuck.' });
    escalated.run(eve, { type: 'redrive' });
    expect(escalated.state.offer).toMatchObject({ to: 'lane:execute', lane: 'execute' });
  });

  test('an agent cannot re-drive, and only what waits for a decision is re-driven', () => {
    const error = dead().refusal(ada, { type: 'redrive' });
    expect(error.code).toBe('denied');
    expect(error.details).toMatchObject({ status: 'escalated' });
    expect(new Play().offered(ada).code(eve, { type: 'redrive' })).toBe('wrong-state');
    expect(new Play().begin(ada).code(eve, { type: 'redrive' })).toBe('wrong-state');
    const over = dead();
    over.run(eve, { type: 'cancel', why: 'x' });
    expect(over.code(eve, { type: 'redrive' })).toBe('wrong-state');
  });
});

test('a task that does not exist is unknown to every command but open', () => {
  const decision = decide(undefined, { type: 'lapse' }, { by: systemActor, now: dawn, leaseUntil: null });
  expect(decision).toBeInstanceOf(StaffettaError);
  expect(decision).toMatchObject({ code: 'unknown-task' });
});
