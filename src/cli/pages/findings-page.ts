/** What the gate found, for people: what is most in the way first, each with its place, its reason and how to mend it. */
import { counted } from '../../core/base/counted.ts';
import { mayDirect, type Actor } from '../../core/task/actor.ts';
import type { Finding, Severity } from '../../core/gate/finding.ts';
import type { LegState } from '../../core/task/state.ts';
import { mending } from '../contract/mending.ts';
import { line } from '../frame/output.ts';
import { wrap } from '../frame/width.ts';

/** The gate lists what concerns the whole task before what concerns one claim; within a severity that order is kept. */
const order: readonly Severity[] = ['error', 'warning', 'note'];
const shownMax = 25;
/** Longer lines are hard to read, however wide the terminal is. */
const widthMax = 100;

export function findingsText(findings: readonly Finding[], width: number): string {
  const sorted = bySeverity(findings);
  const left = sorted.length - shownMax;
  return [
    ...grouped(sorted.slice(0, shownMax)).map((group) => groupText(group, width)),
    ...(left > 0 ? [`  and ${left} more, with --json`] : []),
  ].join('\n');
}

export function bySeverity(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
}

/** `2 errors and 1 warning`. */
export function findingCounts(findings: readonly Finding[]): string {
  const parts = order.flatMap((severity) => {
    const n = findings.filter((finding) => finding.severity === severity).length;
    return n === 0 ? [] : [counted(n, severity)];
  });
  const last = parts.pop() ?? 'nothing';
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
}

/** What stands in details of an error, if it is a list of findings. */
export function findingsIn(details: Readonly<Record<string, unknown>> | undefined): readonly Finding[] {
  const found = details?.['findings'];
  return Array.isArray(found) ? (found as readonly Finding[]) : [];
}

/** Several hits of one rule that are mended the same way. */
function grouped(findings: readonly Finding[]): (readonly Finding[])[] {
  const groups: Finding[][] = [];
  for (const finding of findings) {
    const [first] = groups.at(-1) ?? [];
    const same =
      first?.rule === finding.rule && first.fix === finding.fix && first.severity === finding.severity;
    if (same) groups.at(-1)?.push(finding);
    else groups.push([finding]);
  }
  return groups;
}

function groupText(group: readonly Finding[], width: number): string {
  const [first] = group;
  if (first === undefined) return '';
  const places = group.flatMap(({ path, text }) =>
    paragraph(group.length === 1 ? text : `${path}: ${text}`, '    ', { width }),
  );
  const place = group.length === 1 ? `, ${line(first.path)}` : '';
  return [
    `  ${first.severity}: ${line(first.rule)}${place}`,
    ...places,
    paragraph(`→ ${mending(group.length === 1 ? first : { ...first, path: '' })}`, '    ', {
      width,
      more: '      ',
    }),
  ].join('\n');
}

/** Why something was refused, and nothing else: each reason with its way out. */
export function reasonsText(findings: readonly Finding[], width: number): string {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const left = errors.length - shownMax;
  return [
    ...errors
      .slice(0, shownMax)
      .flatMap((finding) => [
        paragraph(finding.text, '  ', { width }),
        paragraph(`→ ${mending(finding)}`, '    ', { width, more: '      ' }),
      ]),
    ...(left > 0 ? [`  and ${left} more, with --json`] : []),
  ].join('\n');
}

function paragraph(
  text: string,
  indent: string,
  { width, more = indent }: { readonly width: number; readonly more?: string },
): string {
  const room = Math.max(20, Math.min(width, widthMax) - more.length);
  return `${indent}${wrap(line(text), room, more)}`;
}

interface Amendment {
  readonly option: string;
  /** Changes what was agreed: for actors that may direct, and for planners. */
  readonly widens?: true;
}

/** Keyed by rule; one that stands in the contract and is wrong has to go: adding another leaves it there. */
const amendments: Readonly<Record<string, Amendment>> = {
  'goal-missing': { option: '--goal "…"', widens: true },
  'gate-missing': { option: '--review human' },
  'acceptance-missing': { option: '--accept "…"' },
  'non-goals-missing': { option: '--non-goal "…"' },
  'validation-missing': { option: '--validate "…"' },
  'review-owner': { option: '--review human' },
  'validation-unrunnable': { option: '--replace --validate "…"', widens: true },
  'reviewer-author': { option: '--review human', widens: true },
};

function commandWith(options: readonly string[], task: string): string | undefined {
  return options.length === 0
    ? undefined
    : `staffetta amend ${task} ${[...new Set(options)].join(' ')} --why "…"`;
}

/** The command that mends what is wrong with a contract; undefined where no option would. */
export function amendCommand(findings: readonly Finding[], task: string): string | undefined {
  return commandWith(
    findings.flatMap((finding) => amendments[finding.rule]?.option ?? []),
    task,
  );
}

const wideners = 'a person, or an agent in the plan or supervise lane';

/** The commands that mend a contract, for the actor that asks: what it may not do itself is named with who may. */
export function amendHints(
  findings: readonly Finding[],
  { task, leg }: { readonly task: string; readonly leg: Pick<LegState, 'holder' | 'lane'> | null },
  asks: Actor,
): string[] {
  const all = amendCommand(findings, task);
  if (all === undefined) return [];
  if (mayDirect(asks)) return [all];
  // An agent that gave it away, or never had it, amends nothing.
  if (leg?.holder.name !== asks.name) return [`a person, or an agent in the supervise lane: ${all}`];
  if (leg.lane === 'plan') return [all];
  const [own, others] = [false, true].map((widens) =>
    commandWith(
      findings
        .flatMap((finding) => amendments[finding.rule] ?? [])
        .filter((amendment) => (amendment.widens === true) === widens)
        .map(({ option }) => option),
      task,
    ),
  );
  return [...(own === undefined ? [] : [own]), ...(others === undefined ? [] : [`${wideners}: ${others}`])];
}
