import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { storeAddress } from '../home/locate.ts';
import { openStore } from './open-store.ts';

let folder: string;
let path: string;
let ignore: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'staffetta-open-'));
  path = join(folder, 'a', 'b', '.staffetta', 'store.db');
  ignore = join(folder, 'a', 'b', '.staffetta', '.gitignore');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function opened(create = true): Promise<void> {
  await (await openStore(storeAddress(path), { create })).close();
}

function ignored(): string {
  return readFileSync(ignore, 'utf8');
}

test('a new store is private and keeps itself out of git, however many folders had to be made', async () => {
  await opened();
  expect(ignored()).toBe('*\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'a', 'b', '.staffetta')).mode & 0o777).toBe(0o700);
});

test.each(['', '*'])('an ignore file that a crash cut short is written again: %o', async (left) => {
  mkdirSync(join(folder, 'a', 'b', '.staffetta'), { recursive: true });
  writeFileSync(ignore, left);
  await opened();
  expect(ignored()).toBe('*\n');
  writeFileSync(ignore, left);
  await opened();
  expect(ignored()).toBe('*\n');
});

test('an ignore file that somebody changed or took away stays so', async () => {
  await opened();
  writeFileSync(ignore, '*\n!notes.md\n');
  await opened();
  expect(ignored()).toBe('*\n!notes.md\n');
  rmSync(ignore);
  await opened();
  expect(() => ignored()).toThrow('ENOENT');
});

test('a store whose creation was cut short is created', async () => {
  mkdirSync(join(folder, 'a', 'b', '.staffetta'), { recursive: true });
  writeFileSync(path, '', { mode: 0o644 });
  await expect(opened(false)).rejects.toMatchObject({ code: 'store-missing' });
  await opened();
  expect(statSync(path).size).toBeGreaterThan(0);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
