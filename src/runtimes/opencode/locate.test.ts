import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { databasePath, programData, locateOpencode } from './locate.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'opencode-locate-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('the data folder follows XDG_DATA_HOME, then HOME', () => {
  expect(programData({ XDG_DATA_HOME: '/data', HOME: '/home/dev' })).toBe('/data/opencode');
  expect(programData({ XDG_DATA_HOME: '', HOME: '/home/dev' })).toBe('/home/dev/.local/share/opencode');
  expect(programData({ XDG_DATA_HOME: 'relative', HOME: '/home/dev' })).toBe(
    '/home/dev/.local/share/opencode',
  );
});

test('OPENCODE_DB names another database, relative to the data folder', () => {
  expect(databasePath({ HOME: '/home/dev' })).toBe('/home/dev/.local/share/opencode/opencode.db');
  expect(databasePath({ HOME: '/home/dev', OPENCODE_DB: 'other.db' })).toBe(
    '/home/dev/.local/share/opencode/other.db',
  );
  expect(databasePath({ HOME: '/home/dev', OPENCODE_DB: '/tmp/other.db' })).toBe('/tmp/other.db');
});

test('neither program nor data is nothing', () => {
  expect(locateOpencode({ HOME: folder, PATH: folder })).toBeNull();
});

test('the program is the first on the PATH that can be run', () => {
  const [early, late] = [join(folder, 'early'), join(folder, 'late')];
  for (const bin of [early, late]) {
    mkdirSync(bin);
    writeFileSync(join(bin, 'opencode'), '');
  }
  chmodSync(join(late, 'opencode'), 0o755);
  const found = locateOpencode({ HOME: folder, PATH: `relative:${early}:${late}` });
  expect(found).toEqual({ home: join(folder, '.local/share/opencode'), program: join(late, 'opencode') });
});

test('data without a program is an installation whose program is missing', () => {
  const home = join(folder, '.local/share/opencode');
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'opencode.db'), '');
  expect(locateOpencode({ HOME: folder, PATH: '' })).toEqual({ home, program: null });
});
