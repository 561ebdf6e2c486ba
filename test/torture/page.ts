import type { Trial, Tried } from './trial.ts';

export interface Report {
  readonly trial: Trial;
  readonly tried: Tried;
  readonly seconds: number;
}

/** docs/reliability.md, from what one run of `npm run torture` counted. */
export function page(reports: readonly Report[], run: readonly (readonly [string, string])[]): string {
  return `# Reliability

What was tried against the promises of [protocol.md](protocol.md#what-is-promised), how often, and what was found. The figures are those of one run of

\`\`\`sh
npm run torture
\`\`\`

which wrote this page. It takes its time; \`npm run torture -- --minutes 600\` goes on for as long as you like, \`--seed N\` repeats the choices of a run (not its timing),
\`--only NAME\` runs one trial. A shorter piece of each trial is part of \`npm test\`, which takes a part of equal points, another one with each seed; here all of them are tried, however long that takes.

| this run | |
|---|---|
${run.map(([name, value]) => `| ${name} | ${value} |`).join('\n')}

| trial | tried | found |
|---|---|---|
${reports.map(summaryRow).join('\n')}

${reports.map(chapter).join('\n\n')}
`;
}

function summaryRow({ trial, tried }: Report): string {
  return `| [${trial.name}](#${anchor(trial.name)}) | ${tried.notProven === undefined ? tried.total : 'NOT PROVEN'} | ${found(tried)} |`;
}

function found({ faults, notProven }: Tried): string {
  if (notProven !== undefined) return notProven;
  return faults.length === 0 ? 'nothing' : `**${faults.length} faults**`;
}

function chapter({ trial, tried, seconds }: Report): string {
  const rows = tried.counts.map(([what, times]) => `| ${what} | ${grouped(times)} |`);
  return [
    `## ${trial.name}`,
    `${trial.promise}.`,
    `${trial.how}. ${Math.round(seconds)} s.`,
    ...(rows.length === 0 ? [] : [['| what | times |', '|---|---|', ...rows].join('\n')]),
    ...(tried.faults.length === 0
      ? []
      : [
          tried.faults
            .slice(0, 20)
            .map((fault) => `- ${fault}`)
            .join('\n'),
        ]),
  ].join('\n\n');
}

function anchor(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
}

function grouped(n: number): string {
  return n.toLocaleString('en');
}
