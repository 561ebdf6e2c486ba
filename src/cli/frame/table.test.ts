import { expect, test } from 'vitest';
import { table } from './table.ts';
import { displayWidth } from './width.ts';

const header = ['TASK', 'WHO', 'TITLE'];
const unbounded = { width: Number.POSITIVE_INFINITY };

test('columns are as wide as their widest cell, counted as a terminal does', () => {
  expect(table([header, ['t1', '日本', 'one'], ['t2', 'ada', 'two']], unbounded)).toBe(
    ['TASK  WHO   TITLE', 't1    日本  one', 't2    ada   two'].join('\n'),
  );
});

test('no line is longer than the terminal, whatever the cells hold', () => {
  const rows = [header, ['t0123456789ab', 'a'.repeat(64), '題'.repeat(100)], ['t2', '', 'short']];
  for (const width of [60, 80, 100, 200]) {
    const widths = table(rows, { width }).split('\n').map(displayWidth);
    expect(Math.max(...widths)).toBeLessThanOrEqual(width);
  }
});

test('the first column is never cut, and the last keeps room to be read', () => {
  const rows = [['t0123456789ab', 'a'.repeat(64), 'a title that matters']];
  const [line = ''] = table(rows, { width: 60 }).split('\n');
  expect(line).toMatch(/^t0123456789ab {2}a+… {2}a title that matters$/);
});

test('a cell cannot break out of its line', () => {
  const evil = 'a\nb\tc\u001b[2Jd\re';
  expect(table([['t1', evil]], unbounded)).toBe('t1  a b c␛d␍e');
});

function bracketed(cell: string, row: number): string {
  return row === 0 ? `<${cell}>` : cell;
}

test('colours do not disturb the layout', () => {
  expect(
    table(
      [
        ['A', 'B'],
        ['long', 'x'],
      ],
      { ...unbounded, paint: bracketed },
    ),
  ).toBe('<A   >  <B>\nlong  x');
});

test('rows may be shorter than others, and there may be none', () => {
  expect(table([['a', 'b'], ['c']], unbounded)).toBe('a  b\nc');
  expect(table([], unbounded)).toBe('');
});
