import type { Contract } from '../core/contract.ts';
import type { TaskState } from '../core/state.ts';
import type { OpenQuestion } from '../handoff/remarks.ts';
import { formatAgo } from './duration.ts';
import { escalationPart } from './escalation.ts';
import { line, type Output } from './output.ts';
import { packetPart } from './packet-page.ts';
import { pickupParts } from './pickup-page.ts';
import { remarksParts } from './remarks-page.ts';
import { section } from './section.ts';
import { joinCommand } from './split-command.ts';
import type { TaskView } from './task-view.ts';
import { answering, findingText, standingLine } from './words.ts';

/** A task as a person reads it: what was agreed, how it stands, what waits, what the last agent left. */
export function taskPage(page: TaskView, { paint }: Output, now: number): string {
  const { state, contract, packet } = page;
  const parts = [
    `${paint.bold(state.task)}  ${paint.bold(line(contract.title))}\n${standingLine(state, page.leaseUntil, now)}`,
    escalationPart(state, paint),
    section(paint.warn('Sent back: this must change'), page.findings.map(findingText)),
    section(paint.warn('Declined, because'), page.declined),
    section(
      paint.bold('Forked from'),
      state.fork === undefined
        ? undefined
        : [`${state.fork.task} at ${state.fork.packet}: ${state.fork.why}`],
    ),
    section(paint.bold('Goal'), [contract.goal]),
    section(paint.bold('Accepted when'), contract.acceptance),
    section(paint.bold('Constraints'), contract.constraints),
    section(paint.bold('Not part of it'), contract.nonGoals),
    section(paint.bold('Protected paths'), contract.protectedPaths),
    section(
      paint.bold('Proven by'),
      contract.validation?.map((validation) => joinCommand(validation.run)),
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
    state.progress === null ? '' : section(paint.bold('Progress'), [progressLine(state.progress)]),
    packet === null ? '' : packetPart({ packet, number: state.packets || packet.task, now }, { paint }),
    ...pickupParts(page.pickup, paint, now),
    ...remarksParts({ state, remarks: page.remarks, now }, paint),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function reviewLines({ review }: Contract): string[] {
  if (review === undefined) return [];
  const who = review.human === true ? 'a person' : (review.owner ?? 'nobody');
  return [review.stop === undefined ? who : `${who}; the work stops at: ${review.stop}`];
}

function openQuestionText({ decision, question, options, owner }: OpenQuestion, task: string): string {
  return [
    `${decision}: ${question}`,
    ...(options.length === 0 ? [] : [`options: ${options.join(' | ')}`]),
    `for ${owner ?? 'a person'} to answer: staffetta decide ${task} TEXT --answer ${decision}`,
  ].join('\n');
}

function progressLine(progress: NonNullable<TaskState['progress']>): string {
  const of = progress.of === null ? '' : ` of ${progress.of}`;
  const unit = progress.unit === null ? '' : ` ${progress.unit}`;
  return `at ${progress.at}${of}${unit}${progress.cursor === null ? '' : ` (${progress.cursor})`}`;
}
