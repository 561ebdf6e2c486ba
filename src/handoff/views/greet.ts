/** The work that waits for a session: what it holds, else what is on offer to it. Nothing is changed. */
import type { Actor } from '../../core/task/actor.ts';
import { addedLines, addedTitle, type StandingContract } from '../../core/contract/added-terms.ts';
import type { GreetedTask } from '../../core/resume/greeting.ts';
import { writeHandoff } from '../../core/files/handoff-markdown.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { CardQuery, ListedCard } from '../../ports/journal.ts';
import { briefTask, type BriefingOptions } from './brief.ts';
import type { Held } from '../verbs/carry.ts';
import type { Context } from '../record/context.ts';
import { readCheckedPacket } from '../history/history.ts';
import { learnedOf } from '../history/learned.ts';
import { load } from '../record/load.ts';
import { offersFor } from './offers.ts';
import { readStanding } from './standing-contract.ts';

const looksMax = 50;
const onDamaged = (): void => undefined;

/** Held first; offers newest first: what was left last is what somebody most likely goes on with. A damaged task is nobody's greeting. */
export async function waitingFor(context: Context, by: Actor): Promise<GreetedTask[]> {
  const { catalog } = context.store;
  const mine = await catalog.list({ holder: by.name, limit: looksMax, onDamaged });
  const held = new Set((await legsAmong(context, by, { holder: by.name })).map(({ task }) => task));
  if (held.size > 0)
    return mine.cards.filter(({ task }) => held.has(task)).map((card) => greeted(card, 'held'));
  return (await offersFor(context, by, { most: looksMax, newestFirst: true }))
    .toSorted((a, b) => b.updatedAt - a.updatedAt)
    .map((card) => greeted(card, 'offered'));
}

function greeted({ task, title, lane, generation }: ListedCard, standing: 'held' | 'offered'): GreetedTask {
  return { task, title, lane, standing, generation };
}

/** Briefings that were made before: the same journal gives the same words. */
export interface Briefings {
  get(name: string): string | undefined;
  put(name: string, text: string): void;
}

/**
 * What is told of a task at once: the briefing, if somebody has made it meanwhile, else what the latest packet says by itself. Making
 * a briefing reads every session of a task, and nobody who starts should wait for that.
 */
export async function greetingBriefing(context: Context, task: TaskId, kept: Briefings): Promise<string> {
  const { state } = await load(context, task);
  const known = kept.get(briefingName(state));
  if (known !== undefined) return known;
  const contract = await readStanding(context, state);
  if (state.packet === null) return contractWords(contract);
  const packet = await readCheckedPacket(context, state.packet);
  return writeHandoff(packet, contract, state.packet, {
    learned: await learnedOf(context, state, { upTo: state.seq }),
  });
}

/** Makes the briefing of a task, for the next session. */
export async function prepareBriefing(
  context: Context,
  task: TaskId,
  kept: Briefings,
  options: () => Promise<BriefingOptions>,
): Promise<void> {
  const { state } = await load(context, task);
  const name = briefingName(state);
  if (state.packet === null || kept.get(name) !== undefined) return;
  const { text } = await briefTask(context, task, await options());
  kept.put(name, text);
}

/** Raised when briefings come to say something else of the same journal: what was kept before is not shown any more. */
const wordsVersion = 3;

/** The head stands for the whole journal before it. */
function briefingName({ task, head }: Pick<TaskState, 'task' | 'head'>): string {
  return `${task}-${wordsVersion}-${head.replace(/^.*:/, '').slice(0, 32)}`;
}

function list(name: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`## ${name}`, ...items.map((item) => `- ${item}`)];
}

function contractWords(contract: StandingContract): string {
  const { title, goal, acceptance = [], constraints = [], nonGoals = [] } = contract;
  return [
    `# ${title}`,
    goal,
    ...list('Accepted when', acceptance),
    ...list('Constraints', constraints),
    ...list('Not part of it', nonGoals),
    ...list(addedTitle, addedLines(contract)),
  ].join('\n');
}

export interface SessionLeg extends Held {
  readonly holder: Actor;
  readonly leaseMs: number;
}

/**
 * The leg that a session holds: in its own name, or in one that it was given when it took the task; of several the latest. Lists know
 * holders by name only, so where the name finds nothing, the tasks that are held are looked at, up to a bound.
 */
export async function legOfSession(context: Context, by: Actor): Promise<SessionLeg | null> {
  const named = await legsAmong(context, by, { holder: by.name });
  const [latest] = named.length > 0 ? named : await legsAmong(context, by, { statuses: ['held'] });
  return latest ?? null;
}

/** All of them, under whatever name, the latest first. */
export async function legsOfSession(context: Context, by: Actor): Promise<SessionLeg[]> {
  return await legsAmong(context, by, { statuses: ['held'] });
}

async function legsAmong(
  context: Context,
  by: Actor,
  query: Pick<CardQuery, 'holder' | 'statuses'>,
): Promise<SessionLeg[]> {
  const { cards } = await context.store.catalog.list({ ...query, limit: looksMax, onDamaged });
  const found: (SessionLeg & { readonly since: number })[] = [];
  for (const { task } of cards) {
    const { leg } = (await load(context, task)).state;
    if (leg === null || !isHeldBy(leg.holder, by)) continue;
    const { generation, holder, leaseMs, since } = leg;
    found.push({ task, generation, holder, leaseMs, since });
  }
  return found
    .toSorted((a, b) => b.since - a.since)
    .map(({ task, generation, holder, leaseMs }) => ({ task, generation, holder, leaseMs }));
}

/** Another session of the same name holds its own. */
function isHeldBy(holder: Actor, by: Actor): boolean {
  if (holder.session !== undefined && by.session !== undefined) return holder.session === by.session;
  return holder.name === by.name;
}
