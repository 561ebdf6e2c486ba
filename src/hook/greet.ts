/** Greets a session with the work that waits for it, and knows which leg it holds. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Actor } from '../core/actor.ts';
import { greetWithBriefing, greetWithList, type GreetingWords } from '../core/greeting.ts';
import { hooksFolder, writePrivate, type RecordedLeg } from '../compose/session-record.ts';
import { renew } from '../handoff/carry.ts';
import type { Context } from '../handoff/context.ts';
import { briefingOf, legOfSession, waitingFor, type Briefings } from '../handoff/greet.ts';

/** How long the silence of a session is believed at least. */
const leaseMsMin = 30 * 60_000;
const briefingsMax = 20;

export interface Greeting {
  readonly text: string;
  /** Those it tells of, and those told of before that still wait. */
  readonly tasks: readonly string[];
  readonly leg: RecordedLeg | null;
}

export async function greet(
  context: Context,
  by: Actor,
  options: { readonly words: GreetingWords; readonly known: readonly string[]; readonly store: string },
): Promise<Greeting> {
  const { words, known, store } = options;
  const held = await legOfSession(context, by);
  const leg = held === null ? null : await renewLeg(context, held);
  const waiting = await waitingFor(context, held?.holder ?? by);
  const tasks = waiting.map(({ task }) => task);
  const news = waiting.filter(({ task }) => !known.includes(task));
  const [one, ...others] = news;
  if (one === undefined) return { text: '', tasks, leg };
  if (others.length > 0) return { text: greetWithList(news, words), tasks, leg };
  const briefing = await briefingOf(context, one.task, keptIn(join(hooksFolder(store), 'briefings')));
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
  const leaseMs = Math.max(leg.leaseMs, leaseMsMin);
  const until = await renew(context, { task, generation }, leaseMs);
  return until === null ? null : { task, generation, leaseMs, renewedAt: context.clock.now() };
}

function keptIn(folder: string): Briefings {
  const fileOf = (name: string): string => join(folder, `${name}.md`);
  return {
    get(name) {
      return existsSync(fileOf(name)) ? readFileSync(fileOf(name), 'utf8') : undefined;
    },
    put(name, text) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writePrivate(fileOf(name), text);
      const all = readdirSync(folder).map((file) => join(folder, file));
      const byAge = all.toSorted((a, b) => ageOf(b) - ageOf(a));
      for (const old of byAge.slice(briefingsMax)) rmSync(old, { force: true });
    },
  };
}

function ageOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
