import { describe, expect, test } from 'vitest';
import { isLine, nextFile, walked, type Cursor } from './cursor.ts';
import { parseDiff } from '../../../src/core/diff/parse.ts';
import { beginsChange, rowsOf, type Row } from './rows.ts';

const { files } = parseDiff(
  [
    'diff --git a/a b/a\n@@ -1,3 +1,3 @@\n same\n-old\n+new\n same\n',
    'diff --git a/p.png b/p.png\nBinary files a/p.png and b/p.png differ\n',
    'diff --git a/b b/b\n@@ -0,0 +1 @@\n+only\n',
  ].join(''),
);
const rows = files.map((file) => rowsOf(file, false));
const all = { count: files.length, rows: (file: number) => rows[file] ?? [] };

function path(by: 1 | -1, stops: (rows: readonly Row[], at: number) => boolean): string[] {
  const seen: string[] = [];
  let at: Cursor | undefined;
  for (let n = 0; n < 8; n += 1) {
    at = walked(all, at, by, stops);
    seen.push(`${at?.file}:${at?.row}`);
  }
  return seen;
}

describe('the keys', () => {
  test('lead from line to line over files without any, and stay at the last', () => {
    expect(path(1, isLine)).toEqual(['0:1', '0:2', '0:3', '0:4', '2:1', '2:1', '2:1', '2:1']);
    expect(path(-1, isLine)).toEqual(['2:1', '0:4', '0:3', '0:2', '0:1', '0:1', '0:1', '0:1']);
  });

  test('lead from change to change', () => {
    expect(path(1, beginsChange).slice(0, 3)).toEqual(['0:2', '2:1', '2:1']);
  });

  test('pass over what is folded, and go nowhere where nothing is shown', () => {
    const folded = { count: 3, rows: (file: number) => (file === 0 ? [] : all.rows(file)) };
    expect(walked(folded, { file: 0, row: -1 }, 1, isLine)).toEqual({ file: 2, row: 1 });
    expect(walked({ count: 0, rows: () => [] }, undefined, 1, isLine)).toBe(undefined);
    expect(walked({ count: 2, rows: () => [] }, undefined, -1, isLine)).toBe(undefined);
  });

  test('lead from file to file, back to the head of the own one first', () => {
    expect(nextFile(3, undefined, 1)).toEqual({ file: 0, row: -1 });
    expect(nextFile(3, { file: 0, row: 2 }, 1)).toEqual({ file: 1, row: -1 });
    expect(nextFile(3, { file: 1, row: 2 }, -1)).toEqual({ file: 1, row: -1 });
    expect(nextFile(3, { file: 1, row: -1 }, -1)).toEqual({ file: 0, row: -1 });
    expect(nextFile(3, { file: 2, row: -1 }, 1)).toEqual({ file: 2, row: -1 });
    expect(nextFile(0, undefined, 1)).toBe(undefined);
  });
});
