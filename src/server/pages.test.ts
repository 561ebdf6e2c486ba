import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isPlace, linkTarget, readPages } from './pages.ts';

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'staffetta-pages-'));
  mkdirSync(join(folder, 'assets'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

test('a file is found by its exact address and by no other', () => {
  const pages = readPages(folderWith({ 'index.html': '<p>', 'assets/a-1.js': '1', 'favicon.svg': '<svg/>' }));
  expect(Buffer.from(pages?.file('/assets/a-1.js')?.bytes ?? []).toString()).toBe('1');
  for (const path of ['/index.html', '/assets', '/assets/', '/assets/../favicon.svg', '//favicon.svg', '/'])
    expect([path, pages?.file(path)]).toEqual([path, undefined]);
});

test('what is named by its content may be kept for ever, the page itself never', () => {
  const pages = readPages(folderWith({ 'index.html': '<p>', 'assets/a-1.js': '1' }));
  expect(pages?.file('/assets/a-1.js')?.headers['Cache-Control']).toContain('immutable');
  expect(pages?.index.headers['Cache-Control']).toBe('no-store');
});

test('the page loads only from its own server and puts no text in as markup unseen', () => {
  const policy = readPages(folderWith({ 'index.html': '<p>' }))?.index.headers['Content-Security-Policy'];
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("require-trusted-types-for 'script'");
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
});

test('without pages, or without the first of them, there are none', () => {
  expect(readPages(join(tmpdir(), 'staffetta-no-such-folder'))).toBeUndefined();
  expect(readPages(folderWith({ 'assets/a.js': '' }))).toBeUndefined();
});

test('places are known by their beginning', () => {
  for (const path of ['/', '/tasks/t1', '/reviews', '/search', '/board', '/overview'])
    expect(isPlace(path)).toBe(true);
  for (const path of ['/api/tasks', '/tasksy', '/metrics', '/sign-in']) expect(isPlace(path)).toBe(false);
});

test('a link leads nowhere but to a place of the control room', () => {
  expect(linkTarget('/tasks/t4k9')).toBe('/tasks/t4k9');
  for (const given of [
    undefined,
    '',
    '//evil.example',
    '/tasks/../api',
    'https://evil.example',
    '/\\evil',
    '/api/tasks',
  ])
    expect([given, linkTarget(given)]).toEqual([given, '/']);
});
