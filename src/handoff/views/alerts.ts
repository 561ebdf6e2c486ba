/** What somebody who does not watch should be told: work that waits for a person, and a holder that fell silent. */
import { parseEntry, type Entry } from '../../core/journal/entry.ts';
import { isStaffettaError } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { waitsForPerson, type TaskState } from '../../core/task/state.ts';
import type { FeedEntry, ListedCard } from '../../ports/journal.ts';
import type { Context } from '../record/context.ts';
import { silentPage } from '../record/silence.ts';
import { load } from '../record/load.ts';

export interface Alert {
  readonly v: 1;
  readonly kind: 'needs-human' | 'lease-lapsed';
  readonly task: TaskId;
  readonly title: string;
  readonly status: string;
  readonly why: string;
  readonly holder: string | null;
  readonly at: number;
  /** What to do about it. */
  readonly command: string;
  /** The same for the same occasion, however often it is looked at. */
  readonly id: string;
}

/** What an entry that just appeared is worth telling. */
export async function alertsOf(context: Context, { task, seq, body }: FeedEntry): Promise<Alert[]> {
  try {
    const entry = parseEntry(body);
    const { events, at } = entry;
    const types = new Set(events.map(({ type }) => type));
    const asks = ['submitted', 'escalated', 'offer-dead', 'decision-raised', 'phase-verified'] as const;
    if (!types.has('leg-lapsed') && !asks.some((type) => types.has(type))) return [];
    const { state } = await load(context, task);
    const lapsed = events.find((event) => event.type === 'leg-lapsed');
    const why = waitsFor(state, entry);
    return [
      ...(lapsed === undefined ? [] : [lapsedAlert(state, lapsed.generation, at)]),
      ...(why === undefined ? [] : [alert(state, 'needs-human', { why, at, id: `${task}/human/${seq}` })]),
    ];
  } catch (error) {
    // Damaged, or swept since: verify tells of it.
    if (!isStaffettaError(error)) throw error;
    return [];
  }
}

/** Leases that are over though nobody has recorded it: there may be no one else who looks. */
export async function lapsedNow(context: Context): Promise<Alert[]> {
  const now = context.clock.now();
  const { cards } = await silentPage(context, { limit: 200, onDamaged: () => {} });
  return cards.map((card) => silent(card, card.leaseUntil ?? now));
}

function silent({ task, title, status, holder, generation }: ListedCard, at: number): Alert {
  return {
    v: 1,
    kind: 'lease-lapsed',
    task,
    title,
    status,
    why: `${holder ?? 'Its holder'} has not been heard of since its lease ended.`,
    holder,
    at,
    command: 'staffetta recover',
    id: `${task}/lapsed/${generation}`,
  };
}

function lapsedAlert(state: TaskState, generation: number, at: number): Alert {
  const why = `Generation ${generation} lapsed: its lease ended without a word.`;
  return alert(state, 'lease-lapsed', { why, at, id: `${state.task}/lapsed/${generation}` });
}

/** Why an entry still needs a person; undefined where an agent may go on, or somebody has acted since. */
function waitsFor(state: TaskState, { events, at }: Entry): string | undefined {
  const { status, submission, escalation, terms, demands, raised } = state;
  if (status === 'escalated')
    return escalation?.at === at || state.dead?.at === at
      ? (escalation?.text ?? state.dead?.why ?? 'It used up its attempts.')
      : undefined;
  const byAgents = terms.review?.owner !== undefined && terms.review.human !== true && demands.length === 0;
  if (status === 'submitted')
    return byAgents || submission?.at !== at ? undefined : 'It was submitted and waits for a verdict.';
  const phase = events.find((event) => event.type === 'phase-verified')?.phase;
  if (phase !== undefined && waitsForPerson(state, phase))
    return `Phase ${phase} waits for a person to approve it.`;
  // One that an agent is to answer waits for that agent.
  const asked = events.find((event) => event.type === 'decision-raised' && event.owner === undefined);
  const question = raised.find(
    ({ decision }) => asked?.type === 'decision-raised' && decision === asked.decision,
  );
  return question === undefined ? undefined : `A question waits for an answer: ${question.question}`;
}

function alert(
  { task, terms, status, leg }: TaskState,
  kind: Alert['kind'],
  more: Pick<Alert, 'why' | 'at' | 'id'>,
): Alert {
  const command = status === 'submitted' ? `staffetta review ${task}` : `staffetta show ${task}`;
  return { v: 1, kind, task, title: terms.title, status, holder: leg?.holder.name ?? null, command, ...more };
}
