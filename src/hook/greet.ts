/** Greets a session with the work that waits for it, and knows which leg it holds. */
import type { Home } from '../home/home.ts';
import { limits } from '../core/base/limits.ts';
import type { Actor } from '../core/task/actor.ts';
import { greetWithBriefing, greetWithList, type GreetingWords } from '../core/resume/greeting.ts';
import type { RecordedLeg } from '../home/session-record.ts';
import { renew } from '../handoff/verbs/carry.ts';
import type { Context } from '../handoff/record/context.ts';
import { legOfSession, waitingFor, greetingBriefing } from '../handoff/views/greet.ts';
import { keptBriefings } from '../home/briefings.ts';

export interface Greeting {
  readonly text: string;
  /** Those it tells of, and those told of before that still wait. */
  readonly tasks: readonly string[];
  readonly leg: RecordedLeg | null;
}

export async function greet(
  context: Context,
  by: Actor,
  options: { readonly words: GreetingWords; readonly known: readonly string[]; readonly home: Home },
): Promise<Greeting> {
  const { words, known, home } = options;
  const held = await legOfSession(context, by);
  const leg = held === null ? null : await renewLeg(context, held);
  const waiting = await waitingFor(context, held?.holder ?? by);
  const tasks = waiting.map(({ task }) => task);
  const news = waiting.filter(({ task }) => !known.includes(task));
  const [one, ...others] = news;
  if (one === undefined) return { text: '', tasks, leg };
  if (others.length > 0) return { text: greetWithList(news, words), tasks, leg };
  const briefing = await greetingBriefing(context, one.task, keptBriefings(home));
  return { text: greetWithBriefing(one, briefing, words), tasks, leg };
}

export async function legNow(context: Context, by: Actor): Promise<RecordedLeg | null> {
  const held = await legOfSession(context, by);
  return held === null ? null : await renewLeg(context, held);
}

/** Null: the leg is over. */
export async function renewLeg(
  context: Context,
  leg: Omit<RecordedLeg, 'renewedAt'>,
): Promise<RecordedLeg | null> {
  const { task, generation } = leg;
  const leaseMs = Math.max(leg.leaseMs, limits.sessionLeaseMs);
  const until = await renew(context, { task, generation }, leaseMs);
  return until === null ? null : { task, generation, leaseMs, renewedAt: context.clock.now() };
}
