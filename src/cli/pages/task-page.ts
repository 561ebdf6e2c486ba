import { crewTerms } from '../../core/briefing/from-contract.ts';
import { addedLines, addedTitle } from '../../core/contract/added-terms.ts';
import type { Contract } from '../../core/contract/contract.ts';
import { readiness } from '../../core/packet/readiness.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { OpenQuestion } from '../../handoff/history/remarks.ts';
import { formatAgo } from '../frame/duration.ts';
import { escalationPart } from './escalation.ts';
import { amendedPart, marked, partTitles } from './amended-page.ts';
import { bySeverity } from './findings-page.ts';
import { line, type Output } from '../frame/output.ts';
import { packetPart } from './packet-page.ts';
import { phaseStanding } from './phase-page.ts';
import { pickupParts } from './pickup-page.ts';
import { progressWords } from './progress-words.ts';
import { remarksParts } from './remarks-page.ts';
import { namedCommandWords } from './runs-page.ts';
import { section } from '../frame/section.ts';
import type { TaskView } from '../../handoff/views/task-view.ts';
import { findingText } from '../../core/task/finding-words.ts';
import { answering, standingLine } from './words.ts';

/** A task as a person reads it: what was agreed, how it stands, what waits, what the last agent left. */
export function taskPage(page: TaskView, { paint }: Output, now: number): string {
  const { state, contract, packet } = page;
  const parts = [
    `${paint.bold(state.task)}  ${paint.bold(line(contract.title))}\n${standingLine(state, page.leaseUntil, now)}`,
    escalationPart(state, paint),
    amendedPart(page, paint, now),
    section(paint.warn('Sent back: this must change'), page.findings.map(findingText)),
    sentBackPart(page, paint),
    section(paint.warn('Declined, because'), page.declined),
    section(
      paint.bold('Forked from'),
      state.fork === undefined
        ? undefined
        : [`${state.fork.task} at ${state.fork.packet}: ${state.fork.why}`],
    ),
    section(paint.bold(partTitles.goal), [contract.goal]),
    ...(['acceptance', 'constraints', 'nonGoals', 'protectedPaths'] as const).map((part) =>
      section(paint.bold(partTitles[part]), marked(contract[part], part, page.amended)),
    ),
    ...crewTerms(contract).map(([title, text]) => section(paint.bold(title), [text])),
    section(paint.bold('Proven by'), contract.validation?.map(namedCommandWords)),
    section(paint.warn(addedTitle), addedLines(contract)),
    section(
      paint.bold('Phases'),
      contract.phases?.map((phase) => phaseLine(phase, state)),
    ),
    section(paint.bold('Reviewed by'), reviewLines(contract)),
    section(paint.bold('Waits for'), state.unmet),
    section(
      paint.bold('Messages'),
      page.messages.map(
        (message) => `${message.from}, ${formatAgo(message.at, now)}${answering(message)}: ${message.text}`,
      ),
    ),
    section(
      paint.bold('Open questions'),
      page.questions.map((open) => openQuestionText(open, state.task)),
    ),
    section(
      paint.bad('Effects of unknown outcome'),
      state.effects
        .filter((effect) => effect.unknown)
        .map(
          ({ effect }) =>
            `${effect}\nfind out, then: staffetta settle ${state.task} ${effect} --done (or --failed)`,
        ),
    ),
    state.progress === null ? '' : section(paint.bold('Progress'), [progressText(state.progress)]),
    packet === null
      ? ''
      : packetPart({ packet, contract, number: state.packets || packet.task, now }, { paint }),
    gatePart(page),
    ...pickupParts(page, paint, now),
    ...remarksParts({ state, remarks: page.remarks, now }, paint),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** What a reviewer asked for the last time, and whether anything was done about it. */
function sentBackPart({ sentBack, state }: TaskView, paint: Output['paint']): string {
  if (sentBack === null) return '';
  const times = state.rework === 1 ? 'once' : `${state.rework} times`;
  return section(paint.warn(`Sent back ${times} before; the last time for`), [
    ...sentBack.findings.map(findingText),
    ...(sentBack.unchanged === true ? ['Nothing in the workspace has changed since.'] : []),
  ]);
}

/** What was found in the latest packet when it was sealed. */
function gatePart({ state, gateFindings }: TaskView): string {
  if (gateFindings.length === 0) return '';
  return section(
    `The gate found it ${readiness(state.sealed?.certification ?? 'draft')}`,
    bySeverity(gateFindings).map(
      ({ severity, rule, path, text }) => `${severity}: ${rule}, ${path}: ${text}`,
    ),
  );
}

function reviewLines({ review }: Contract): string[] {
  if (review === undefined) return [];
  const who = review.human === true ? 'a person' : (review.owner ?? 'nobody');
  return [
    review.stop === undefined ? who : `${who}; the work stops at: ${review.stop}`,
    ...policyLines(review.policy),
  ];
}

function policyLines(policy: NonNullable<Contract['review']>['policy']): string[] {
  return [
    ...(policy?.paths ?? []).map((glob) => `only a person, where ${glob} changes`),
    ...(policy?.kinds ?? []).map((kind) => `only a person, where a change is of the kind ${kind}`),
    ...(policy?.diffLinesMax === undefined
      ? []
      : [`only a person, beyond ${policy.diffLinesMax} changed lines`]),
  ];
}

function phaseLine({ name, goal }: NonNullable<Contract['phases']>[number], state: TaskState): string {
  const known = state.phases.find((one) => one.name === name) ?? null;
  return `${name}: ${phaseStanding(known)}${goal === undefined ? '' : `\n${goal}`}`;
}

function openQuestionText({ decision, question, options, owner }: OpenQuestion, task: string): string {
  return [
    `${decision}: ${question}`,
    ...(options.length === 0 ? [] : [`options: ${options.join(' | ')}`]),
    `for ${owner ?? 'a person'} to answer: staffetta decide ${task} TEXT --answer ${decision}`,
  ].join('\n');
}

/** Where to go on. */
function progressText(progress: NonNullable<TaskState['progress']>): string {
  const cursor = progress.cursor === null ? '' : `\nwith: ${progress.cursor}`;
  return `go on at ${progressWords(progress)}${cursor}`;
}
