import { expect, test } from 'vitest';
import { Actor, isLane, mayDirect } from './actor.ts';
import { lanes } from './lanes.ts';

test('the lanes are these four and nothing else', () => {
  expect(lanes).toEqual(['plan', 'execute', 'audit', 'supervise']);
  for (const lane of lanes) expect(isLane(lane)).toBe(true);
  expect(isLane('Plan')).toBe(false);
});

test('people, the system and supervisors may direct; other agents may not', () => {
  expect(mayDirect({ name: 'eve', kind: 'human' })).toBe(true);
  expect(mayDirect({ name: 'staffetta', kind: 'system' })).toBe(true);
  expect(mayDirect({ name: 'sol', kind: 'agent', lane: 'supervise' })).toBe(true);
  expect(mayDirect({ name: 'ada', kind: 'agent', lane: 'execute' })).toBe(false);
  expect(mayDirect({ name: 'ada', kind: 'agent' })).toBe(false);
});

test('an actor with unknown fields, a bad name or an endless lineage is refused', () => {
  const good = { name: 'ada', kind: 'agent' };
  expect(Actor.safeParse(good).success).toBe(true);
  expect(Actor.safeParse({ ...good, root: true }).success).toBe(false);
  expect(Actor.safeParse({ ...good, name: 'a b' }).success).toBe(false);
  expect(Actor.safeParse({ ...good, kind: 'robot' }).success).toBe(false);
  expect(Actor.safeParse({ ...good, session: '' }).success).toBe(false);
  expect(Actor.safeParse({ ...good, lineage: Array.from({ length: 33 }, (_, n) => `a${n}`) }).success).toBe(
    false,
  );
});
