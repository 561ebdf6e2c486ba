import { expect, test } from 'vitest';
import { addressOf } from '../shell/place.ts';
import { evidencePlace } from './evidence.ts';

function addressFor(id: string): string | undefined {
  const place = evidencePlace('t1', id);
  return place === undefined ? undefined : addressOf(place);
}

test('evidence leads to the exact place', () => {
  expect(addressFor('s42')).toBe('/tasks/t1/history?at=s42');
  expect(addressFor('j12')).toBe('/tasks/t1/journal?at=j12');
  expect(addressFor('r12')).toBe('/tasks/t1/journal?at=r12');
  expect(addressFor('d3')).toBe('/tasks/t1/journal?at=d3');
  expect(addressFor('file:src/a.ts:4-9')).toBe('/tasks/t1/diff?at=src%2Fa.ts');
});

test('a name of no known kind leads nowhere', () => {
  expect(addressFor('x1')).toBeUndefined();
  expect(addressFor('javascript:alert(1)')).toBeUndefined();
});
