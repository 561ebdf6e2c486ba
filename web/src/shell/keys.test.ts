import { expect, test } from 'vitest';
import { pressed, type Binding } from './keys.ts';

const binding = (keys: string): Binding => ({ keys, does: keys, run: () => {} });
const shell = [binding('?'), binding('g r'), binding('c')];
const page = [binding('j'), binding('c')];

test('one key is enough for a binding of one', () => {
  expect(pressed([shell, page], undefined, 'j').binding).toBe(page[0]);
});

test('the first of two keys waits for the second', () => {
  expect(pressed([shell, page], undefined, 'g')).toEqual({ waiting: 'g' });
  expect(pressed([shell, page], 'g', 'r').binding).toBe(shell[1]);
});

test('a second key that fits nothing does nothing, even if it means something alone', () => {
  expect(pressed([shell, page], 'g', 'j')).toEqual({});
});

test('a page lays its keys over those of the shell', () => {
  expect(pressed([shell, page], undefined, 'c').binding).toBe(page[1]);
  expect(pressed([shell], undefined, 'c').binding).toBe(shell[2]);
});
