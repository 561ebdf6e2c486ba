/** The pages are light: all of their script, every part that is fetched later included. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const assets = join(import.meta.dirname, '..', 'dist', 'web', 'assets');
if (!existsSync(assets)) throw new Error('The pages are not built: run "npm run build" before these tests.');
const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));

test('all script together takes at most 110 kB', () => {
  const sizes = scripts.map((name) => gzipSync(readFileSync(join(assets, name)), { level: 9 }).length);
  expect(sizes.length).toBeGreaterThan(3);
  expect(sizes.reduce((all, one) => all + one, 0)).toBeLessThanOrEqual(110_000);
});
