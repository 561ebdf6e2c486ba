import { expect, test } from 'vitest';
import type { Status } from '../../../src/core/task/state.ts';
import type { RunAnswer } from '../../../src/server/contract/contract-looks.ts';
import {
  actsFor,
  answerAct,
  bodyOf,
  commandOf,
  doneWords,
  missingIn,
  phaseAct,
  settleActs,
  steerActs,
  startAct,
  type Act,
  type Wish,
} from './acts.ts';

const names = (status: Status, verbs: readonly string[] = ['tell', 'direct'], isResting = false): string[] =>
  actsFor({ status, isResting }, (verb) => verbs.includes(verb)).map(({ name }) => name);

const act = (name: string): Act => {
  const found = (['held', 'escalated', 'offered', 'failed'] as const)
    .flatMap((status) => actsFor({ status, isResting: status === 'offered', generation: 1 }, () => true))
    .find((one) => one.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};

const wish: Wish = { why: '', to: '', ms: 1_800_000, count: 2, caps: {} };
const said = (one: Act, more: Partial<Wish> = {}): string => commandOf(one, 't1', { ...wish, ...more });

test('only what makes sense in the state, and what the token allows, is offered', () => {
  expect(names('held')).toEqual(['tell', 'extend', 'reassign', 'pause', 'escalate', 'cancel']);
  expect(names('escalated')).toEqual(['redrive', 'tell', 'reassign', 'cancel']);
  expect(names('offered', undefined, true)).toEqual(['continue', 'tell', 'reassign', 'escalate', 'cancel']);
  expect(names('submitted')).toEqual(['tell', 'escalate', 'cancel']);
  for (const status of ['done', 'cancelled', 'elsewhere'] as const) expect(names(status)).toEqual([]);
  expect(names('failed')).toEqual(['again', 'let-be']);
  const left = actsFor({ status: 'offered', generation: 1 }, () => true).map(({ name }) => name);
  expect(left).toEqual(['tell', 'reassign', 'pause', 'complete', 'escalate', 'cancel']);
  expect(names('held', ['tell'])).toEqual(['tell']);
  expect(names('held', [])).toEqual([]);
});

test('a request is made when all that it needs is there, with whom it is for as it was typed', () => {
  expect(bodyOf(act('cancel'), wish)).toBeNull();
  expect(bodyOf(act('reassign'), { ...wish, why: 'ill' })).toBeNull();
  for (const to of ['code', 'plan', 'codex', 'excute', 'runtime:codex', 'anyone'])
    expect(bodyOf(act('reassign'), { ...wish, why: 'ill', to: ` ${to} ` })).toEqual({ why: 'ill', to });
  expect(bodyOf(act('redrive'), { ...wish, why: 'dry now' })).toEqual({ why: 'dry now' });
  expect(bodyOf(act('extend'), { ...wish, why: 'late' })).toEqual({ why: 'late', leaseMs: 1_800_000 });
  expect(bodyOf(act('pause'), { ...wish, why: 'night', ms: 0 })).toEqual({ why: 'night' });
  expect(bodyOf(act('again'), { ...wish, to: 'plan' })).toEqual({ to: 'plan' });
  for (const name of ['let-be', 'complete']) expect(bodyOf(act(name), wish)).toEqual({});
  expect(bodyOf(act('tell'), { ...wish, why: 'hello' })).toEqual({ text: 'hello' });
  expect(bodyOf(answerAct(2, []), { ...wish, why: 'left' })).toEqual({ decision: 2, answer: 'left' });
  expect(bodyOf(phaseAct('apply'), wish)).toEqual({ phase: 'apply' });
  expect(bodyOf(startAct('agent:code'), wish)).toEqual({ to: 'agent:code', why: 'It should start.' });
  expect(settleActs('deploy').map((one) => bodyOf(one, { ...wish, why: 'log 7' }))).toEqual([
    { effect: 'deploy', outcome: 'done', receipt: 'log 7' },
    { effect: 'deploy', outcome: 'failed', receipt: 'log 7' },
  ]);
});

test('paused work says until when, and a pause needs no reason', () => {
  const said = (notBefore: number): string =>
    doneWords(act('pause'), { offeredTo: 'anyone', notBefore }, new Date(2030, 1, 1, 9).getTime());
  expect(said(new Date(2030, 1, 1, 10, 30).getTime())).toMatch(
    /^Paused until 10:30\s?AM: then offered to anyone\.$/,
  );
  expect(said(new Date(2030, 1, 2, 10, 30).getTime())).toContain('Paused until Feb 2, 10:30');
  expect(said(new Date(2040, 1, 1).getTime())).toContain('Paused until somebody continues it:');
  expect(bodyOf(act('pause'), { ...wish, ms: 3_600_000 })).toEqual({ forMs: 3_600_000 });
  expect(bodyOf(act('continue'), wish)).toEqual({});
  expect(missingIn(act('reassign'), wish)).toBe('To whom');
  expect(missingIn(act('cancel'), wish)).toBe('Reason');
});

test('what was done says to whom it is offered', () => {
  const offered = { offeredTo: 'runtime:codex', notBefore: null };
  expect(doneWords(act('redrive'), offered, 0)).toBe('Offered again: offered to runtime codex.');
  expect(doneWords(act('tell'), offered, 0)).toBe('Told.');
  expect(doneWords(act('escalate'), { ...offered, offeredTo: null }, 0)).toBe('Stopped.');
});

test('the command does the same, with what was typed as one word', () => {
  expect(said(act('cancel'))).toBe('staffetta cancel t1 --why TEXT');
  expect(said(act('tell'), { why: "don't; rm" })).toBe("staffetta tell t1 -- 'don'\\''t; rm'");
  expect(said(act('cancel'), { why: '-x' })).toBe('staffetta cancel t1 --why=-x');
  expect(said(act('reassign'), { why: 'ill', to: 'agent:bea' })).toBe(
    'staffetta reassign t1 --to agent:bea --why ill',
  );
  expect(said(act('redrive'))).toBe('staffetta dead t1 --again --why TEXT');
  expect(said(act('extend'))).toBe('staffetta extend t1 --lease 30m --why TEXT');
  expect(said(act('pause'))).toBe('staffetta pause t1 --until 30m');
  const run = { run: 'fence', paused: null, parallel: 2, caps: { legs: 9 } } as unknown as RunAnswer;
  const caps = { legs: 9, tokens: 2_000_000, ms: 7_200_000, cost: { amount: 2.5, unit: 'EUR' } };
  expect(steerActs(run).map((one) => said(one, { caps }))).toEqual([
    'staffetta steer fence --pause --why TEXT',
    'staffetta steer fence --parallel 2 --why TEXT',
    'staffetta steer fence --cap tokens=2000000 --cap legs=9 --cap time=2h --cap cost=2.5EUR --why TEXT',
    'staffetta cancel t1 --why TEXT',
  ]);
});
