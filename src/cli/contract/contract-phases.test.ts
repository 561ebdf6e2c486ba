import { expect, test } from 'vitest';
import { grownPhases } from './contract-phases.ts';

test('phases are made in order, with what belongs to each', () => {
  const phases = grownPhases([], {
    phase: ['measure: the rate: in rows', 'import'],
    'phase-accept': ['measure: it stands in rates.md', 'import: all rows', 'import: all rows'],
    'phase-verify': ['import: unit: npm test'],
    'phase-rollback': ['import: git checkout -- "my file"'],
  });
  expect(phases).toEqual([
    { name: 'measure', goal: 'the rate: in rows', criteria: ['it stands in rates.md'] },
    {
      name: 'import',
      criteria: ['all rows'],
      verify: [{ name: 'unit', run: ['npm', 'test'] }],
      rollback: [{ run: ['git', 'checkout', '--', 'my file'] }],
    },
  ]);
});

test('phases that are there keep their place, and a name with a colon is known', () => {
  const there = [{ name: 'step 1: measure' }, { name: 'import', goal: 'old' }];
  expect(
    grownPhases(there, { phase: ['import: new', 'check'], 'phase-accept': ['step 1: measure: x'] }),
  ).toEqual([
    { name: 'step 1: measure', criteria: ['x'] },
    { name: 'import', goal: 'new' },
    { name: 'check' },
  ]);
});

test('what belongs to no phase is refused', () => {
  expect(() => grownPhases([], { 'phase-verify': ['measure: npm test'] })).toThrow(/does not have/);
  expect(() => grownPhases([{ name: 'measure' }], { 'phase-verify': ['measure'] })).toThrow(
    /takes "NAME: …"/,
  );
});
