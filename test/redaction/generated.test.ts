/** Random values of well-known generators in every form: nearly none is left, in any of them. */
import { expect, test } from 'vitest';
import { measureSecrets } from '../../bench/material/secrets.ts';
import { runs } from '../property/seed.ts';

/** One in a hundred, and as much again twice for chance. */
const leftMax = 0.03;

test('of every form nearly all values are taken out', async () => {
  const { seed, numRuns } = runs(12);
  const rows = await measureSecrets({ seed: String(seed), perForm: numRuns });
  const forms = new Map<string, { tried: number; left: number }>();
  for (const { form, tried, left } of rows) {
    const sum = forms.get(form) ?? { tried: 0, left: 0 };
    forms.set(form, { tried: sum.tried + tried, left: sum.left + left });
  }
  expect(forms.size).toBeGreaterThan(50);
  expect([...forms].filter(([, { tried, left }]) => left > leftMax * tried)).toEqual([]);
});
