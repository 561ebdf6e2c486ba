/** What was measured over all sessions, as data and as a table. No word of a session is in either. */
import { quantile } from '../statistics.ts';
import { summaryFields, type Capture, type Captures } from './captures.ts';
import type { Answer, Briefed } from './child.ts';
import { commonWords, recallOf, type SummaryField } from './recall.ts';

export interface Row {
  readonly capture: Capture;
  readonly answer: Answer;
}

interface AtBudget {
  readonly budget: number;
  readonly tokens: Quantiles;
  readonly over: number;
  readonly said: number;
  readonly foreign: number;
  readonly foreignSessions: number;
  /** Share of the sessions in which every message is told. */
  readonly allTold: number;
  readonly messagesTold: number;
  readonly filesListed: number;
  /** Of the sessions that edited a file, the share in which every one is listed. */
  readonly allListed: number;
  readonly recall: Readonly<Record<SummaryField, { readonly mean: number; readonly sessions: number }>>;
}

interface Quantiles {
  readonly p50: number;
  readonly p90: number;
  readonly max: number;
}

export interface Report {
  readonly seed: number;
  readonly files: number;
  readonly sessions: number;
  /** Left out of them. */
  readonly subagents: number;
  readonly captures: number;
  readonly accepted: number;
  readonly byProgram: Readonly<Record<string, number>>;
  /** By reason, for how many. */
  readonly refused: Readonly<Record<string, number>>;
  readonly limitMs: number;
  readonly ms: Quantiles;
  readonly cpuMs: Quantiles;
  readonly messages: number;
  readonly edited: number;
  readonly budgets: readonly AtBudget[];
}

export interface Asked {
  readonly seed: number;
  readonly budgets: readonly number[];
  readonly limitMs: number;
}

export function reportOf(
  captures: Captures,
  rows: readonly Row[],
  { seed, budgets, limitMs }: Asked,
): Report {
  const accepted = rows.flatMap(({ capture, answer }) =>
    'briefed' in answer ? [{ capture, briefed: answer.briefed }] : [],
  );
  const longest = accepted.filter(({ capture }) => capture.isLongest);
  return {
    seed,
    files: captures.files,
    sessions: captures.sessions,
    subagents: captures.subagents,
    captures: rows.length,
    accepted: accepted.length,
    byProgram: tally(rows.map(({ capture }) => capture.program ?? 'unknown')),
    refused: tally(rows.flatMap(({ answer }) => ('refused' in answer ? [answer.refused] : []))),
    limitMs,
    ms: quantiles(accepted.map(({ briefed }) => briefed.ms)),
    cpuMs: quantiles(accepted.map(({ briefed }) => briefed.cpuMs)),
    messages: sum(longest.map(({ briefed }) => briefed.messages)),
    edited: sum(longest.map(({ briefed }) => briefed.edited)),
    budgets: budgets.map((budget, at) => atBudget({ budget, at }, accepted, longest)),
  };
}

interface Accepted {
  readonly capture: Capture;
  readonly briefed: Briefed;
}

function atBudget(
  { budget, at }: { readonly budget: number; readonly at: number },
  accepted: readonly Accepted[],
  longest: readonly Accepted[],
): AtBudget {
  const all = longest.flatMap(({ briefed }) => {
    const made = briefed.made[at];
    return made === undefined ? [] : [{ ...briefed, ...made }];
  });
  const summed = accepted.flatMap(({ capture: { summary }, briefed }) =>
    summary === null ? [] : [{ summary, text: briefed.made[at]?.text ?? '' }],
  );
  const common = commonWords(summed.map(({ summary }) => summary));
  const recall = (field: SummaryField): { mean: number; sessions: number } => {
    const parts = summed.flatMap(({ summary, text }) => recallOf(summary[field], text, common) ?? []);
    return { mean: part(sum(parts), parts.length), sessions: parts.length };
  };
  const editing = all.filter(({ edited }) => edited > 0);
  const messages = sum(all.map((one) => one.messages));
  const edited = sum(all.map((one) => one.edited));
  return {
    budget,
    tokens: quantiles(all.map(({ tokens }) => tokens)),
    over: all.filter(({ tokens }) => tokens > budget).length,
    said: sum(all.map(({ said }) => said)),
    foreign: sum(all.map(({ foreign }) => foreign.length)),
    foreignSessions: all.filter(({ foreign }) => foreign.length > 0).length,
    allTold: part(all.filter(({ untold }) => untold.length === 0).length, all.length),
    messagesTold: part(messages - sum(all.map(({ untold }) => untold.length)), messages),
    filesListed: edited - sum(all.map(({ unlisted }) => unlisted.length)),
    allListed: part(editing.filter(({ unlisted }) => unlisted.length === 0).length, editing.length),
    recall: Object.fromEntries(summaryFields.map((field) => [field, recall(field)])) as AtBudget['recall'],
  };
}

function tally(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names.toSorted()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function part(of: number, all: number): number {
  return all === 0 ? 1 : of / all;
}

function quantiles(values: readonly number[]): Quantiles {
  return { p50: quantile(values, 0.5), p90: quantile(values, 0.9), max: quantile(values, 1) };
}

const toldMin = 0.96;

export function markdown(report: Report): string {
  const { budgets, limitMs, ms, cpuMs } = report;
  const lines = [
    [
      'sessions, captures measured, accepted',
      `${report.sessions}, ${report.captures}, ${report.accepted}`,
      'all',
    ],
    ['left out: sessions of agents that an agent started', `${report.subagents}`, ''],
    ['captures by program', listed(report.byProgram), ''],
    ['refused', listed(report.refused) || 'none', 'none'],
    ['time, p50 · p90 · max', spread(ms, seconds), `≤ ${seconds(limitMs)}`],
    ['processor time, p50 · p90 · max', spread(cpuMs, seconds), ''],
    ...budgets.flatMap((at) => linesAt(at, report)),
  ];
  return [
    `Seed ${report.seed}.`,
    '',
    '| Measure | Result | Target |',
    '|---|---|---|',
    ...lines.map((line) => `| ${line.join(' | ')} |`),
    '',
  ].join('\n');
}

function linesAt(at: AtBudget, { messages, edited }: Report): string[][] {
  const k = `${at.budget / 1000}k`;
  return [
    [`${k}: tokens, p50 · p90 · max`, spread(at.tokens, (value) => `${Math.round(value)}`), `≤ ${at.budget}`],
    [
      `${k}: lines given as a user’s that no human record holds`,
      `${at.foreign} of ${at.said}, in ${at.foreignSessions} sessions`,
      '0',
    ],
    [`${k}: sessions in which every message of people is told`, percent(at.allTold), `≥ ${percent(toldMin)}`],
    [`${k}: messages told`, `${percent(at.messagesTold)} of ${messages}`, ''],
    [
      `${k}: edited files listed`,
      `${at.filesListed} of ${edited}; all of them in ${percent(at.allListed)} of sessions`,
      'all',
    ],
    [
      `${k}: recall of summaries: ${summaryFields.join(' · ')}`,
      summaryFields.map((field) => percent(at.recall[field].mean)).join(' · '),
      '',
    ],
    [
      `${k}: summaries with such a field`,
      summaryFields.map((field) => `${at.recall[field].sessions}`).join(' · '),
      '',
    ],
  ];
}

function listed(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name.replaceAll('|', '/')} ${count}`)
    .join(', ');
}

function spread({ p50, p90, max }: Quantiles, show: (value: number) => string): string {
  return [p50, p90, max].map(show).join(' · ');
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

function percent(value: number): string {
  return `${(value * 100).toFixed(1)} %`;
}
