/**
 * A session goes on after a packet was made from it. What users have said in it since is not in the packet, and may be other work: it is
 * told, and never taken along unasked.
 */
import { isStaffettaError } from '../../core/base/error.ts';
import { cutAtWord } from '../../core/briefing/item.ts';
import { sanitizeLine } from '../../core/base/sanitize.ts';
import type { Runtime, SessionCard } from '../../ports/runtime.ts';
import type { Context } from '../record/context.ts';
import { isSaid, lookAs, saidBefore } from './session-look.ts';
import { tasksOfSession, type BoundTask } from './session-task.ts';

export interface Grown {
  readonly runtime: string;
  readonly session: string;
  /** Messages of users that no packet has. */
  readonly messages: number;
  /** The first words of the first of them, without secrets. */
  readonly first: string;
}

export interface GrownQuestion {
  readonly bound: BoundTask;
  /** The session that the latest packet was made from; null where it is not on this machine. */
  readonly card: SessionCard | null;
  readonly runtimes: readonly Runtime[];
}

const firstChars = 120;

/** Null where nobody has said anything since, and where the session cannot be read. */
export async function grownSince(
  context: Context,
  { bound, card, runtimes }: GrownQuestion,
): Promise<Grown | null> {
  const runtime = runtimes.find(({ name }) => name === card?.runtime);
  if (card === null || runtime === undefined || card.pointerOnly !== null) return null;
  const session = { runtime, card };
  try {
    const look = await lookAs(context, { ...session, runtimes: [runtime] }, { bound, key: '' });
    if (look.fresh === 0) return null;
    // What was said for another task of the session is with that one.
    const tasks = new Set([bound.task, ...(await tasksOfSession(context, card))]);
    const known = [];
    for (const task of tasks) known.push(await saidBefore(context, task, session));
    const since = look.transcript.steps.filter(isSaid).slice(Math.max(...known));
    const [first] = since;
    if (first === undefined) return null;
    const { value } = await (await context.redactor()).text(first.text.toWellFormed());
    const words = sanitizeLine(value).trim();
    return {
      runtime: card.runtime,
      session: card.id,
      messages: since.length,
      first: words.length <= firstChars ? words : `${cutAtWord(words, firstChars)}…`,
    };
  } catch (error) {
    // It may be gone, damaged or of a program that cannot be asked: the packet has what it has.
    if (isStaffettaError(error) || (error instanceof Error && 'code' in error)) return null;
    throw error;
  }
}

/** For the next agent. */
export function grownWords({ runtime, session, messages }: Grown): string {
  const said = messages === 1 ? '1 message of a user is' : `${messages} messages of a user are`;
  return `what was said last: the session ${session} of ${runtime} went on after this was sealed; ${said} not in here. Ask what is wanted before you go on`;
}
