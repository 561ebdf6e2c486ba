/** The diff that is judged, at a terminal. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openStaffetta } from '../../src/library/staffetta.ts';
import { newRepository, staffetta } from './command.ts';
import { code, stages } from './stage.ts';
import { captured, clean, read, write } from './worked.ts';

describe('the diff of a packet', () => {
  test('is shown as it was stored, with the numbers that a comment takes, whatever the folder holds now', async () => {
    const { folder, task } = await captured();
    clean(folder);
    write(folder, 'limit.js', 'something else\n');
    const { status, stdout } = await staffetta(['diff', task], { cwd: folder });
    expect(status).toBe(0);
    expect(stdout).toContain('limit.js  +1 -1');
    expect(stdout).toContain('\n    -1 - export const limit = 10;\n     1 + export const limit = 20;\n');
    expect(stdout).toContain('notes.txt  new  +1');
    expect(stdout).toContain('old.js  deleted  -1');
    expect(read(folder, 'limit.js')).toBe('something else\n');
  });

  test('has no colour off a terminal, and colour where it is asked for', async () => {
    const { folder, task } = await captured();
    expect((await staffetta(['diff', task], { cwd: folder })).stdout).not.toContain('\u001b');
    const env = { FORCE_COLOR: '1' };
    const forced = await staffetta(['diff', task], { cwd: folder, env });
    expect(forced.stdout).toContain('\u001b[32m+ export const limit = 20;\u001b[39m');
    const never = await staffetta(['diff', task], { cwd: folder, env: { ...env, NO_COLOR: '1' } });
    expect(never.stdout).not.toContain('\u001b');
  });

  test('is narrowed to files and folders, and a path that it does not change is refused', async () => {
    const { folder, task } = await captured();
    const one = await staffetta(['diff', task, './limit.js', '--stat'], { cwd: folder });
    expect(one.stdout).toBe('limit.js  +1 -1\n1 file, 1 line added, 1 removed\n');
    const json = await staffetta(['diff', task, 'notes.txt', '--json'], { cwd: folder });
    expect(json.json).toMatchObject({
      task,
      cut: false,
      files: [
        {
          path: 'notes.txt',
          status: 'added',
          added: 1,
          hunks: [{ lines: [{ mark: '+', text: 'seen', new: 1, old: null }] }],
        },
      ],
    });
    const strange = await staffetta(['diff', task, 'src'], { cwd: folder });
    expect([strange.status, strange.stderr]).toEqual([2, expect.stringContaining('nothing at "src"')]);
  });

  test('of an earlier packet is shown by its digest', async () => {
    const { folder, task } = await captured();
    const shown = await staffetta(['diff', task, '--stat', '--json'], { cwd: folder });
    const packet = String(shown.json['packet']);
    const again = await staffetta(['diff', task, '--packet', packet.slice(7, 17)], { cwd: folder });
    expect(again.stdout).toContain('limit.js  +1 -1');
    const none = await staffetta(['diff', task, '--packet', '000000'], { cwd: folder });
    expect([none.status, none.stderr]).toEqual([3, expect.stringContaining('no packet 000000')]);
  });

  test('is named by review, which lists its files', async () => {
    const { folder, task } = await captured();
    const { stdout, stderr } = await staffetta(['review', task], { cwd: folder });
    expect(stdout).toContain('Changed: 3 files, 2 lines added, 2 removed\n  limit.js  +1 -1\n');
    expect(stderr).toContain(`→ staffetta diff ${task}\n`);
  });

  test('in which nothing changed says so', async () => {
    const { folder, task } = await stages.handedOff();
    const { status, stdout, stderr } = await staffetta(['diff', task], { cwd: folder });
    expect([status, stdout, stderr]).toEqual([0, '', 'Nothing was changed since the last commit.\n']);
  });

  test('of a packet without a workspace is refused', async () => {
    const folder = newRepository();
    const store = join(folder, '.staffetta', 'store.db');
    const relay = await openStaffetta({ store, as: code, gate: 'record' });
    const leg = await relay.begin({ goal: 'A goal.' });
    await leg.handoff({ to: 'anyone', claims: { next: 'go on' } });
    await relay.close();
    const none = await staffetta(['diff', leg.task], { cwd: folder });
    expect([none.status, none.stderr]).toEqual([3, expect.stringMatching(/ has no diff\..*no workspace/s)]);
  });
});
