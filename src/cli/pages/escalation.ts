/** Work that waits for a person: why it does, and the commands that get it moving again. */
import { mayDirect, type Actor } from '../../core/task/actor.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { Context } from '../../handoff/record/context.ts';
import { remedyFor, waysOut, type EscalatedTask } from '../../handoff/views/ways-out.ts';
import type { ListedCard } from '../../ports/journal.ts';
import { block, line, type Output, type Paint } from '../frame/output.ts';
import { pad } from '../frame/width.ts';

/** Why it waits, and every way out. */
export function escalationPart(state: EscalatedTask, paint: Paint): string {
  const ways = waysOut(state);
  if (state.escalation === null || ways.length === 0) return '';
  const { reason, text } = state.escalation;
  const width = Math.max(...ways.map((way) => way.command.length));
  return [
    paint.bad(`Escalated (${reason}): a person or a supervisor decides`),
    block(text),
    '  Ways out',
    ...ways.map((way) => `    ${pad(way.command, width)}  ${way.does}`),
  ].join('\n');
}

/** A card as lists give it, and why it waits where it does. */
export type ExplainedCard = ListedCard & {
  readonly escalation?: NonNullable<TaskState['escalation']>;
  /** What has to change first, where something has. */
  readonly remedy?: string;
};

/** Lists are often looked at and seldom hold escalated work: reading a journal is loaded only for that. */
export async function explained(context: Context, cards: readonly ListedCard[]): Promise<ExplainedCard[]> {
  if (cards.every((card) => card.status !== 'escalated')) return [...cards];
  const { load } = await import('../../handoff/record/load.ts');
  const found: ExplainedCard[] = [];
  for (const card of cards) {
    const state = card.status === 'escalated' ? (await load(context, card.task)).state : null;
    const escalation = state?.escalation ?? null;
    const first = state === null ? undefined : remedyFor(state);
    const remedy = first === undefined ? {} : { remedy: first.command };
    found.push(escalation === null ? card : { ...card, escalation, ...remedy });
  }
  return found;
}

const saidMax = 5;

/** Below a list, for those who may do something about it: one line of why for each, and where the ways out are. */
export function sayEscalations(
  cards: readonly ExplainedCard[],
  { output, actor }: { readonly output: Output; readonly actor: Actor },
): void {
  if (!mayDirect(actor)) return;
  const escalated = cards.filter((card) => card.escalation !== undefined);
  for (const { task, escalation, remedy } of escalated.slice(0, saidMax)) {
    if (escalation === undefined) continue;
    output.say(`${task} is escalated (${escalation.reason}): ${line(escalation.text)}`);
    output.say(
      `  → ${remedy === undefined ? '' : `first ${remedy}, then `}staffetta dead ${task} --again --why WHY, or staffetta offer ${task} --to WHO; more: staffetta show ${task}`,
      'dim',
    );
  }
  if (escalated.length > saidMax) output.say(`And ${escalated.length - saidMax} more that are escalated.`);
}
