/** All programs keep every sentence of the port, on sessions that they wrote themselves. */
import { describe, expect, test } from 'vitest';
import { allRuntimeCases, runRuntimeConformance } from '../../src/conformance/index.ts';
import { runtimeScratches } from './scratch/all.ts';

describe.each(runtimeScratches)('$name', ({ open }) => {
  test.each(allRuntimeCases)('$id $title', async (one) => {
    const { id, title } = one;
    expect(await runRuntimeConformance(open, [one])).toEqual([{ id, title, ok: true }]);
  });
});
