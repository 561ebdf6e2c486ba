import { drawCurves } from './draw/curves.ts';
import { drawRatios, ratioOf } from './draw/ratios.ts';
import type { Line, Section } from './section.ts';

type Facts = readonly (readonly [string, string])[];
const columns = ['measure', 'target', 'result', 'spread', 'verdict'] as const;

/** For the terminal: all measures in one table. */
export function table(sections: readonly Section[]): string {
  const rows = [columns, ...sections.flatMap(({ lines }) => lines.map(cells))];
  const widths = columns.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** For docs/benchmarks.md. */
/** `kept`: what is not measured by this run, and stands at its end. */
export function document(sections: readonly Section[], facts: Facts, kept: string): string {
  return `# Benchmarks

The last table that \`npm run bench\` made. It is a report, not a test: the machine is whatever it is, so what counts are ratios between
things measured by turns in one run. Results are medians; the spread is the middle half of the rounds.

| machine | |
|---|---|
${facts.map(([name, value]) => `| ${name} | ${value} |`).join('\n')}

![Each ratio over its target, with its spread](pictures/ratios.svg)

${sections.map(chapter).join('\n\n')}

${kept}`;
}

/** The pictures that go with it: their names in docs/pictures, and what is in them. */
export function pictures(sections: readonly Section[]): readonly (readonly [string, string])[] {
  const ratios = sections.flatMap(({ lines }) => lines.map(ratioOf)).filter((one) => one !== undefined);
  return [
    ...sections.flatMap(({ curves = [] }) =>
      curves.map((one) => [`${one.file}.svg`, drawCurves(one)] as const),
    ),
    ...(ratios.length === 0 ? [] : [['ratios.svg', drawRatios(ratios)] as const]),
  ];
}

function chapter({ title, lines, notes, curves = [] }: Section): string {
  const rows = lines.map((line) => `| ${cells(line).join(' | ')} |`);
  const parts = [
    `## ${title}`,
    [`| ${columns.join(' | ')} |`, `|${'---|'.repeat(columns.length)}`, ...rows].join('\n'),
  ];
  const drawn = curves.map((one) => `![${one.title}](pictures/${one.file}.svg)`);
  return [...parts, ...drawn, ...notes].join('\n\n');
}

function cells({ measure, target, result, spread, verdict }: Line): string[] {
  return [measure, target, result, spread, verdict === 'missed' ? 'MISSED' : verdict];
}
