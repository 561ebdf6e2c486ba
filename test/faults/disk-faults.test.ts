/**
 * The n-th write, sync, truncation, rename, removal or creation of a file fails, for every n of each verb, from opening the store to
 * closing it. The verb must succeed or say so in our words, and nothing that it acknowledged may be missing afterwards.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { storeFolder } from '../../src/compose/locate.ts';
import { runChild } from '../crash/run-child.ts';
import { scenarios } from '../crash/scenarios.ts';
import type { FaultReport } from './fault-child.ts';
import { notProven } from './not-proven.ts';
import { buildShim, shimEnvironment } from './shim.ts';

const folder = mkdtempSync(join(tmpdir(), 'staffetta-faults-'));
const shim = buildShim(folder);
const reports: FaultReport[] = [];
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  if (reports.length > 0) summarise();
});

if (shim === undefined)
  notProven('that a failing disk loses nothing', 'there is no C compiler here to build test/faults/shim.c');

describe.skipIf(shim === undefined)('a disk that fails at any call', () => {
  test.concurrent.each(scenarios.map((scenario, index) => [scenario.name, index] as const))(
    '%s succeeds or says what happened',
    async (name, index) => {
      const at = join(folder, `${index}`);
      mkdirSync(at);
      const program = join(import.meta.dirname, 'fault-child.ts');
      const ended = await runChild(program, [name, at], {
        ...shimEnvironment(shim ?? '', `/${storeFolder}`),
        STAFFETTA_FAULTS: process.env['STAFFETTA_FAULTS'] ?? '',
      });
      rmSync(at, { recursive: true, force: true });
      const lines = ended.stdout.trim().split('\n');
      expect(ended.code, `died at "${lines.at(-1)}": ${ended.signal} ${ended.stderr}`).toBe(0);
      const report = JSON.parse(lines.at(-1) ?? '') as FaultReport;
      reports.push(report);
      expect(report.wrong).toEqual([]);
    },
    240_000,
  );
});

function summarise(): void {
  const outcomes: Record<string, number> = {};
  for (const report of reports)
    for (const [code, n] of Object.entries(report.outcomes)) outcomes[code] = (outcomes[code] ?? 0) + n;
  const injected = reports.reduce((sum, report) => sum + report.injected, 0);
  const strides = reports.flatMap((report) => Object.entries(report.strides));
  console.log(
    `disk faults: ${reports.length} verbs, ${injected} faults injected; ended as ${JSON.stringify(outcomes)}; ` +
      `not every call but every n-th: ${strides.map(([kind, n]) => `${kind} ${n}`).join(', ') || 'none'}`,
  );
}
