/** What the pictures of the benchmarks say is what the table says. */
import { expect, test } from 'vitest';
import { drawCurves } from '../bench/draw/curves.ts';
import { drawRatios, ratioOf } from '../bench/draw/ratios.ts';
import type { Line } from '../bench/section.ts';

const line = (target: string, result: string, spread = ''): Line => ({
  measure: '`a` over b',
  target,
  result,
  spread,
  verdict: 'met',
});

test('a ratio is shown over its target, and less is better both ways', () => {
  expect(ratioOf(line('≤ 2× of c', '1.50×', '1.00×–3.00×'))).toMatchObject({
    value: 0.75,
    low: 0.5,
    high: 1.5,
  });
  expect(ratioOf(line('≥ 20× smaller', '40.0×', '10.0×–80.0×'))).toMatchObject({
    value: 0.5,
    low: 0.25,
    high: 2,
  });
  expect(ratioOf(line('≤ 5 %', '7.5 %'))).toMatchObject({ value: 1.5, low: 1.5, high: 1.5 });
});

test('what is no ratio is not drawn as one', () => {
  for (const one of [
    line('< 400 ms', '300 ms'),
    line('', '1.5×'),
    line('≤ 2×', 'NOT MEASURED: no'),
    line('0', '0'),
  ])
    expect(ratioOf(one)).toBeUndefined();
});

test('words from a table cannot break out of the picture', () => {
  const ratio = { measure: '<script>"&', value: 1, low: 1, high: 1, shown: '</svg>' };
  const svg = drawRatios([ratio]);
  expect(svg).toContain('&lt;script>');
  expect(svg.match(/<\/svg>/g)).toHaveLength(1);
});

test('a curve ends with its name and its last value', () => {
  const svg = drawCurves({
    file: 'x',
    title: 'Growth',
    across: 'hops',
    unit: (value) => `${value} B`,
    curves: [
      {
        name: 'ours',
        kind: 'ours',
        points: [
          [1, 10],
          [500, 1000],
        ],
      },
    ],
  });
  expect(svg).toContain('>ours</text>');
  expect(svg).toContain('>1000 B</text>');
  expect(svg).not.toContain('NaN');
});
