/** What many tasks have in common is stored once, and writers of it do not stand in line. */
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { noon, prose, sampleAppend, sampleTask } from '../../src/conformance/sample.ts';
import { digestOf } from '../../src/core/journal/digest.ts';
import { openStore } from '../../src/compose/open-store.ts';
import { postgresSpace, postgresUrl } from '../support/postgres.ts';

test('an append of content that was put as late waits for nobody who holds its row', async () => {
  await using space = await postgresSpace();
  const store = await openStore(space.address, { create: true });
  const other = new Client({ connectionString: await postgresUrl() });
  await other.connect();
  try {
    const shared = prose(3000);
    await store.blobs.put(shared, noon);
    await other.query('BEGIN');
    const schema = `staffetta_${new URL(space.url).searchParams.get('space') ?? ''}`;
    const held = await other.query(`SELECT 1 FROM ${schema}.blob FOR NO KEY UPDATE`);
    expect(held.rowCount).toBe(1);
    const append = sampleAppend(sampleTask(1), 0, { at: noon, blobs: [shared] });
    expect(await store.journal.append(append)).toEqual({ stored: true });
    expect(await store.blobs.put(shared, noon)).toBe(digestOf(shared));
  } finally {
    await other.end();
    await store.close();
  }
});
