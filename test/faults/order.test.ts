import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runChild } from '../crash/run-child.ts';
import { sampleEnvironment } from '../support/sample.ts';
import { notProven } from './not-proven.ts';
import { buildShim, shimEnvironment } from './shim.ts';

const folder = mkdtempSync(join(tmpdir(), 'staffetta-order-'));
const shim = buildShim(folder);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

if (shim === undefined)
  notProven(
    'that an acknowledged write is synced',
    'there is no C compiler here to build test/faults/shim.c',
  );

test.skipIf(shim === undefined)('P2: when a verb returns, everything it wrote has been synced', async () => {
  const program = join(import.meta.dirname, 'order-child.ts');
  const ended = await runChild(program, [folder], {
    ...shimEnvironment(shim ?? '', `/${basename(folder)}/`),
    ...sampleEnvironment(),
  });
  expect(ended.stderr).toBe('');
  const { early, syncs, verbs } = JSON.parse(ended.stdout) as {
    early: string[];
    syncs: number;
    verbs: number;
  };
  expect(early).toEqual([]);
  // A trace without syncs would prove nothing.
  expect(syncs).toBeGreaterThanOrEqual(verbs);
  console.log(`order: ${syncs} syncs in ${verbs} verbs, none of them too late`);
});
