/**
 * Watches the order of writes and syncs of each scenario. Runs with the shim loaded. Prints what was acknowledged before it was on disk.
 *
 *   node order-child.ts <folder>
 */
import { dirname, join } from 'node:path';
import { scenarios } from '../crash/scenarios.ts';
import { copyTemplate, makeTemplate, openStage, sayNow } from '../crash/stage.ts';
import { sample } from '../support/sample.ts';
import { resetCounts, trace, type TracedCall } from './shim.ts';

const [folder = ''] = process.argv.slice(2);
const early: string[] = [];
let syncs = 0;
const rollback = sample('writes watched with a rollback journal', scenarios, { oneIn: 8 });
const watched = [
  ...scenarios.map((scenario) => ({ scenario, journal: 'log' as const })),
  ...rollback.map((scenario) => ({ scenario, journal: 'rollback' as const })),
];
for (const [i, { scenario, journal }] of watched.entries()) {
  await makeTemplate(scenario, join(folder, `${i}`), journal);
  const at = join(folder, `${i}-watched`);
  copyTemplate(join(folder, `${i}`), at);
  resetCounts();
  const staffetta = await openStage(scenario, at);
  await scenario.act({ staffetta, folder: at, acknowledge: () => {} });
  // Here the caller was told. Closing the store may write and sync more, and must not be needed.
  const calls = trace();
  await staffetta.close();
  syncs += calls.filter(({ kind }) => kind === 'sync').length;
  early.push(...unsynced(calls).map((what) => `${scenario.name} (${journal}): ${what}`));
}
sayNow(JSON.stringify({ early, syncs, verbs: watched.length }));

/** What a power cut could take: contents after a write, names after a creation or a renaming, each until the next sync of its file or folder. */
function unsynced(calls: readonly TracedCall[]): string[] {
  const pending = new Map<string, string>();
  const committed = new Set<string>();
  for (const { kind, path } of calls) {
    // The index of the log is rebuilt from the log; the bell that an effect rings is the world outside.
    if (path.endsWith('-shm') || path.endsWith('/bell')) continue;
    // Marks of what runs now: with the machine, what they speak of is gone too.
    if (path.includes('.db.runs')) continue;
    // Without a log, SQLite cuts off what lies behind a smaller database once its commit is done: no part of it, on disk or not.
    if (kind === 'unlink' && path.endsWith('-journal')) committed.add(path.slice(0, -'-journal'.length));
    if (kind === 'truncate' && committed.has(path) && !pending.has(path)) continue;
    if (kind === 'sync' || kind === 'unlink') pending.delete(path);
    else if (kind === 'write' || kind === 'truncate') pending.set(path, `${kind} of ${path}`);
    else if (kind === 'create' || kind === 'rename')
      pending.set(dirname(path), `${kind} in ${dirname(path)}`);
    // A rollback journal that comes back undoes what was committed.
    if (kind === 'unlink' && path.endsWith('-journal')) pending.set(dirname(path), `${kind} of ${path}`);
  }
  return [...pending.values()];
}
