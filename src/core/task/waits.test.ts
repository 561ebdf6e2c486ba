import { expect, test } from 'vitest';
import { sampleTask } from '../../conformance/sample.ts';
import { waitsOf } from './waits.ts';

const head = `sha256:${'0'.repeat(62)}11` as const;
const unmet = Array.from({ length: 20 }, (_, n) => sampleTask(n));

test('a task that is not blocked waits for nothing', () => {
  expect(waitsOf({ status: 'open', unmet, head })).toEqual([]);
});

test('few needs are all watched', () => {
  const few = unmet.slice(0, 3);
  const waits = few.map((need) => ({ need, watched: true }));
  expect(waitsOf({ status: 'blocked', unmet: few, head })).toEqual(waits);
});

test('of many needs one is watched, by chance of the head', () => {
  const waits = waitsOf({ status: 'blocked', unmet, head });
  expect(waits.map(({ need }) => need)).toEqual(unmet);
  expect(waits.filter(({ watched }) => watched)).toEqual([{ need: unmet[0x11], watched: true }]);
});
