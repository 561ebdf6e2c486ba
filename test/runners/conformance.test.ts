/** Every runner keeps every sentence of the port, with agents that behave and that do not. */
import { describe, expect, test } from 'vitest';
import { runnerCases, runRunnerConformance } from '../../src/conformance/index.ts';
import { openRunnerScratch, runnerKinds } from './scratch.ts';

describe.skipIf(process.platform !== 'linux').each(runnerKinds)('a runner of the kind %s', (kind) => {
  test.each(runnerCases)('$id $title', async (one) => {
    const { id, title } = one;
    expect(await runRunnerConformance(openRunnerScratch(kind), [one])).toEqual([{ id, title, ok: true }]);
  });
});
