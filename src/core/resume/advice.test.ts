import { describe, expect, test } from 'vitest';
import { advise, adviceRules, type AdviceInput, type AdviceRule } from './advice.ts';

const calm: AdviceInput = {
  from: { runtime: 'claude-code', lane: 'execute' },
  to: { runtime: 'codex', lane: 'execute' },
  session: { resumable: true, idleMs: 60_000, contextUsed: 0.4, workspaceMatches: true, tokens: 80_000 },
  certification: 'ready',
  trigger: 'planned',
  briefingTokens: 3_000,
};

function first(input: AdviceInput): AdviceRule | undefined {
  return advise(input).reasons[0]?.rule;
}

describe('resume or switch', () => {
  test('without a reason the work stays: never for novelty', () => {
    expect(advise(calm)).toEqual({
      answer: 'resume',
      reasons: [
        {
          rule: 'no-reason',
          text: 'Neither role, review boundary nor the session speak for a switch.',
        },
      ],
      cost: { resume: 80_000, switch: 3_000 },
    });
  });

  test('the same runtime is resumed', () => {
    expect(first({ ...calm, to: { ...calm.to, runtime: 'claude-code' } })).toBe('same-runtime');
  });

  const session = calm.session === 'unknown' ? undefined : (calm.session ?? undefined);
  const switches: readonly (readonly [AdviceRule, Partial<AdviceInput>])[] = [
    ['usage-limit', { trigger: 'usage-limit' }],
    ['no-session', { session: null }],
    ['workspace-differs', session === undefined ? {} : { session: { ...session, workspaceMatches: false } }],
    ['review-boundary', { to: { ...calm.to, lane: 'audit' } }],
    ['role-changed', { to: { ...calm.to, lane: 'plan' } }],
    ['session-overloaded', session === undefined ? {} : { session: { ...session, contextUsed: 0.8 } }],
    ['session-stale', session === undefined ? {} : { session: { ...session, idleMs: 86_400_000 } }],
  ];
  for (const [rule, change] of switches) {
    test(`${rule} speaks for a switch`, () => {
      const advice = advise({ ...calm, ...change });
      expect(advice.answer).toBe('switch');
      expect(advice.reasons.map((reason) => reason.rule)).toEqual([rule]);
    });
  }

  test.each<[AdviceRule, AdviceInput['trigger']]>([
    ['no-session', 'crash'],
    ['no-session', 'timeout'],
    ['session-overloaded', 'context-limit'],
  ])('%s speaks for a new session, also of the same runtime, after %s', (rule, trigger) => {
    const same = {
      ...calm,
      session: 'unknown',
      trigger,
      to: { ...calm.to, runtime: 'claude-code' },
    } as const;
    expect(advise(same)).toMatchObject({ answer: 'switch', reasons: [{ rule }] });
  });

  test('a session that was shown to be resumable is resumed after a crash', () => {
    expect(advise({ ...calm, trigger: 'crash' }).answer).toBe('resume');
    expect(advise({ ...calm, trigger: 'context-limit' }).answer).toBe('switch');
  });

  test('a session that nobody looked at speaks for nothing, and is said to be unknown', () => {
    const advice = advise({ ...calm, session: 'unknown' });
    expect(advice.answer).toBe('resume');
    expect(advice.reasons.map((reason) => reason.rule)).toEqual(['no-reason', 'session-unknown']);
    expect(advice.cost.resume).toBeNull();
    const same = advise({ ...calm, session: 'unknown', to: { ...calm.to, runtime: 'claude-code' } });
    expect(same.reasons[0]?.text).toBe('The work is in claude-code already.');
  });

  test('a switch of half-formed work is answered with: fix the packet first', () => {
    const advice = advise({ ...calm, to: { ...calm.to, lane: 'audit' }, certification: 'verified' });
    expect(advice.answer).toBe('fix-packet');
    expect(advice.reasons.map((reason) => reason.rule)).toEqual(['packet-not-ready', 'review-boundary']);
  });

  test('so is one that has no reason; staying needs no packet', () => {
    const advice = advise({ ...calm, session: 'unknown', certification: 'verified' });
    expect(advice.answer).toBe('fix-packet');
    expect(advice.reasons.map((reason) => reason.rule)).toEqual([
      'packet-not-ready',
      'no-reason',
      'session-unknown',
    ]);
    const same = { ...calm, certification: 'draft', to: { ...calm.to, runtime: 'claude-code' } } as const;
    expect(advise(same).answer).toBe('resume');
  });

  test('what may hold a secret is not switched in an emergency either', () => {
    const crash = { ...calm, trigger: 'crash', session: null } as const;
    expect(advise({ ...crash, certification: 'draft' }).answer).toBe('fix-packet');
    expect(advise({ ...crash, certification: 'valid' }).answer).toBe('switch');
  });

  test('an emergency does not wait for a better packet', () => {
    expect(advise({ ...calm, trigger: 'crash', session: null, certification: 'ready' }).answer).toBe(
      'switch',
    );
  });

  test('every rule can fire', () => {
    const fired = new Set([
      ...switches.map(([rule]) => rule),
      'packet-not-ready',
      'same-runtime',
      'session-unknown',
      'no-reason',
    ]);
    expect([...fired].toSorted()).toEqual([...adviceRules].toSorted());
  });
});
