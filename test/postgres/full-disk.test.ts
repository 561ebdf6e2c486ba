/** The disk under a database is really full: a small one, on which its tables lie. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { openStore } from '../../src/compose/open-store.ts';
import { noise, numbers, sampleAppend, sampleTask } from '../../src/conformance/sample.ts';
import { digestOf } from '../../src/core/journal/digest.ts';
import { storeAddress } from '../../src/home/locate.ts';
import { notProven } from '../faults/not-proven.ts';
import { postgresUrl } from '../support/postgres.ts';
import { otherUser } from '../support/postgres-server.ts';

const disk = mkdtempSync(join(tmpdir(), 'staffetta-pg-full-'));
const user = otherUser();
const options = `size=24m,mode=0700,uid=${user?.uid ?? 0},gid=${user?.gid ?? 0}`;
const isMounted =
  (process.env['STAFFETTA_TEST_PG'] ?? '') === '' &&
  spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', disk]).status === 0;
if (!isMounted)
  notProven(
    'that a full disk of a PostgreSQL server loses nothing',
    'a small file system cannot be mounted for it here (that takes root, and a server of our own)',
  );
const name = `tight_${globalThis.crypto.randomUUID().slice(0, 8)}`;

describe.skipIf(!isMounted)('a server whose disk is full', () => {
  afterAll(async () => {
    try {
      await asAdmin(`DROP DATABASE ${name} WITH (FORCE)`, `DROP TABLESPACE ${name}`);
    } finally {
      spawnSync('umount', ['-l', disk]);
      rmSync(disk, { recursive: true, force: true });
    }
  });

  test('refuses with store-full, keeps what it acknowledged, and goes on when there is room', async () => {
    const ballast = join(disk, 'ballast');
    // Made first: nothing else may lie in the folder that becomes a tablespace.
    await asAdmin(
      `CREATE TABLESPACE ${name} LOCATION '${disk}'`,
      `CREATE DATABASE ${name} TABLESPACE ${name}`,
    );
    writeFileSync(ballast, Buffer.alloc(4 << 20, 1));
    const url = new URL(await postgresUrl());
    url.pathname = `/${name}`;
    const store = await openStore(storeAddress(url.href), { create: true });
    const told: string[] = [];
    let refusal: unknown;
    for (let seq = 0; refusal === undefined; seq += 1) {
      const append = sampleAppend(sampleTask(1), seq, { blobs: [noise(300_000, seq + 1)] });
      try {
        await store.journal.append(append);
        told.push(append.digest);
      } catch (error) {
        refusal = error;
      }
    }
    expect(refusal).toMatchObject({ code: 'store-full' });
    const entries = await store.journal.read(sampleTask(1), 0, 1000);
    expect(entries.map(({ digest }) => digest)).toEqual(told);
    for (const seq of numbers(told.length)) expect(await store.blobs.get(digestAt(seq))).toBeDefined();
    rmSync(ballast);
    expect(await store.journal.append(sampleAppend(sampleTask(1), told.length))).toEqual({ stored: true });
    expect(await store.upkeep.check()).toEqual([]);
    await store.close();
  });
});

function digestAt(seq: number): ReturnType<typeof digestOf> {
  return digestOf(noise(300_000, seq + 1));
}

async function asAdmin(...statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: await postgresUrl() });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
