/**
 * The n-th write, sync, truncation, rename, removal or creation of a file fails, for every n of each verb, from opening the store to
 * closing it; in `npm test` for one in fifteen of every fourth verb, of each at least one of every kind of call to every file. The verb must succeed or say so in our words, and nothing that it acknowledged may be missing afterwards.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { storeFolder } from '../../src/home/locate.ts';
import { runChild } from '../crash/run-child.ts';
import { scenarios } from '../crash/scenarios.ts';
import { isWhole, sample, sampleEnvironment } from '../support/sample.ts';
import type { FaultReport } from './fault-child.ts';
import { notProven } from './not-proven.ts';
import { buildShim, faultKinds, shimEnvironment } from './shim.ts';

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
  test.concurrent.each(sample('verbs on a disk that fails', scenarios, { oneIn: 4 }).map(({ name }) => name))(
    '%s succeeds or says what happened',
    async (name) => {
      const at = mkdtempSync(join(folder, 'verb-'));
      const program = join(import.meta.dirname, 'fault-child.ts');
      const ended = await runChild(program, [name, at], {
        ...shimEnvironment(shim ?? '', `/${storeFolder}`),
        ...sampleEnvironment(),
      });
      rmSync(at, { recursive: true, force: true });
      const lines = ended.stdout.trim().split('\n');
      expect(ended.code, `died at "${lines.at(-1)}": ${ended.signal} ${ended.stderr}`).toBe(0);
      const report = JSON.parse(lines.at(-1) ?? '') as FaultReport;
      reports.push(report);
      expect(report.wrong).toEqual([]);
      // In a whole run nothing but a crowd of calls is thinned out.
      const leftOut = faultKinds.filter((kind) => {
        const least = isWhole && report.calls[kind] <= report.callsMax ? report.calls[kind] : 1;
        return report.tried[kind] < Math.min(least, report.calls[kind]);
      });
      expect(leftOut).toEqual([]);
      expect(report.calls.write + report.calls.sync, 'a disk that is not called cannot fail').toBeGreaterThan(
        0,
      );
    },
    900_000,
  );
});

function summarise(): void {
  const outcomes: Record<string, number> = {};
  for (const report of reports)
    for (const [code, n] of Object.entries(report.outcomes)) outcomes[code] = (outcomes[code] ?? 0) + n;
  const injected = sumOf((report) => report.injected);
  const points = faultKinds.map((kind) => {
    const [tried, calls] = [sumOf((report) => report.tried[kind]), sumOf((report) => report.calls[kind])];
    return `${kind} ${tried} of ${calls}`;
  });
  const thinned = reports.flatMap(({ scenario, tried, calls }) =>
    faultKinds
      .filter((kind) => tried[kind] < calls[kind])
      .map((kind) => `  ${scenario}: ${kind} ${tried[kind]} of ${calls[kind]}`),
  );
  console.log(
    [
      `disk faults: ${reports.length} verbs, ${injected} faults injected; ended as ${JSON.stringify(outcomes)}`,
      `calls that failed at least once: ${points.join(', ')}`,
      thinned.length === 0 ? 'no call was left out' : 'calls left out, because they were too many alike:',
      ...(isWhole ? thinned : ['  most, and others with another seed']),
    ].join('\n'),
  );
}

function sumOf(count: (report: FaultReport) => number): number {
  return reports.reduce((sum, report) => sum + count(report), 0);
}
