import { expect, test } from 'vitest';
import { joinedClaims, progressClaims, tellsPhases } from './notes.ts';

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
