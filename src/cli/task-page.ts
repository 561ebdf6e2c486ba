import type { Contract } from '../core/contract.ts';
import { claimText, type Claim, type Packet } from '../core/packet.ts';
import type { TaskState } from '../core/state.ts';
import { formatBytes } from './bytes.ts';
import { formatAgo } from './duration.ts';
import { block, line, type Output } from './output.ts';
import { joinCommand } from './split-command.ts';
import type { TaskView } from './task-view.ts';
import { findingText, standingLine } from './words.ts';

/** A task as a person reads it: what was agreed, how it stands, what waits, what the last agent left. */
export function taskPage(page: TaskView, { paint }: Output, now: number): string {
  const { state, contract, packet } = page;
  const parts = [
    `${paint.bold(state.task)}  ${paint.bold(line(contract.title))}\n${standingLine(state, page.leaseUntil, now)}`,
    section(paint.warn('Sent back: this must change'), page.findings.map(findingText)),
    section(paint.warn('Declined, because'), page.declined),
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
      page.messages.map((message) => `${message.from}, ${formatAgo(message.at, now)}: ${message.text}`),
    ),
    section(
      paint.bold('Open questions'),
      state.raised.map(
        (open) => `${open.decision}: ${open.question}${open.owner === null ? '' : ` (${open.owner})`}`,
      ),
    ),
    section(
      paint.bad('Effects of unknown outcome'),
      state.effects.filter((effect) => effect.unknown).map((effect) => effect.effect),
    ),
    state.escalation === null
      ? ''
      : section(paint.bad(`Escalated (${state.escalation.reason})`), [state.escalation.text]),
    state.progress === null ? '' : section(paint.bold('Progress'), [progressLine(state.progress)]),
    packet === null ? '' : packetPart(packet, state.packets, { paint }, now),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function reviewLines({ review }: Contract): string[] {
  if (review === undefined) return [];
  const who = review.human === true ? 'a person' : (review.owner ?? 'nobody');
  return [review.stop === undefined ? who : `${who}; the work stops at: ${review.stop}`];
}

function progressLine(progress: NonNullable<TaskState['progress']>): string {
  const of = progress.of === null ? '' : ` of ${progress.of}`;
  const unit = progress.unit === null ? '' : ` ${progress.unit}`;
  return `at ${progress.at}${of}${unit}${progress.cursor === null ? '' : ` (${progress.cursor})`}`;
}

export function packetPart(
  packet: Packet,
  number: number,
  { paint }: Pick<Output, 'paint'>,
  now: number,
): string {
  const { claims } = packet;
  const bytes = packet.transcript.reduce((sum, chunk) => sum + chunk.bytes, 0);
  const head = `${paint.bold(`Packet ${number}`)}, sealed by ${line(packet.from.name)} ${formatAgo(packet.at, now)} (${packet.trigger}); its claims are unverified`;
  const parts = [
    head,
    section('Summary', claims.summary === undefined ? undefined : [claims.summary], '  '),
    section('Done', claims.done?.map(shownClaim), '  '),
    section('In progress', claims.doing?.map(shownClaim), '  '),
    section('Remaining', claims.remaining?.map(shownClaim), '  '),
    section(
      'Decisions',
      claims.decisions?.map(
        (decision) => `${decision.text}${decision.why === undefined ? '' : ` (because ${decision.why})`}`,
      ),
      '  ',
    ),
    section(
      'Tried and ruled out',
      claims.failed?.map((failed) => `${failed.what}: ${failed.why}`),
      '  ',
    ),
    section('Blockers', claims.blockers?.map(shownClaim), '  '),
    section(
      'Questions',
      claims.questions?.map((question) => question.text),
      '  ',
    ),
    section('Next', claims.next === undefined ? undefined : [claims.next], '  '),
    section(
      'Artefacts',
      packet.artefacts.map((artefact) => artefact.path),
      '  ',
    ),
    bytes === 0 ? '' : `  Transcript: ${formatBytes(bytes)}`,
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function section(title: string, lines: readonly string[] | undefined, indent = ''): string {
  if (lines === undefined || lines.length === 0) return '';
  if (lines.length === 1) return `${indent}${title}\n${block(lines[0] ?? '', `${indent}  `)}`;
  return `${indent}${title}\n${lines.map((text) => `${indent}  - ${block(text, `${indent}    `).trimStart()}`).join('\n')}`;
}

/** A claim with what it rests on, or nothing: then it is only somebody's word. */
function shownClaim(claim: Claim): string {
  return typeof claim === 'string' ? claim : `${claimText(claim)} [${claim.evidence.join(', ')}]`;
}
