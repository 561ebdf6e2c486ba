/** The pages are light: all of their script and style, every part that is fetched later included. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const assets = join(import.meta.dirname, '..', 'dist', 'web', 'assets');
if (!existsSync(assets)) throw new Error('The pages are not built: run "npm run build" before these tests.');
const files = readdirSync(assets);

test('all of it together takes at most 120 kB', () => {
  const sizes = files.map((name) => gzipSync(readFileSync(join(assets, name)), { level: 9 }).length);
  expect(sizes.length).toBeGreaterThan(3);
  expect(sizes.reduce((all, one) => all + one, 0)).toBeLessThanOrEqual(120_000);
});
