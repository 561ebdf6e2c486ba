import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openStaffetta } from '../../src/compose/staffetta.ts';
import { isStaffettaError } from '../../src/core/error.ts';
import { runChild } from '../crash/run-child.ts';
import { notProven } from './not-proven.ts';

const disks: string[] = [];
afterAll(() => {
  for (const disk of disks) {
    spawnSync('umount', [disk]);
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
    expect(ended.stderr).toBe('');
    expect([ended.code, ended.signal]).toEqual([0, null]);
    const lines = ended.stdout.trim().split('\n');
    const refusals = lines.filter((line) => line.includes('refused'));
    expect(refusals.length).toBeGreaterThan(1);
    for (const refusal of refusals) expect(refusal).toMatch(/refused store-full$/);
    expect(lines).toContain('readable true');
    const staffetta = await openStaffetta({ gate: 'record', store: join(folder, 'store.db') });
    try {
      expect((await staffetta.verify()).faults).toEqual([]);
      const told = lines.filter((line) => line.startsWith('told '));
      for (const line of told) {
        const [, task = '', seq = '', digest] = line.split(' ');
        const [stored] = await staffetta.store.journal.read(await staffetta.resolve(task), Number(seq), 1);
        expect(stored?.digest).toBe(digest);
      }
      console.log(`full disk: ${told.length} acknowledged entries kept through ${refusals.length} refusals`);
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
    await expect(openStaffetta({ gate: 'record', store })).rejects.toSatisfy((error) =>
      isStaffettaError(error, 'store-full'),
    );
    rmSync(ballast);
    const staffetta = await openStaffetta({ gate: 'record', store });
    await staffetta.open({ goal: 'There is room now.' });
    expect((await staffetta.verify()).faults).toEqual([]);
    await staffetta.close();
  });
});
