import { expect, test } from 'vitest';
import type { Actor } from '../../core/task/actor.ts';
import { refuseGrant, type NewGrant } from './grant.ts';

const eve: Actor = { name: 'eve', kind: 'human' };

function grant(actor: Actor, verbs: NewGrant['verbs'] = ['read']): Pick<NewGrant, 'actor' | 'verbs'> {
  return { actor, verbs };
}

test('a person gives any grant but that of the system', () => {
  expect(refuseGrant(eve, grant({ name: 'bob', kind: 'human' }, ['review']))).toBeUndefined();
  expect(
    refuseGrant(eve, grant({ name: 'quinn', kind: 'agent', lane: 'audit' }, ['review'])),
  ).toBeUndefined();
  expect(refuseGrant(eve, grant({ name: 'staffetta', kind: 'system' }))?.code).toBe('denied');
});

test('nobody whom an agent spawned gives the grants of a person, whatever it calls itself', () => {
  const child: Actor = { ...eve, lineage: ['coder'] };
  for (const actor of [
    { name: 'bob', kind: 'human' },
    { name: 'bob', kind: 'human', lineage: ['coder'] },
    { name: 'kid', kind: 'agent', lane: 'audit' },
    child,
  ] as const)
    expect(refuseGrant(child, grant({ ...actor } as Actor, ['review']))?.code).toBe('denied');
});

test('a grant names all who spawned the agent that makes it', () => {
  const kid: Actor = { name: 'kid', kind: 'agent', lineage: ['mid', 'coder'] };
  expect(refuseGrant(kid, grant(kid))).toBeUndefined();
  expect(refuseGrant(kid, grant({ ...kid, lineage: ['mid'] }))?.details).toEqual({ lineage: ['coder'] });
  expect(refuseGrant(kid, grant({ name: 'kid', kind: 'agent' }))?.code).toBe('denied');
});
