import { expect, test } from 'vitest';
import { RedactionTally, totalCounts } from './redactions.ts';

test('each secret is listed once, at its first place, with how often it stood', () => {
  const tally = new RedactionTally();
  tally.add({ rule: 'jwt', fingerprint: 'a', at: 7 });
  tally.add({ rule: 'aws-key-id', fingerprint: 'b', at: 9 });
  tally.add({ rule: 'jwt', fingerprint: 'a', at: 30 });
  expect(tally.total(false)).toEqual({
    counts: { 'aws-key-id': 1, jwt: 2 },
    findings: [
      { rule: 'jwt', fingerprint: 'a', count: 2, at: 7 },
      { rule: 'aws-key-id', fingerprint: 'b', count: 1, at: 9 },
    ],
    unlisted: 0,
    binary: false,
  });
});

test('counts are in the order of their names', () => {
  const tally = new RedactionTally();
  for (const rule of ['z', 'a', 'm']) tally.add({ rule, fingerprint: 'x', at: 0 });
  expect(Object.keys(tally.total(false).counts)).toEqual(['a', 'm', 'z']);
});

test('the list has an end, the counts do not', () => {
  const tally = new RedactionTally();
  for (let i = 0; i < 1200; i += 1) tally.add({ rule: 'jwt', fingerprint: String(i), at: i });
  const { counts, findings, unlisted } = tally.total(true);
  expect([counts['jwt'], findings.length, unlisted]).toEqual([1200, 1000, 200]);
});

test('several accounts add up to one', () => {
  const one = new RedactionTally();
  one.add({ rule: 'jwt', fingerprint: 'a', at: 0 });
  const two = new RedactionTally();
  two.add({ rule: 'jwt', fingerprint: 'a', at: 0 });
  two.add({ rule: 'age-key', fingerprint: 'b', at: 0 });
  expect(totalCounts([one.total(false), two.total(false)])).toEqual({ 'age-key': 1, jwt: 2 });
});
