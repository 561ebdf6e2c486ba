/** What was written down beside the packets, for the next holder. */
import type { Remark, Remarks } from '../../handoff/history/remarks.ts';
import type { TaskState } from '../../core/task/state.ts';
import { formatAgo } from '../frame/duration.ts';
import type { Paint } from '../frame/output.ts';
import { decidedText } from './packet-page.ts';
import { section } from '../frame/section.ts';

export interface RemarksPage {
  readonly state: Pick<TaskState, 'task' | 'packets' | 'custody'>;
  readonly remarks: Remarks;
  readonly now: number;
}

export function remarksParts({ state, remarks, now }: RemarksPage, paint: Paint): string[] {
  const { task, packets, custody } = state;
  const words = (list: readonly Remark[]): string[] =>
    list.map((remark) => `${remark.by}, ${formatAgo(remark.at, now)}, ${said(remark, custody)}`);
  const fresh =
    packets === 0 ? 'On record; no packet was sealed yet' : `Since packet ${packets}, and not in it`;
  return [
    section(paint.bold(fresh), words(remarks.since)),
    section(paint.bold(`On record before packet ${packets}`), words(remarks.before)),
    packets > 0 || remarks.more
      ? paint.dim(`Everything before, word for word: staffetta show ${task} --history`)
      : '',
  ];
}

function said({ event, question }: Remark, custody: TaskState['custody']): string {
  switch (event.type) {
    case 'note':
      return `noted: ${event.text}`;
    case 'attempt-failed':
      return `tried and ruled out: ${event.what}\nbecause: ${event.why}`;
    case 'decision-made':
      return `decided (${event.decision}): ${decidedText(event.text, event.why, event.rejected)}`;
    case 'decision-answered':
      return `answered question ${event.decision}${question === undefined ? '' : ` (${question})`}: ${event.answer}`;
    case 'message':
      return `left a message, read since: ${event.text}`;
    case 'effect-settled':
      return `${event.outcome === 'done' ? 'did' : 'found not done'}: ${event.effect}${event.receipt === undefined ? '' : `\nreceipt: ${event.receipt}`}`;
    case 'contract-amended':
      return `amended the contract: ${event.why}`;
    case 'leg-acknowledged':
      return `took over with: goal "${event.goal}", gate "${event.gate}", next "${event.next}"`;
    case 'leg-lapsed':
      return `found ${custody?.generation === event.generation ? `${custody.agent} (generation ${event.generation})` : `generation ${event.generation}`} silent: its lease ended at ${new Date(event.leaseUntil).toISOString()}`;
    case 'leg-ended':
      return `ended generation ${event.generation} (${event.outcome}): ${event.why ?? ''}`;
    case 'offer-declined':
      return `declined: ${event.reasons.join('; ')}`;
  }
}
