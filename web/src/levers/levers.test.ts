import { expect, test } from 'vitest';
import { bodyOf, doneWords, leversFor, twinOf, type Lever } from './levers.ts';

const names = (status: string, verbs: readonly string[] = ['tell', 'direct']): string[] =>
  leversFor(status, (verb) => verbs.includes(verb)).map(({ name }) => name);

const lever = (name: string): Lever => {
  const found = ['held', 'escalated']
    .flatMap((status) => leversFor(status, () => true))
    .find((one) => one.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};

const wish = { why: '', to: '', leaseMs: 1_800_000 };

test('only what makes sense in the state is offered', () => {
  expect(names('held')).toEqual(['tell', 'extend', 'reassign', 'escalate', 'cancel']);
  expect(names('escalated')).toEqual(['tell', 'reassign', 'redrive', 'cancel']);
  expect(names('declined')).toEqual(['tell', 'reassign', 'redrive', 'escalate', 'cancel']);
  expect(names('unheard')).toContain('redrive');
  expect(names('submitted')).toEqual(['tell', 'escalate', 'cancel']);
  for (const status of ['done', 'failed', 'cancelled', 'elsewhere']) expect(names(status)).toEqual([]);
});

test('only what the token allows is offered', () => {
  expect(names('held', ['tell'])).toEqual(['tell']);
  expect(names('held', [])).toEqual([]);
});

test('a request is made when all that it needs is there', () => {
  expect(bodyOf(lever('cancel'), wish)).toBeNull();
  expect(bodyOf(lever('reassign'), { ...wish, why: 'ill' })).toBeNull();
  expect(bodyOf(lever('reassign'), { ...wish, why: 'ill', to: 'audit' })).toEqual({
    why: 'ill',
    to: 'audit',
  });
  expect(bodyOf(lever('redrive'), { ...wish, why: 'dry now' })).toEqual({ why: 'dry now' });
  expect(bodyOf(lever('extend'), { ...wish, why: 'late' })).toEqual({ why: 'late', leaseMs: 1_800_000 });
  expect(bodyOf(lever('tell'), { ...wish, why: 'hello' })).toEqual({ text: 'hello' });
});

test('whom it is for is sent, and stands in the command, as it was typed', () => {
  for (const to of ['code', 'plan', 'codex', 'excute', 'runtime:codex', 'anyone']) {
    expect(bodyOf(lever('reassign'), { ...wish, why: 'ill', to: ` ${to} ` })).toEqual({ why: 'ill', to });
    expect(said('reassign', { why: 'ill', to })).toBe(`staffetta reassign t1 --to ${to} --why ill`);
  }
});

test('what was done says to whom it is offered', () => {
  expect(doneWords({ status: 'offered', offeredTo: 'runtime:codex' })).toBe(
    'Done: it is offered to runtime:codex now.',
  );
  expect(doneWords({ status: 'escalated', offeredTo: null })).toBe('Done: it is escalated now.');
});

function said(name: string, more: Partial<typeof wish> = {}): string {
  return twinOf(lever(name), 't1', { ...wish, ...more });
}

test('the command does the same, with what was typed as one word', () => {
  expect(said('cancel')).toBe('staffetta cancel t1 --why TEXT');
  expect(said('tell', { why: "don't; rm" })).toBe("staffetta tell t1 -- 'don'\\''t; rm'");
  expect(said('tell', { why: '-x' })).toBe('staffetta tell t1 -- -x');
  expect(said('cancel', { why: '-x' })).toBe('staffetta cancel t1 --why=-x');
  expect(said('reassign', { why: 'ill', to: 'agent:bea' })).toBe(
    'staffetta reassign t1 --to agent:bea --why ill',
  );
  expect(said('redrive')).toBe('staffetta dead t1 --redrive --why TEXT');
  expect(said('redrive', { to: 'plan' })).toBe('staffetta dead t1 --redrive --to plan --why TEXT');
  expect(said('extend')).toBe('staffetta extend t1 --lease 30m --why TEXT');
});
