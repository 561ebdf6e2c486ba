/** A disk without room: a user who runs out of it can still see who holds what, and carry it away. */
import { spawnSync } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openStaffetta } from '../../src/library/staffetta.ts';
import { notProven } from '../faults/not-proven.ts';
import { newFolder, staffetta } from './command.ts';

const disks: string[] = [];
afterAll(() => {
  for (const disk of disks) {
    spawnSync('umount', ['-l', disk]);
    rmSync(disk, { recursive: true, force: true });
  }
});

/** A file system of its own, of a megabyte and a half. */
function smallDisk(): string | undefined {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'staffetta-small-')));
  disks.push(folder);
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1500k', 'tmpfs', folder]);
  return status === 0 ? folder : undefined;
}

const small = [smallDisk(), smallDisk(), smallDisk(), smallDisk()];
const [read = '', shared = '', logged = '', lasting = ''] = small;
const mounted = small.every((disk) => disk !== undefined);
if (!mounted)
  notProven(
    'that a store on a full disk can be read',
    'a small file system cannot be mounted here (that takes root)',
  );

function fill(disk: string): void {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(join(disk, 'ballast'), Buffer.alloc(bavail * bsize, 1));
  expect(statfsSync(disk).bavail).toBe(0);
}

function makeRoom(disk: string): void {
  rmSync(join(disk, 'ballast'));
}

const ada = { name: 'ada', lane: 'execute' } as const;

describe.skipIf(!mounted)('a store on a full disk', () => {
  test('is listed, shown, verified and carried away, refuses changes, and takes them when there is room', async () => {
    const store = join(read, 'store.db');
    const run = async (...args: readonly string[]) =>
      await staffetta([...args, '--store', store], { cwd: read });
    const relay = await openStaffetta({ gate: 'record', store, as: ada });
    const { task } = await relay.begin({ goal: 'The fence stands.' });
    await relay.close();
    fill(read);
    const elsewhere = newFolder();
    const copy = join(elsewhere, 'copy.db');
    for (const command of [
      ['ls'],
      ['show', task],
      ['log', task],
      ['history', task],
      ['verify'],
      ['recover', '--dry-run'],
      [],
      ['backup', copy],
      ['export', task, '--out', join(elsewhere, 'task.ndjson')],
    ]) {
      const { status, stderr } = await run(...command);
      expect(status, `${command.join(' ')}: ${stderr}`).toBe(0);
    }
    expect((await run('ls')).stdout).toContain(task);
    const copied = await staffetta(['ls', '--store', copy], { cwd: elsewhere });
    expect(copied.stdout).toContain(task);
    const refused = await run('note', task, 'no room', '--as', 'ada', '--json');
    expect(refused.json).toMatchObject({
      error: { code: 'store-full', hint: expect.stringMatching(/^Nothing was acknowledged\./) as string },
    });
    expect(readdirSync(read).filter((name) => name.endsWith('.new'))).toEqual([]);
    makeRoom(read);
    expect((await run('note', task, 'room', '--as', 'ada')).status).toBe(0);
    expect((await run('verify')).status).toBe(0);
    expect((await run('log', task)).stdout).not.toContain('no room');
  });

  test('is read beside somebody who has it open', async () => {
    const store = join(shared, 'store.db');
    const relay = await openStaffetta({ gate: 'record', store, as: ada });
    const { task } = await relay.begin({ goal: 'The fence stands.' });
    fill(shared);
    const listed = await staffetta(['ls', '--store', store], { cwd: shared });
    expect(listed.stdout).toContain(task);
    expect((await relay.show(task)).task).toBe(task);
    await relay.close();
  });

  test('is read with the log that a crash left beside it, which is kept', async () => {
    const store = join(logged, 'store.db');
    const relay = await openStaffetta({ gate: 'record', store, as: ada });
    const { task } = await relay.begin({ goal: 'In the log alone.' });
    const [file, log] = [readFileSync(store), readFileSync(`${store}-wal`)];
    await relay.close();
    writeFileSync(store, file);
    writeFileSync(`${store}-wal`, log);
    fill(logged);
    const run = async (...args: readonly string[]) =>
      await staffetta([...args, '--store', store], { cwd: logged });
    for (let n = 0; n < 2; n += 1) expect((await run('show', task)).stdout).toContain('In the log alone.');
    makeRoom(logged);
    expect((await run('verify')).status).toBe(0);
    expect((await run('show', task)).stdout).toContain('In the log alone.');
  });

  test('is open to others between two calls, and shared again as soon as there is room', async () => {
    const store = join(lasting, 'store.db');
    const before = await openStaffetta({ gate: 'record', store, as: ada });
    const leg = await before.begin({ goal: 'The fence stands.' });
    await before.close();
    fill(lasting);
    const one = await openStaffetta({ gate: 'record', store, as: ada });
    const other = await openStaffetta({ gate: 'record', store, as: ada });
    const looks = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? one : other).show(leg.task));
    expect((await Promise.all(looks)).every(({ status }) => status === 'held')).toBe(true);
    await expect(one.tell(leg.task, 'hello', { as: 'eve' })).rejects.toMatchObject({ code: 'store-full' });
    makeRoom(lasting);
    await one.tell(leg.task, 'hello', { as: 'eve' });
    await other.tell(leg.task, 'and again', { as: 'eve' });
    expect((await one.show(leg.task)).unread).toHaveLength(2);
    await one.close();
    await other.close();
  });
});
