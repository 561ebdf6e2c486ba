/** What the gate found, for people: what is most in the way first, each with its place, its reason and how to mend it. */
import type { Finding, Severity } from '../core/lint/finding.ts';
import { line } from './output.ts';
import { wrap } from './width.ts';

/** The gate lists what concerns the whole task before what concerns one claim; within a severity that order is kept. */
const order: readonly Severity[] = ['error', 'warning', 'note'];
const shownMax = 25;
/** Longer lines are hard to read, however wide the terminal is. */
const widthMax = 100;

export function findingsText(findings: readonly Finding[], width: number): string {
  const sorted = bySeverity(findings);
  const left = sorted.length - shownMax;
  return [
    ...grouped(sorted.slice(0, shownMax)).map((group) => groupText(group, Math.min(width, widthMax))),
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
    return n === 0 ? [] : [`${n} ${severity}${n === 1 ? '' : 's'}`];
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
  const paragraph = (text: string, indent: string, more = indent): string =>
    `${indent}${wrap(line(text), Math.max(20, width - more.length), more)}`;
  const places = group.flatMap(({ path, text }) =>
    group.length === 1 ? [paragraph(text, '    ')] : [paragraph(`${path}: ${text}`, '    ')],
  );
  const place = group.length === 1 ? `, ${line(first.path)}` : '';
  return [
    `  ${first.severity}: ${line(first.rule)}${place}`,
    ...places,
    paragraph(`→ ${first.fix}`, '    ', '      '),
  ].join('\n');
}

const amendments: Readonly<Record<string, string>> = {
  'goal-vague': '--goal "…"',
  'acceptance-missing': '--accept "…"',
  'non-goals-missing': '--non-goal "…"',
  'validation-missing': '--validate "…"',
  'review-owner': '--review human',
};

/** The command that mends what is wrong with a contract; undefined where no option would. */
export function amendCommand(findings: readonly Finding[], task: string): string | undefined {
  const options = [...new Set(findings.flatMap(({ rule }) => amendments[rule] ?? []))];
  return options.length === 0 ? undefined : `staffetta amend ${task} ${options.join(' ')} --why "…"`;
}
