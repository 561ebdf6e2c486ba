/** The work that waits for a session: what it holds, else what is on offer to it. Nothing is changed. */
import type { Actor } from '../core/actor.ts';
import { isAddressedTo } from '../core/address.ts';
import type { Contract } from '../core/contract.ts';
import type { GreetedTask } from '../core/greeting.ts';
import { writeHandoff } from '../core/handoff-markdown.ts';
import type { TaskId } from '../core/id.ts';
import { offeredStatuses, type TaskState } from '../core/state.ts';
import type { ListedCard } from '../ports/journal.ts';
import { briefTask, type BriefingOptions } from './brief.ts';
import type { Held } from './carry.ts';
import type { Context } from './context.ts';
import { readCheckedPacket, readContract } from './history.ts';
import { load } from './load.ts';

const looksMax = 50;
const onDamaged = (): void => undefined;

/** Held first; offers oldest first. A damaged task is nobody's greeting. */
export async function waitingFor(context: Context, by: Actor): Promise<GreetedTask[]> {
  const { catalog } = context.store;
  const mine = await catalog.list({ holder: by.name, limit: looksMax, onDamaged });
  if (mine.cards.length > 0) return mine.cards.map((card) => greeted(card, 'held'));
  const now = context.clock.now();
  const offers = await catalog.list({
    statuses: offeredStatuses,
    oldestFirst: true,
    limit: looksMax,
    onDamaged,
  });
  return offers.cards.filter((card) => isFor(card, by, now)).map((card) => greeted(card, 'offered'));
}

function isFor({ status, to, lane, notBefore, expiresAt }: ListedCard, by: Actor, now: number): boolean {
  if (status === 'blocked' || to === null || lane === null) return false;
  if ((notBefore ?? 0) > now || (expiresAt ?? Infinity) <= now) return false;
  return isAddressedTo(to, lane, by);
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
export async function wordsOf(context: Context, task: TaskId, kept: Briefings): Promise<string> {
  const { state } = await load(context, task);
  const known = kept.get(briefingName(state));
  if (known !== undefined) return known;
  const contract = await readContract(context, state.contract);
  if (state.packet === null) return contractWords(contract);
  return writeHandoff(await readCheckedPacket(context, state.packet), contract, state.packet);
}

/** Makes the briefing of a task, for whoever starts next. */
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

/** The head stands for the whole journal before it. */
function briefingName({ task, head }: Pick<TaskState, 'task' | 'head'>): string {
  return `${task}-${head.replace(/^.*:/, '').slice(0, 32)}`;
}

function list(name: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`## ${name}`, ...items.map((item) => `- ${item}`)];
}

function contractWords({ title, goal, acceptance = [], constraints = [], nonGoals = [] }: Contract): string {
  return [
    `# ${title}`,
    goal,
    ...list('Accepted when', acceptance),
    ...list('Constraints', constraints),
    ...list('Not part of it', nonGoals),
  ].join('\n');
}

/**
 * The leg that a session holds: in its own name, or in one that it was given when it took the task. Lists know holders by name
 * only, so where the name finds nothing, the tasks that are held are looked at, up to a bound.
 */
export async function legOfSession(
  context: Context,
  by: Actor,
): Promise<(Held & { readonly holder: Actor; readonly leaseMs: number }) | null> {
  const { catalog } = context.store;
  const named = await catalog.list({ holder: by.name, limit: 2, onDamaged });
  const others =
    named.cards.length > 0
      ? []
      : (await catalog.list({ statuses: ['held'], limit: looksMax, onDamaged })).cards;
  for (const { task } of [...named.cards, ...others]) {
    const { state } = await load(context, task);
    const { leg } = state;
    if (leg === null) continue;
    const isOurs =
      leg.holder.name === by.name || (by.session !== undefined && leg.holder.session === by.session);
    if (isOurs) return { task, generation: leg.generation, holder: leg.holder, leaseMs: leg.leaseMs };
  }
  return null;
}
