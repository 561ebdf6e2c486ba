/**
 * An agent looks at what was submitted: in a tree of the very commit, in the audit lane, holding nothing. Its verdict is in the journal or
 * there is none; one that ends its turn without is asked once more, and then a person is. One that could not look has failed: it is started
 * again before a person is asked.
 */
import { defined } from '../core/base/defined.ts';
import { cut } from '../core/base/text.ts';
import { isStaffettaError } from '../core/base/error.ts';
import type { Tree } from '../ports/trees.ts';
import { keptWords, submittedHead } from './merge-queue.ts';
import { crewActor } from './run-names.ts';
import { escalate } from '../handoff/verbs/outside.ts';
import { load } from '../handoff/record/load.ts';
import type { CrewSite, ReviewPost } from './site.ts';
import { watchTurn } from './turns.ts';
import { turnEndWords, openLeg, plainEnd, type LegOver, type LegStart } from './work-leg.ts';
import { whyCharsMax, whyFailed } from './why-failed.ts';

const asksMax = 2;

export async function carryReview(site: CrewSite, start: LegStart): Promise<LegOver> {
  let tree: Tree | null = null;
  let over: LegOver;
  try {
    tree = await reviewTree(site, start);
    over = await review(site, start, tree);
  } catch (error) {
    if (!isStaffettaError(error)) over = await failed(site, start, whyFailed(error));
    else {
      await leftIn(site, tree);
      throw error;
    }
  }
  const kept = await leftIn(site, tree);
  return { ...over, ...defined({ kept }) };
}

/** It only looked: what it left in its tree is of no use to the run, and is named. */
async function leftIn({ ground }: CrewSite, tree: Tree | null): Promise<string | undefined> {
  if (tree === null || ground === null) return undefined;
  const removal = await ground.trees.remove(tree, tree.base);
  return removal.removed || removal.why === 'unknown' ? undefined : keptWords(tree, removal);
}

async function failed(site: CrewSite, start: LegStart, why: string): Promise<LegOver> {
  if (!(await isWaiting(site, start))) return plainEnd;
  return { ...plainEnd, failed: cut(`${start.agent.name} could not look at it: ${why}`, whyCharsMax) };
}

async function review(site: CrewSite, start: LegStart, tree: Tree | null): Promise<LegOver> {
  const { document, planned, agent, state, signs } = start;
  const { runtime } = planned;
  const folder = tree?.path ?? null;
  const context = folder === null ? site.context : site.contextIn(folder);
  const about = { run: document.name, task: planned.task, agent, runtime, folder, context, state };
  const post: ReviewPost = { for: 'review', ...about };
  const employment = await site.employ(post);
  const open = await openLeg(site, post, { employment, crew: document.crew, signs });
  try {
    const limits = { ...document.crew.limits, ...agent.limits };
    const never = new AbortController().signal;
    const watch = { clock: site.context.clock, limits, signs, lost: never, told: start.told };
    let { prompt } = employment;
    let ended = '';
    for (let asks = 0; asks < asksMax; asks += 1) {
      const { end, stopped } = await watchTurn(open, prompt, watch);
      if (!(await isWaiting(site, start))) return plainEnd;
      const limit = end.limit ?? (await employment.recall?.(open, end))?.limit;
      if (limit?.kind === 'usage') return { ...plainEnd, exhausted: { until: limit.until } };
      if (stopped === 'told') return plainEnd;
      ended = stopped ?? end.said;
      if (end.how !== 'over' && stopped === null && end.exit !== 0)
        return await failed(site, start, turnEndWords(end));
      prompt = `Nothing was decided. Say it with staffetta review ${state.task}: --approve, or --send-back with what must change.\n`;
    }
    await askPerson(site, start, `${agent.name} ended without a verdict. ${ended}`.trim());
    return plainEnd;
  } finally {
    await open.close();
  }
}

async function reviewTree(site: CrewSite, { document, planned, state }: LegStart): Promise<Tree | null> {
  if (site.ground === null) return null;
  const head = await submittedHead(site.context, state.submission?.packet ?? null);
  if (head === null) return null;
  // No task's name begins so.
  const task = `_review.${planned.task}.${state.packets}`;
  const setup = (document.plan.setup ?? []).map(({ run }) => run);
  return await site.ground.trees.make({ run: document.name, task, base: head, setup });
}

async function isWaiting({ context }: CrewSite, { state: before }: LegStart): Promise<boolean> {
  const { state } = await load(context, before.task);
  return state.status === 'submitted' && state.submission?.packet === before.submission?.packet;
}

async function askPerson({ context }: CrewSite, { state }: LegStart, text: string): Promise<void> {
  const { state: now } = await load(context, state.task);
  if (now.status !== 'submitted') return;
  await escalate(context, state.task, { text: cut(text, whyCharsMax) }, { by: crewActor });
}
