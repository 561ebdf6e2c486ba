import { describe, expect, test } from 'vitest';
import { folderWithin, runFrom } from './work-folder.ts';

describe('the folder that a session worked in', () => {
  test.each([
    ['/w/repo', '/w/repo/pkg/a', 'pkg/a'],
    ['/w/repo/', '/w/repo/pkg/./a/', 'pkg/a'],
    ['C:\\w\\repo', 'C:\\w\\repo\\pkg\\a', 'pkg/a'],
    ['/', '/pkg', 'pkg'],
    ['/w/repo', '/w/repo', undefined],
    ['/w/repo', '/w/repository/a', undefined],
    ['/w/repo', '/w', undefined],
    ['/w/repo', '/w/repo/../other', undefined],
    ['/w/repo', '/w/repo/a\\b', 'a\\b'],
  ])('from %s, %s is %s', (root, folder, within) => {
    expect(folderWithin(root, folder)).toBe(within);
  });
});

describe('a command that was meant in a folder', () => {
  test('goes there first, from the root', () => {
    expect(runFrom('pkg/a', { run: ['node', 't.js', 'two words'], name: 'unit' })).toEqual({
      run: ["cd pkg/a && node t.js 'two words'"],
      shell: true,
      name: 'unit',
    });
    expect(runFrom('my pkg', { run: ['a || b'], shell: true, timeoutMs: 5 })).toEqual({
      run: ["cd 'my pkg' && (a || b)"],
      shell: true,
      timeoutMs: 5,
    });
  });

  test('is as it was where that is the root', () => {
    const validation = { run: ['npm', 'test'] };
    expect(runFrom(undefined, validation)).toBe(validation);
  });
});
