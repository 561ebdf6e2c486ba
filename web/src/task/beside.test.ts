import { expect, test } from 'vitest';
import { besides, placesOf, whole, type Finding, type ShownPacket } from './beside.ts';

const shown = {
  packet: { claims: { done: ['a', 'b'], next: 'c' }, artefacts: [{ path: 'x' }] },
  contract: { goal: 'g', acceptance: ['one'] },
} as unknown as ShownPacket;

function finding(path: string): Finding {
  return { rule: 'r', severity: 'warning', path, text: path, fix: 'mend it' };
}

function placeOf(path: string): string | undefined {
  return [...besides([finding(path)], placesOf(shown)).keys()][0];
}

test('a finding stands beside the line it is about', () => {
  expect(placeOf('claims.done[1]')).toBe('claims.done[1]');
  expect(placeOf('claims.next')).toBe('claims.next');
  expect(placeOf('contract.acceptance[0]')).toBe('contract.acceptance[0]');
});

test('what is about a part of a line stands beside the line', () => {
  expect(placeOf('claims.done[0].evidence')).toBe('claims.done[0]');
  expect(placeOf('artefacts[0].why')).toBe('artefacts[0]');
  expect(placeOf('facts.workspace.digest')).toBe('facts.workspace');
  expect(placeOf('contract.review.owner')).toBe('contract.review');
  expect(placeOf('losses.some/path')).toBe('losses');
});

test('what is about no line stands with the packet as a whole', () => {
  expect(placeOf('packet')).toBe(whole);
  expect(placeOf('claims')).toBe(whole);
  expect(placeOf('claims.done[12]')).toBe('claims.done');
});

test('no finding is lost, and none is shown twice', () => {
  const all = ['claims.done[1]', 'packet', 'claims.next', 'x.y'].map(finding);
  const placed = [...besides(all, placesOf(shown)).values()].flat();
  expect(placed.map(({ path }) => path).toSorted()).toEqual(all.map(({ path }) => path).toSorted());
});
