/**
 * Approved work goes onto the branch of the run, one after the other. Each merge is an effect of the run: announced before, with a receipt
 * after, and made again where nobody knows, since what is integrated already is told as that.
 */
import { joinCommand } from '../core/base/command-line.ts';
import { cut } from '../core/base/text.ts';
import type { Digest } from '../core/journal/digest.ts';
import type { Chart } from '../core/plan/chart.ts';
import { runBranch, type RunDocument } from '../core/plan/run-document.ts';
import type { NamedTask } from '../core/plan/work-plan.ts';
import type { TaskState } from '../core/task/state.ts';
import { readPacket } from '../handoff/history/history.ts';
import type { Context } from '../handoff/record/context.ts';
import { effect } from '../handoff/verbs/effect.ts';
import { integrate, review } from '../handoff/verbs/finish.ts';
import { escalate } from '../handoff/verbs/outside.ts';
import { findState } from '../handoff/record/load.ts';
import type { Held } from '../handoff/verbs/carry.ts';
import type { Leg } from '../handoff/verbs/leg.ts';
import type { KeptReason, KeptTree, Removal } from '../ports/trees.ts';
import type { Integration } from '../ports/integrate.ts';
import { crewActor, plannedId } from './run-names.ts';
import type { CrewSite } from './site.ts';

export interface Merge {
  readonly document: RunDocument;
  readonly task: NamedTask;
  readonly state: TaskState;
  /** The leg of the run. */
  readonly held: Held;
  /** The commit that was integrated last. */
  readonly integrated: string | null;
}

/** New trees begin where what was integrated so far is; an agent can move any branch of the repository it works in. */
export async function baseFor(
  { ground }: CrewSite,
  { base, name }: RunDocument,
  integrated: string | null,
): Promise<string | null> {
  if (base === undefined || ground === null) return null;
  if (integrated !== null) await ground.integrate.hold(name, integrated);
  return (await ground.integrate.head(name)) ?? base;
}

export function firstInPlan({ graph }: Chart, tasks: readonly string[]): string | undefined {
  const placeOf = (task: string): number => graph.indexOf.get(task) ?? Infinity;
  return tasks.toSorted((one, two) => placeOf(one) - placeOf(two))[0];
}

/** The commit that a packet was sealed on. What is to be integrated is committed before: the gate sees to it. */
export async function submittedHead(context: Context, packet: Digest | null): Promise<string | null> {
  if (packet === null) return null;
  return (await readPacket(context, packet)).facts?.workspace?.git?.head ?? null;
}

export async function mergeApproved(site: CrewSite, merge: Merge): Promise<void> {
  const { document, task, state, held } = merge;
  const { context, ground } = site;
  const packet = state.approval?.packet ?? null;
  const submitted = await submittedHead(context, packet);
  if (ground === null || document.base === undefined || submitted === null) {
    await escalate(
      context,
      state.task,
      { reason: 'conflict', text: 'It is approved, and nobody knows which commit it is.' },
      { by: crewActor },
    );
    return;
  }
  await baseFor(site, document, merge.integrated);
  const { base, name, plan } = document;
  const order = {
    run: name,
    task: task.name,
    submitted,
    base,
    title: state.terms.title,
    setup: (plan.setup ?? []).map(({ run }) => run),
    validation: (task.validation ?? []).map(({ run }) => run),
    linear: state.terms.integrate?.how === 'rebase',
  };
  const outcome = await effect(
    context,
    held,
    {
      // Handed in anew it is merged anew, also where the commit is the same.
      name: `merge/${task.name}/${packet?.slice(-12) ?? 'none'}`,
      perform: async () => await ground.integrate.integrate(order),
      options: { ifUnknown: 'retry' },
    },
    { by: crewActor },
  );
  await settle(site, merge, outcome);
}

async function settle(
  { context }: CrewSite,
  { document, state }: Merge,
  outcome: Integration,
): Promise<void> {
  const packet = state.approval?.packet ?? null;
  const onto = runBranch(document.name);
  const call = { by: crewActor };
  switch (outcome.how) {
    case 'integrated':
    case 'empty': {
      const commit = outcome.how === 'empty' ? outcome.onto : outcome.commit;
      await integrate(context, state.task, { packet, onto, commit, tree: outcome.tree }, call);
      return;
    }
    case 'conflict': {
      const text = `It conflicts with what is on ${onto}: ${outcome.files.join(', ')}. Merge ${outcome.onto} into your branch, settle it, and hand it in again.`;
      await sendBack(text);
      return;
    }
    case 'red': {
      const { failed } = outcome;
      const text = `Merged onto ${onto} (${outcome.onto}) it fails: ${joinCommand(failed.command)}\n${failed.output.trimEnd().slice(-1500)}\nMerge ${outcome.onto} into your branch, mend it, and hand it in again.`;
      await sendBack(text);
    }
  }

  async function sendBack(text: string): Promise<void> {
    await review(
      context,
      state.task,
      { approve: false, packet, findings: [{ text: cut(text, 4000) }] },
      call,
    );
  }
}

/** The tree of a task that is done goes where all of it is in what was integrated; else it stays, and the run's record says why. */
export async function clearTree(
  { context, ground }: CrewSite,
  { run, task, leg }: { readonly run: string; readonly task: string; readonly leg: Leg },
): Promise<void> {
  const state = await findState(context, plannedId(run, task));
  const into = await ground?.integrate.head(run);
  if (ground === null || state?.status !== 'done' || into === undefined || into === null) return;
  const removal = await ground.trees.remove({ run, task }, into);
  if (removal.removed || removal.why === 'unknown') return;
  const tree = (await ground.trees.list(run)).findLast((one) => one.task === task);
  if (tree === undefined) return;
  await leg.carry([{ type: 'run-step', what: 'kept', task: state.task, why: keptWords(tree, removal) }]);
}

const keptReasons: Readonly<Record<KeptReason, string>> = {
  unknown: 'nobody made it',
  alive: 'something still works there',
  changed: 'not committed',
  untracked: 'not committed',
  operation: 'not finished',
  'not-contained': 'on no other branch',
};

const keptNamed = 5;

/** Where it is, and what is left there. */
export function keptWords(
  { path }: Pick<KeptTree, 'path'>,
  { why, details }: Extract<Removal, { readonly removed: false }>,
): string {
  const more = details.length > keptNamed ? ` and ${details.length - keptNamed} more` : '';
  const named = why === 'alive' ? '' : `: ${details.slice(0, keptNamed).join(', ')}${more}`;
  return `${path} (${keptReasons[why]}${named})`;
}

/** What supervisors that were killed left of the run's trees, at its end: of reviews and routers, and of tasks that were merged and not cleared. */
export async function clearLeftTrees(
  site: CrewSite,
  { document, leg, integrated }: Pick<Merge, 'document' | 'integrated'> & { readonly leg: Leg },
): Promise<void> {
  const { ground } = site;
  const { name: run } = document;
  const into = await baseFor(site, document, integrated);
  if (ground === null || into === null) return;
  for (const { task, path } of await ground.trees.list(run)) {
    const removal = await ground.trees.remove({ run, task, path }, into);
    if (removal.removed || removal.why === 'unknown') continue;
    await leg.carry([{ type: 'run-step', what: 'kept', why: keptWords({ path }, removal) }]);
  }
}
