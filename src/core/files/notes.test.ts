import { expect, test } from 'vitest';
import { joinedClaims, progressClaims, progressEvent, tellsPhases } from './notes.ts';

test('a progress.json of an agent is read as its claims, in whatever shape its lists are', () => {
  const text = JSON.stringify({
    current_phase: { name: 'fill', description: 'rows 1 to 100' },
    completed_phases: ['measure', { title: 'table' }],
    pending_phases: 'swap',
    blockers: [],
    notes: ['slow at night', 'two shards'],
    percent: 40,
  });
  expect(tellsPhases(text)).toBe(true);
  const claims = {
    done: ['measure', 'table'],
    doing: ['fill: rows 1 to 100'],
    remaining: ['swap'],
    summary: 'slow at night\ntwo shards',
  };
  expect(progressClaims(text)).toEqual(claims);
  const drawn = { next: 'go on', doing: [{ text: 'npm test', evidence: ['s4'] }], summary: 'half way' };
  expect(joinedClaims(drawn, claims)).toEqual({
    ...claims,
    next: 'go on',
    doing: [...drawn.doing, ...claims.doing],
    summary: 'half way\n\nslow at night\ntwo shards',
  });
});

test.each(['', '[]', 'null', '7', '{"at":3,"of":4}', '{"notes":" ","blockers":{}}'])(
  '%s tells nothing of it',
  (text) => {
    expect(progressClaims(text)).toBeUndefined();
  },
);

test.each([
  ['{"progress":{"at":7,"of":9,"cursor":{"page":3}}}', { at: 7, of: 9, cursor: '{"page":3}' }],
  ['{"at":7,"of":9,"cursor":12,"unit":{}}', { at: 7, of: 9, cursor: '12' }],
  ['{"at":"7","of":"9","unit":"rows","cursor":"id > 7"}', { at: 7, of: 9, unit: 'rows', cursor: 'id > 7' }],
  [`{"at":7,"of":"9 %","unit":"\\u001b","cursor":"${'x'.repeat(1001)}"}`, { at: 7 }],
  ['{"progress":"half","at":7,"cursor":null}', { at: 7 }],
] as const)('of the place in %s all is taken that can be used', (text, place) => {
  expect(progressEvent(text)).toEqual({ type: 'progress-moved', ...place });
});

test.each(['{"of":9}', '{"at":"seven","of":9}', '{"at":-1}', '{"at":7.5}', '[7]'])(
  '%s tells no place',
  (text) => {
    expect(progressEvent(text)).toBeUndefined();
  },
);
