/** What changed hands or was judged in a task, and when: the marks on its timeline. */
import type { Lane } from '../../core/task/actor.ts';
import type { Entry } from '../../core/journal/entry.ts';
import type { Event } from '../../core/journal/event.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { readiness } from '../../core/packet/readiness.ts';
import type { Context } from '../record/context.ts';
import { load, soundPages } from '../record/load.ts';

export const markKinds = [
  'opened',
  'offer',
  'accept',
  'decline',
  'checkpoint',
  'lapse',
  'submit',
  'approve',
  'send-back',
  'escalation',
  'end',
] as const;
export type MarkKind = (typeof markKinds)[number];

export interface TimelineMark {
  readonly seq: number;
  readonly at: number;
  readonly by: string;
  readonly kind: MarkKind;
  /** Of the leg or the offer that it is about; null before there was one. */
  readonly lane: Lane | null;
  /** What there is to know beside who and when. */
  readonly text: string | null;
}

/** In order. Notes and whatever else a holder writes down on the way are no marks: there may be thousands. */
export async function timelineMarks(context: Context, task: TaskId): Promise<TimelineMark[]> {
  const { state } = await load(context, task);
  const marks: TimelineMark[] = [];
  let lane: Lane | null = null;
  for await (const page of soundPages(context, state))
    for (const { entry } of page)
      for (const event of entry.events) {
        if (event.type === 'offer-made' || event.type === 'leg-started') ({ lane } = event);
        const found = markOf(event);
        if (found !== undefined) marks.push({ ...found, lane, ...whose(entry) });
      }
  return marks;
}

function whose({ seq, at, by }: Entry): Pick<TimelineMark, 'seq' | 'at' | 'by'> {
  return { seq, at, by: by.name };
}

function markOf(event: Event): Pick<TimelineMark, 'kind' | 'text'> | undefined {
  switch (event.type) {
    case 'task-opened':
      return { kind: 'opened', text: null };
    case 'offer-made':
      return { kind: 'offer', text: `to ${event.to}${event.why === undefined ? '' : `: ${event.why}`}` };
    case 'leg-started':
      return { kind: 'accept', text: `leg ${event.generation}` };
    case 'offer-declined':
      return { kind: 'decline', text: event.reasons.join('; ') };
    case 'checkpoint-sealed':
      return { kind: 'checkpoint', text: readiness(event.certification) };
    case 'leg-lapsed':
      return { kind: 'lapse', text: `leg ${event.generation}` };
    case 'submitted':
      return { kind: 'submit', text: null };
    case 'review-approved':
      return { kind: 'approve', text: event.why ?? null };
    case 'review-sent-back':
      return { kind: 'send-back', text: event.findings.map(({ text }) => text).join('; ') };
    case 'escalated':
      return { kind: 'escalation', text: `${event.reason}: ${event.text}` };
    case 'offer-dead':
      return { kind: 'escalation', text: event.why };
    case 'task-done':
      return { kind: 'end', text: 'done' };
    case 'task-failed':
    case 'task-cancelled':
      return { kind: 'end', text: `${event.type === 'task-failed' ? 'failed' : 'cancelled'}: ${event.why}` };
    default:
      return undefined;
  }
}
