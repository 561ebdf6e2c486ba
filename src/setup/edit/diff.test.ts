import { expect, test } from 'vitest';
import { changeText } from './diff.ts';

const numbered = (count: number, mark: string): string[] =>
  Array.from({ length: count }, (_, i) => `${mark}${i + 1}`);

test('a change is told with the lines around it, and where it stands', () => {
  const before = numbered(20, 'l');
  const after = before.toSpliced(9, 1, 'new', 'newer');
  expect(changeText('a.json', `${before.join('\n')}\n`, after.join('\r\n'))).toBe(
    ['--- a.json', '+++ a.json', '@@ line 7 @@', ' l7', ' l8', ' l9', '-l10', '+new', '+newer'].join('\n') +
      '\n l11\n l12\n l13',
  );
  expect(changeText('a', null, 'x\n')).toBe('--- /dev/null\n+++ a\n@@ line 1 @@\n+x');
});

test('what has little left of it is told as one piece', () => {
  const [before, after] = [numbered(900, 'l'), numbered(700, 'm')];
  const lines = changeText('a', ['same', ...before].join('\n'), ['same', ...after].join('\n')).split('\n');
  expect(lines.slice(3, 5)).toEqual(['-same', '-l1']);
  expect(lines).toHaveLength(3 + 901 + 701);
});
