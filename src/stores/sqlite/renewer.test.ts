import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { sampleAppend, sampleTask, appendAll } from '../../conformance/sample.ts';
import { openSqliteStore } from './open.ts';
import { schemaNumber } from './schema.ts';

const leaseMs = 60;
const untouched = 1;

test.each([
  { how: 'a newer program that this one must not write after', newer: 1, renews: false },
  { how: 'a newer program that others may write after', newer: 0, renews: true },
])('a store that was brought up to date by $how: a lease is renewed: $renews', async ({ newer, renews }) => {
  const folder = mkdtempSync(join(tmpdir(), 'staffetta-renewer-'));
  const path = join(folder, 'store.db');
  const store = await openSqliteStore(path, { create: true });
  const beside = new DatabaseSync(path);
  onTestFinished(async () => {
    beside.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const held = { set: { generation: 1, until: untouched } };
  const [task, other] = [sampleTask(1), sampleTask(2)];
  for (const id of [task, other]) await appendAll(store, sampleAppend(id, 0, { lease: held }));
  beside.exec(`PRAGMA user_version = ${schemaNumber + 1};
    UPDATE meta SET value = '${schemaNumber + newer}' WHERE key = 'readable_by'`);

  const kept = store.renewer?.keep({ task, generation: 1, leaseMs, now: Date.now() });
  // The beats of one thread come in turns: when the loss of the other is told, the beat of the first was there.
  const lost = store.renewer?.keep({ task: other, generation: 2, leaseMs, now: Date.now() }).lost;
  await new Promise((resolve) => lost?.addEventListener('abort', resolve));

  const { until } = beside.prepare('SELECT lease_until AS until FROM task WHERE id = ?').get(task) as {
    until: number;
  };
  expect(until > untouched).toBe(renews);
  expect(kept?.lost.aborted).toBe(false);
});
