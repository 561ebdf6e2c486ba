import { expect, test } from 'vitest';
import { Play } from '../../../test/support/play.ts';
import { ada } from '../../../test/support/world.ts';
import { digestOf } from './digest.ts';
import { inspectSnapshot, readSnapshot, writeSnapshot } from './snapshot.ts';
import { foldVersion } from '../task/state.ts';

const state = new Play().begin(ada).state;

test('a snapshot reads back as the state it was taken of', () => {
  expect(readSnapshot(writeSnapshot(state), state.head)).toEqual(state);
});

test('a snapshot of another head is not used', () => {
  expect(readSnapshot(writeSnapshot(state), digestOf('another entry'))).toBeUndefined();
});

test('a snapshot with any character changed is not used', () => {
  const snapshot = writeSnapshot(state);
  for (let at = 0; at < snapshot.length; at += 1) {
    const other = snapshot[at] === 'x' ? 'y' : 'x';
    const damaged = snapshot.slice(0, at) + other + snapshot.slice(at + 1);
    expect([at, readSnapshot(damaged, state.head)]).toEqual([at, undefined]);
  }
});

test('a snapshot that was cut off, or is none, is not used', () => {
  const snapshot = writeSnapshot(state);
  for (const damaged of ['', ' ', '{}', snapshot.slice(0, -1), snapshot.slice(1), `${snapshot} `])
    expect(readSnapshot(damaged, state.head)).toBeUndefined();
});

test('a snapshot by another fold is sound but not used', () => {
  const older = writeSnapshot({ ...state, foldVersion: foldVersion - 1 });
  const newer = writeSnapshot({ ...state, foldVersion: foldVersion + 1 });
  expect(readSnapshot(older, state.head)).toBeUndefined();
  expect(readSnapshot(newer, state.head)).toBeUndefined();
  expect(inspectSnapshot(older, state.head)).toBe('other-fold');
  expect(inspectSnapshot(`${older} `, state.head)).toBe('damaged');
});
