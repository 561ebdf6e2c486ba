import { describe, expect, test } from 'vitest';
import type { Actor } from './actor.ts';
import { Address, addressesOf, isAddress, isAddressedTo, isOwner, ownerWords } from './address.ts';

describe('the form of an address', () => {
  test.each(['anyone', 'agent:ada', 'agent:crew/ada', 'runtime:codex', 'lane:plan', 'lane:supervise'])(
    '%s is an address',
    (address) => {
      expect(isAddress(address)).toBe(true);
    },
  );

  test.each([
    '',
    'agent',
    'agents',
    'runtimes',
    'agentx',
    'agent:',
    'agent: ada',
    'agent:a:b',
    'lane:',
    'lane:wood',
    'lanes',
    'Agent:ada',
    'anyone:',
    'team:ada',
    ':ada',
  ])('%j is not an address', (address) => {
    expect(isAddress(address)).toBe(false);
  });

  test('a refused address is answered with the forms there are', () => {
    expect(Address.safeParse('ada').error?.issues[0]?.message).toBe(
      'expected agent:NAME, lane:LANE, runtime:NAME or anyone',
    );
    expect(Address.safeParse(7).success).toBe(false);
  });
});

describe('whom an address means', () => {
  const ada: Actor = { name: 'ada', kind: 'agent', lane: 'execute', runtime: 'codex' };
  const drifter: Actor = { name: 'drifter', kind: 'agent' };

  test('an actor listens at its name, its runtime, its lane and the open door, nearest first', () => {
    expect(addressesOf(ada)).toEqual(['agent:ada', 'runtime:codex', 'lane:execute', 'anyone']);
    expect(addressesOf(drifter)).toEqual(['agent:drifter', 'anyone']);
  });

  test('each kind of address finds its actor', () => {
    for (const address of addressesOf(ada)) expect(isAddressedTo(address, 'execute', ada)).toBe(true);
    expect(isAddressedTo('agent:bea', 'execute', ada)).toBe(false);
    expect(isAddressedTo('runtime:claude-code', 'execute', ada)).toBe(false);
    expect(isAddressedTo('runtime:codex', 'execute', drifter)).toBe(false);
  });

  test('an actor with a lane works in that lane only, whatever the address says', () => {
    expect(isAddressedTo('agent:ada', 'audit', ada)).toBe(false);
    expect(isAddressedTo('anyone', 'audit', ada)).toBe(false);
    expect(isAddressedTo('lane:audit', 'audit', ada)).toBe(false);
  });

  test('an actor without a lane may work in any', () => {
    expect(isAddressedTo('lane:audit', 'audit', drifter)).toBe(true);
    expect(isAddressedTo('anyone', 'plan', drifter)).toBe(true);
    expect(isAddressedTo('agent:ada', 'execute', drifter)).toBe(false);
  });
});

test('a question is for any address, or for a person with or without a name', () => {
  const owners = ['human', 'human:eve', 'agent:ada', 'lane:audit', 'runtime:codex', 'anyone'];
  expect(owners.filter(isOwner)).toEqual(owners);
  expect(['', 'human:', 'human:a b', 'person', 'lane:human'].filter(isOwner)).toEqual([]);
  expect((['human', 'human:eve', 'agent:ada'] as const).map(ownerWords)).toEqual([
    'a person',
    'eve',
    'agent:ada',
  ]);
});
