import { expect, test } from 'vitest';
import { unwatchedNames } from './unwatched-words.ts';

test('files are named, and folders with several of them are counted', () => {
  expect(unwatchedNames({ changed: ['.env', 'dist/a.js', 'dist/b.js', 'out/c.js'], left: 0 })).toBe(
    '.env, dist/ (2 files), out/c.js',
  );
  expect(unwatchedNames({ changed: [], left: 5 })).toBe('');
});

test('what is beyond a readable list, and beyond what was looked at, is counted', () => {
  const changed = Array.from({ length: 25 }, (_, i) => `${i}.log`);
  expect(unwatchedNames({ changed, left: 7 })).toMatch(
    /^0\.log, .*, 19\.log, 5 more, perhaps some of 7 that nobody looked at$/,
  );
});
