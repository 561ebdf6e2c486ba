/**
 * One leg of a task, from taking it to its end: a place to work, an agent, its turns, and what came of it. The outcome is what the journal and
 * the gate say; that an agent's turn is over says nothing.
 *
 *   handed on, submitted, failed… by the agent   the leg is over
 *   turn over, still held                        its work is committed, validated and handed in, in its name
 *   — refused                                    it is told what was found, and goes on; a second time a person is asked
 *   context full, out of time                    on offer again, with what was sealed
 *   account exhausted                            the same, and nobody else starts there before it is over
 *   program gone, refused, stalled               a failed attempt
 */
import { joinCommand } from '../core/base/command-line.ts';
import { defined, filled } from '../core/base/defined.ts';
import { isStaffettaError, StaffettaError } from '../core/base/error.ts';
import { cut } from '../core/base/text.ts';
import type { Trigger } from '../core/journal/event.ts';
import { refusalWords } from '../core/packet/refusal-words.ts';
import type { PlannedLeg } from '../core/plan/room.ts';
import { accessOf, permissionsOf, type Crew } from '../core/plan/crew.ts';
import type { NamedAgent } from '../core/plan/fitting-agents.ts';
import type { RunDocument } from '../core/plan/run-document.ts';
import type { Actor } from '../core/task/actor.ts';
import type { Address } from '../core/task/address.ts';
import type { TaskState } from '../core/task/state.ts';
import { keepLease } from '../handoff/record/keep-lease.ts';
import { load } from '../handoff/record/load.ts';
import { Leg, type EndingInput } from '../handoff/verbs/leg.ts';
import { leave } from '../handoff/verbs/leave.ts';
import { accept } from '../handoff/verbs/take.ts';
import type { OpenLeg, TurnEnd } from '../ports/runner.ts';
import type { Tree } from '../ports/trees.ts';
import { doingOf, type CrewSite, type Employment, type Post, type Recalled, type WorkPost } from './site.ts';
import { watchTurn, type LegSigns, type StopReason } from './turns.ts';
import { whyCharsMax, whyFailed } from './why-failed.ts';

/** Renewed while the supervisor lives; short, so that a successor need not wait long, unless each renewal goes far. */
const legLeaseMsMin = 60_000;
/** How often an agent may go back to its own packet. */
const refusalsMax = 2;

export interface LegStart {
  readonly document: RunDocument;
  readonly planned: PlannedLeg;
  readonly agent: NamedAgent;
  readonly state: TaskState;
  /** The commit that a new tree begins at. */
  readonly base: string | null;
  readonly signs: LegSigns;
  /** A person wants it to end. */
  readonly told: AbortSignal;
}

/** What the supervisor has to know of a leg that is over; the rest is in the journal. */
export interface LegOver {
  /** The account of the program is exhausted, until when. */
  readonly exhausted: { readonly until: number | null } | null;
  readonly stalled: boolean;
  readonly advice: string | null;
  /** Why the attempt failed. */
  readonly failed: string | null;
  /** A tree of somebody who only looked, and in which something is left. */
  readonly kept?: string;
}

export const plainEnd: LegOver = { exhausted: null, stalled: false, advice: null, failed: null };

export async function carryWork(site: CrewSite, start: LegStart): Promise<LegOver> {
  const { planned, agent, state, document } = start;
  const by: Actor = {
    name: planned.agent,
    kind: 'agent',
    lane: state.offer?.lane ?? planned.lane,
    session: site.session,
    ...filled({ runtime: planned.runtime }),
  };
  const offer = state.offer?.offer;
  // The tree first: where the work began is part of what is taken.
  const tree = await treeFor(site, start);
  const folder = tree?.path ?? null;
  const context = folder === null ? site.context : site.contextIn(folder);
  const legLeaseMs = Math.max(legLeaseMsMin, site.context.store.leaseMs ?? 0);
  const taken = await accept(context, state.task, { leaseMs: legLeaseMs, ...defined({ offer }) }, { by });
  const held = { task: state.task, generation: taken.state.generation, leaseMs: legLeaseMs };
  const lease = keepLease(site.context, held);
  let open: OpenLeg | undefined;
  try {
    const leg = await Leg.from(context, taken.state, taken.read);
    const { runtime } = planned;
    const post = {
      for: 'work',
      run: document.name,
      task: planned.task,
      agent,
      runtime,
      folder,
      context,
      leg,
    } as const;
    const employment = await site.employ(post);
    open = await openLeg(site, post, { employment, crew: document.crew, signs: start.signs });
    const over = await carryTurns(site, post, { start, employment, open, lost: lease.lost });
    return { ...over, advice: employment.advice ?? null };
  } catch (error) {
    await giveUp(site, held, error);
    return { ...plainEnd, stalled: error instanceof Stalled, failed: whyFailed(error) };
  } finally {
    await open?.close();
    await lease.release();
  }
}

async function treeFor(site: CrewSite, start: LegStart): Promise<Tree | null> {
  const { document, planned, base } = start;
  if (site.ground === null || base === null) return null;
  const tree = await site.ground.trees.make({
    run: document.name,
    task: planned.task,
    base,
    setup: (document.plan.setup ?? []).map(({ run }) => run),
  });
  const { failed } = tree;
  if (failed === null) return tree;
  throw new StaffettaError(
    'workspace-unusable',
    `The tree at ${tree.path} could not be set up: ${joinCommand(failed.command)}: ${cut(failed.output.trim(), whyCharsMax)}`,
    { details: { path: tree.path, command: failed.command }, hint: 'Mend what the plan says under setup.' },
  );
}

export async function openLeg(
  site: CrewSite,
  post: Post,
  given: { readonly employment: Employment; readonly crew: Crew; readonly signs: LegSigns },
): Promise<OpenLeg> {
  const { employment, crew, signs } = given;
  const permissions = permissionsOf(crew, post.agent);
  return await employment.runner.open({
    ...employment.order,
    folder: post.folder ?? process.cwd(),
    access: accessOf(doingOf(post)),
    mode: employment.order.mode ?? post.agent.mode,
    permissions,
    seen: signs.see,
    ask: async ({ permission, what }) => {
      const grant = permission === null ? 'ask' : (permissions[permission] ?? 'allow');
      if (grant !== 'ask') return grant;
      return site.ask === undefined ? 'deny' : await signs.asking(what, site.ask(post, what));
    },
  });
}

interface Turns {
  readonly start: LegStart;
  readonly employment: Employment;
  readonly open: OpenLeg;
  readonly lost: AbortSignal;
}

async function carryTurns(site: CrewSite, post: WorkPost, turns: Turns): Promise<LegOver> {
  const { start, employment, open, lost } = turns;
  const { clock } = site.context;
  const limits = { ...start.document.crew.limits, ...post.agent.limits };
  let { prompt } = employment;
  for (let refusals = 0; ;) {
    const inTime = { ...limits, until: await timeUp(post) };
    const watch = { clock, limits: inTime, signs: start.signs, lost, told: start.told };
    const { end, stopped } = await watchTurn(open, prompt, watch);
    const recalled = await employment.recall?.(open, end);
    await countUse(post, start.signs, recalled);
    const state = await heldState(post);
    if (state === undefined) return plainEnd;
    const limit = end.limit ?? recalled?.limit;
    if (limit !== undefined) {
      await putDown(post, recalled, {
        trigger: limit.kind === 'usage' ? 'usage-limit' : 'context-limit',
        why: limitWords(limit),
      });
      return { ...plainEnd, exhausted: limit.kind === 'usage' ? { until: limit.until } : null };
    }
    if (stopped !== null) return await stop(post, recalled, stopped);
    if (!isOver(end, start.signs)) throw new Error(turnEndWords(end));
    const refused = await handIn(site, post, { state, recalled });
    if (refused === null) return plainEnd;
    refusals += 1;
    if (refusals >= refusalsMax) {
      await post.leg.escalate(
        cut(`What ${post.agent.name} handed in was refused twice. ${refused}`, whyCharsMax),
      );
      return plainEnd;
    }
    // Another turn begins: what there is now is with the task, should this machine be lost meanwhile.
    await seal(post.leg, recalled, 'planned');
    prompt = `What you handed in was refused:\n\n${refused}\n\nMend it, and end your turn when it is done.\n`;
  }
}

/** By the budget of the task, over all its legs. Where a person let it go on beyond that, this leg has no end by it. */
async function timeUp({ leg }: WorkPost): Promise<number | undefined> {
  const { budget } = leg.contract;
  if (budget?.ms === undefined) return undefined;
  const { usage, leg: held } = await leg.state();
  const left = budget.ms - (usage?.ms ?? 0);
  return held === null || left <= 0 ? undefined : held.since + left;
}

/** A program that ends in its turn may be done; one that ends without a word was not at work. */
function isOver({ how, exit }: TurnEnd, { isSilent }: LegSigns): boolean {
  return how === 'over' || (how === 'ended' && exit === 0 && !isSilent);
}

/** Undefined where the leg is over. */
async function heldState({ leg, context }: WorkPost): Promise<TaskState | undefined> {
  const { state } = await load(context, leg.task);
  return state.leg?.generation === leg.generation ? state : undefined;
}

async function stop(post: WorkPost, recalled: Recalled | undefined, reason: StopReason): Promise<LegOver> {
  switch (reason) {
    case 'lost':
      return plainEnd;
    case 'stalled':
      throw new Stalled();
    case 'timeout':
      await putDown(post, recalled, { trigger: 'timeout', why: 'The leg took as long as it may.' });
      return plainEnd;
    case 'told':
      await putDown(post, recalled, { trigger: 'user', why: 'The run was told to stop it.' });
      return plainEnd;
  }
}

class Stalled extends Error {
  constructor() {
    super('nothing was seen of the agent for as long as the crew allows');
  }
}

/** What cannot be sealed is no reason to keep the work, or to end it. */
async function seal(leg: Leg, recalled: Recalled | undefined, trigger: Trigger): Promise<void> {
  try {
    await leg.checkpoint({ ...recalled?.packet, trigger });
  } catch (error) {
    if (!isStaffettaError(error)) throw error;
  }
}

/** Seals what there is, and puts the work on offer again, for the agent of the plan or anybody of its lane. */
async function putDown(
  { leg, context, agent }: WorkPost,
  recalled: Recalled | undefined,
  { trigger, why }: { readonly trigger: Trigger; readonly why: string },
): Promise<void> {
  await seal(leg, recalled, trigger);
  const to: Address = agent.lane === leg.lane ? `agent:${agent.name}` : `lane:${leg.lane}`;
  await leave(context, leg, { to, trigger, why, ...(trigger === 'user' ? { outside: true } : {}) });
}

/** In the agent's name, as it left it: committed, validated, handed in. Null where it was taken; else what was found. */
async function handIn(
  site: CrewSite,
  post: WorkPost,
  { state, recalled }: { readonly state: TaskState; readonly recalled: Recalled | undefined },
): Promise<string | null> {
  const { leg, agent, folder } = post;
  try {
    if (folder !== null)
      await site.ground?.trees.commit({ path: folder, by: agent.name, title: leg.contract.title });
    const failed =
      (leg.contract.validation ?? []).length === 0
        ? []
        : (await leg.validate()).filter(({ passed }) => !passed);
    if (failed.length > 0)
      return failed
        .map(({ validation, output }) => `${validation.run.join(' ')} failed:\n${tailOf(output)}`)
        .join('\n\n');
    const { review } = leg.contract;
    const isReviewed = review?.owner !== undefined || review?.human === true || state.demands.length > 0;
    // An agent that had nothing to say of it acknowledges its leg by what it hands in: one entry, one commit.
    const ending = { ...recalled?.packet, acknowledge: true };
    if (isReviewed) await leg.submit(ending);
    else await completeOrSubmit(leg, ending);
    return null;
  } catch (error) {
    if (!isStaffettaError(error)) throw error;
    if (error.code === 'stale-generation') return null;
    return refusalWords(error, whyCharsMax);
  }
}

/** Only the packet shows whether a person has to look at what was changed. */
async function completeOrSubmit(leg: Leg, ending: EndingInput): Promise<void> {
  try {
    await leg.complete(ending);
  } catch (error) {
    if (!isStaffettaError(error, 'review-required')) throw error;
    await leg.submit(ending);
  }
}

const tailCharsMax = 1500;

function tailOf(output: Uint8Array): string {
  return Buffer.from(output).toString('utf8').trimEnd().slice(-tailCharsMax);
}

async function countUse(
  { leg, agent, runtime }: WorkPost,
  signs: LegSigns,
  recalled: Recalled | undefined,
): Promise<void> {
  const { tokens, cost } = signs.usage;
  const total = recalled?.usage?.tokens ?? tokens;
  if (total === undefined && cost === undefined) return;
  const state = await leg.state();
  const before = state.usage?.leg?.generation === leg.generation ? state.usage.leg : undefined;
  const more = Math.max(0, Math.round(total ?? 0) - (before?.tokens ?? 0));
  const paid = cost === undefined ? 0 : (before?.costs.find(({ unit }) => unit === cost.unit)?.amount ?? 0);
  const dearer = cost === undefined ? 0 : Math.max(0, cost.amount - paid);
  if (more === 0 && dearer === 0) return;
  try {
    await leg.countUsage({
      source: recalled?.usage?.source ?? runtime ?? agent.name,
      tokens: more,
      ...(cost === undefined || dearer === 0 ? {} : { cost: { unit: cost.unit, amount: dearer } }),
    });
  } catch (error) {
    // It ended its leg itself: what it used last is not worth a failure.
    if (!isStaffettaError(error)) throw error;
  }
}

async function giveUp(
  site: CrewSite,
  held: { readonly task: TaskState['task']; readonly generation: number },
  error: unknown,
): Promise<void> {
  const { state } = await load(site.context, held.task);
  if (state.leg?.generation !== held.generation) return;
  const leg = await Leg.from(site.context, state);
  try {
    await leg.retry(whyFailed(error));
  } catch (refused) {
    // Lapsed, or ended from outside meanwhile: it is in other hands.
    if (!isStaffettaError(refused, 'stale-generation') && !isStaffettaError(refused, 'wrong-state'))
      throw refused;
  }
}

function limitWords({ kind, until }: NonNullable<TurnEnd['limit']>): string {
  if (kind === 'context') return 'Its context is full.';
  return until === null
    ? 'Its account is exhausted, and does not say until when.'
    : 'Its account is exhausted.';
}

export function turnEndWords({ how, exit, signal, said }: TurnEnd): string {
  const end =
    how === 'refused'
      ? 'the agent did not go on'
      : `the program ended with ${signal ?? `exit code ${exit ?? 'unknown'}`}`;
  return said.trim() === '' ? end : `${end}: ${said.trim()}`;
}
