import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openStaffetta } from '../../src/library/staffetta.ts';
import { isStaffettaError } from '../../src/core/base/error.ts';
import { runChild, type Ended } from '../crash/run-child.ts';
import { notProven } from './not-proven.ts';

const disks: string[] = [];
afterAll(() => {
  for (const disk of disks) {
    // Detached at once, no matter who still looks at it: a busy one could not be removed, and would fail a test that is over.
    spawnSync('umount', ['-l', disk]);
    rmSync(disk, { recursive: true, force: true });
  }
});

/** A file system of its own, of two megabytes. */
function smallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'staffetta-full-'));
  disks.push(folder);
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder]);
  return status === 0 ? folder : undefined;
}

/**
 * What a failure is judged by. A small disk is memory: where memory runs out, the kernel ends the child or calls it another error
 * than a full disk, and that must not be taken for ours.
 */
function circumstances(disk: string, { code, signal, stderr, stdout }: Ended): string {
  const { bavail, blocks, bsize } = statfsSync(disk);
  const pressure = ['/sys/fs/cgroup/memory.events', '/proc/pressure/memory']
    .filter((file) => existsSync(file))
    .map((file) => `${file}: ${readFileSync(file, 'utf8').trim().replaceAll('\n', ', ')}`);
  return [
    `the child ended with code ${code}, signal ${signal}; the last it said:`,
    ...stdout.trim().split('\n').slice(-14),
    ...(stderr === '' ? [] : ['and on stderr:', stderr]),
    `disk: ${bavail * bsize} of ${blocks * bsize} bytes free; memory: ${freemem()} bytes free`,
    ...pressure,
  ].join('\n');
}

const filled = smallDisk();
const full = smallDisk();
const mounted = filled !== undefined && full !== undefined;
if (!mounted)
  notProven('that a full disk loses nothing', 'a small file system cannot be mounted here (that takes root)');

describe.skipIf(!mounted)('a disk that is really full', () => {
  test('refuses, keeps what it has, and goes on when there is room', async () => {
    const folder = filled ?? '';
    writeFileSync(join(folder, 'ballast'), Buffer.alloc(400_000, 1));
    const ended = await runChild(join(import.meta.dirname, 'full-disk-child.ts'), [folder]);
    const told = circumstances(folder, ended);
    expect({ code: ended.code, signal: ended.signal, stderr: ended.stderr }, `as it was: ${told}`).toEqual({
      code: 0,
      signal: null,
      stderr: '',
    });
    const lines = ended.stdout.trim().split('\n');
    const refusals = lines.filter((line) => line.includes('refused'));
    expect(refusals.length, `as it was: ${told}`).toBeGreaterThan(1);
    expect(
      refusals.filter((refusal) => !refusal.endsWith('refused store-full')),
      `as it was: ${told}`,
    ).toEqual([]);
    expect(lines, `as it was: ${told}`).toContain('readable true');
    const staffetta = await openStaffetta({ gate: 'record', store: join(folder, 'store.db') });
    try {
      expect((await staffetta.verify()).faults).toEqual([]);
      const acknowledged = lines.filter((line) => line.startsWith('told '));
      for (const line of acknowledged) {
        const [, task = '', seq = '', digest] = line.split(' ');
        const [stored] = await staffetta.store.journal.read(await staffetta.resolve(task), Number(seq), 1);
        expect(stored?.digest, `${line}\n${told}`).toBe(digest);
      }
      console.log(
        `full disk: ${acknowledged.length} acknowledged entries kept through ${refusals.length} refusals`,
      );
    } finally {
      await staffetta.close();
    }
  });

  test('gets no store, and nothing half-made stays in the way', async () => {
    const folder = full ?? '';
    const ballast = join(folder, 'ballast');
    const { bavail, bsize } = statfsSync(folder);
    writeFileSync(ballast, Buffer.alloc((bavail - 4) * bsize, 1));
    const store = join(folder, 'new', 'store.db');
    const refusal = await openStaffetta({ gate: 'record', store }).then(
      () => 'none',
      (error: unknown) => (isStaffettaError(error) ? error.code : String(error)),
    );
    expect(refusal, `${bavail} blocks of ${bsize} bytes were free before, and all but 4 were taken`).toBe(
      'store-full',
    );
    rmSync(ballast);
    const staffetta = await openStaffetta({ gate: 'record', store });
    await staffetta.open({ goal: 'There is room now.' });
    expect((await staffetta.verify()).faults).toEqual([]);
    await staffetta.close();
  });
});

const still = smallDisk();

describe.skipIf(still === undefined)('a disk that became read-only', () => {
  const folder = still ?? '';
  const store = join(folder, 'store.db');
  const remount = (how: string): void => {
    expect(spawnSync('mount', ['-o', `remount,${how}`, folder]).status).toBe(0);
  };

  test('is still read and verified, and refuses to be written', async () => {
    const before = await openStaffetta({ gate: 'record', store, as: 'ada' });
    const { task } = await before.begin({ goal: 'Read me' });
    await before.close();
    remount('ro');
    try {
      const relay = await openStaffetta({ gate: 'record', store, as: 'ada' });
      expect((await relay.show(task)).terms.title).toBe('Read me');
      expect((await relay.list()).cards).toHaveLength(1);
      expect((await relay.verify()).faults).toEqual([]);
      await expect(relay.tell(task, 'hello', { as: 'eve' })).rejects.toMatchObject({
        code: 'store-readonly',
      });
      await relay.close();
    } finally {
      remount('rw');
    }
    const after = await openStaffetta({ gate: 'record', store, as: 'ada' });
    await after.tell(task, 'hello', { as: 'eve' });
    await after.close();
  });

  test('with a log that nobody can read is refused: the latest changes are in it', async () => {
    const before = await openStaffetta({ gate: 'record', store, as: 'ada' });
    await before.open({ goal: 'In the log' });
    const log = readFileSync(`${store}-wal`);
    await before.close();
    writeFileSync(`${store}-wal`, log);
    remount('ro');
    try {
      await expect(openStaffetta({ gate: 'record', store })).rejects.toSatisfy((error) =>
        isStaffettaError(error),
      );
    } finally {
      remount('rw');
    }
  });
});
