/** Trees and integration over git keep every sentence of their ports. */
import { describe, expect, test } from 'vitest';
import { allTreesCases, runTreesConformance } from '../../src/conformance/index.ts';
import { treesScratch } from './scratch.ts';

describe('trees over git', () => {
  test.each(allTreesCases)('$id $title', async (one) => {
    const { id, title } = one;
    expect(await runTreesConformance(treesScratch(), [one])).toEqual([{ id, title, ok: true }]);
  });
});
