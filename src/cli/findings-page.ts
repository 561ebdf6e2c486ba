/** What the gate found, for people: what is most in the way first, each with its place, its reason and how to mend it. */
import { counted } from '../core/counted.ts';
import { mayDirect, type Actor } from '../core/actor.ts';
import type { Finding, Severity } from '../core/lint/finding.ts';
import type { Leg } from '../core/state.ts';
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

interface Amendment {
  readonly option: string;
  /** Changes what was agreed: for whoever may direct, and for planners. */
  readonly widens?: true;
}

const amendments: Readonly<Record<string, Amendment>> = {
  'goal-vague': { option: '--goal "…"', widens: true },
  'acceptance-missing': { option: '--accept "…"' },
  'non-goals-missing': { option: '--non-goal "…"' },
  'validation-missing': { option: '--validate "…"' },
  'review-owner': { option: '--review human' },
};

/** One that stands in the contract and is wrong has to go: adding another leaves it there. */
const replacements: Readonly<Record<string, Amendment>> = {
  'validation-missing': { option: '--replace --validate "…"', widens: true },
  'review-owner': { option: '--review human', widens: true },
};

function amendmentOf({ rule, path }: Finding): Amendment | undefined {
  const stands = path === 'contract.review.owner' || path.startsWith('contract.validation[');
  return (stands ? replacements[rule] : undefined) ?? amendments[rule];
}

function commandWith(options: readonly string[], task: string): string | undefined {
  return options.length === 0
    ? undefined
    : `staffetta amend ${task} ${[...new Set(options)].join(' ')} --why "…"`;
}

/** The command that mends what is wrong with a contract; undefined where no option would. */
export function amendCommand(findings: readonly Finding[], task: string): string | undefined {
  return commandWith(
    findings.flatMap((finding) => amendmentOf(finding)?.option ?? []),
    task,
  );
}

/** What of that is not for every holder; empty if it all is. */
function widenings(findings: readonly Finding[]): string[] {
  const widening = findings.flatMap((finding) => amendmentOf(finding) ?? []).filter(({ widens }) => widens);
  return [...new Set(widening.map(({ option }) => option))];
}

const wideners = 'a person, or an agent in the plan or supervise lane';

/** The commands that mend a contract, for whoever asks: what it may not do itself is named with who may. */
export function amendHints(
  findings: readonly Finding[],
  { task, leg }: { readonly task: string; readonly leg: Pick<Leg, 'holder' | 'lane'> | null },
  asks: Actor,
): string[] {
  const all = amendCommand(findings, task);
  if (all === undefined) return [];
  if (mayDirect(asks)) return [all];
  // Whoever gave it away, or never had it, amends nothing any more.
  if (leg?.holder.name !== asks.name) return [`a person, or an agent in the supervise lane: ${all}`];
  if (leg.lane === 'plan') return [all];
  const [own, others] = [false, true].map((widens) =>
    commandWith(
      findings
        .flatMap((finding) => amendmentOf(finding) ?? [])
        .filter((amendment) => (amendment.widens === true) === widens)
        .map(({ option }) => option),
      task,
    ),
  );
  return [...(own === undefined ? [] : [own]), ...(others === undefined ? [] : [`${wideners}: ${others}`])];
}

/** The same in one sentence, where nobody knows who asks. */
export function amendSentence(findings: readonly Finding[], task: string): string {
  const command = amendCommand(findings, task);
  if (command === undefined) return '';
  const widening = widenings(findings);
  const who = widening.length === 0 ? '' : ` (${widening.join(' and ')} by ${wideners})`;
  return `The contract is mended with: ${command}${who}`;
}
