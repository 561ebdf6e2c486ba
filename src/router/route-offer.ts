/**
 * Who is to hear of an offer. The journal decides, every time anew: an offer that stands no more is for nobody, so a ring that comes late, twice or out
 * of order does nothing. The task of a run goes to the agents that its crew's edges, routes and strategy leave; any other to whom it is offered, and
 * where that is nobody by name, to those that an edge of its contract leads to.
 */
import { edgeEnds } from '../core/decide/edges.ts';
import type { TaskId } from '../core/journal/id.ts';
import { chartOf } from '../core/plan/chart.ts';
import { agentsOf } from '../core/plan/fitting-agents.ts';
import { plannedTasks } from '../core/plan/work-plan.ts';
import { candidatesFor } from '../core/plan/strategy.ts';
import { mailboxFor, type Address } from '../core/task/address.ts';
import type { Offer, TaskState } from '../core/task/state.ts';
import { runId } from '../crew/run-names.ts';
import { readRun } from '../crew/run-record.ts';
import { standingInRun } from '../crew/standing.ts';
import type { Context } from '../handoff/record/context.ts';
import { findState } from '../handoff/record/load.ts';

export type RoutedOffer =
  | { readonly how: 'ring'; readonly to: readonly Address[]; readonly offer: Offer }
  /** Taken, withdrawn, expired or removed since, or another one stands. */
  | { readonly how: 'over' }
  /** Recovery rings when its time has come. */
  | { readonly how: 'early'; readonly due: number };

export async function routeOffer(
  context: Context,
  /** Without an offer the one that stands. */
  { task, offer }: { readonly task: TaskId; readonly offer?: number },
): Promise<RoutedOffer> {
  const state = await findState(context, task);
  if (state === undefined || state.offer === null || state.unmet.length > 0) return { how: 'over' };
  if (offer !== undefined && state.offer.offer !== offer) return { how: 'over' };
  const due = state.offer.notBefore ?? 0;
  if (due > context.clock.now()) return { how: 'early', due };
  const inRun = await agentsInRun(context, state);
  const named = inRun.length > 0 ? inRun : alongEdges(state, state.offer);
  const to = named.length > 0 ? named : [mailboxFor(state.offer.to, state.offer.lane)];
  return { how: 'ring', to, offer: state.offer };
}

function alongEdges({ terms, custody }: TaskState, { to, cause }: Offer): Address[] {
  const { edges = 'any' } = terms;
  if (edges === 'any' || custody === null || cause !== 'handoff' || to.startsWith('agent:')) return [];
  return edgeEnds(edges, custody.agent).map((name): Address => `agent:${name}`);
}

/** By the key that tasks of a run are opened with. */
async function agentsInRun(context: Context, state: TaskState): Promise<Address[]> {
  const keys = await context.store.journal.keys(state.task);
  const [, run = '', name = ''] =
    /^run\/([^/]+)\/(.+)$/.exec(keys.find(({ seq }) => seq === 0)?.key ?? '') ?? [];
  if (run === '') return [];
  const document = (await readRun(context, runId(run))).documents.at(-1);
  if (document === undefined) return [];
  const { crew, plan } = document;
  const chart = chartOf(plannedTasks(plan, crew));
  const charted = chart.tasks.find((task) => task.name === name);
  const standing = standingInRun(state, []);
  if (charted === undefined || standing.at !== 'open') return [];
  const chosen = candidatesFor(charted, standing, {
    view: { chart, crew, standings: new Map([[name, standing]]) },
    agents: agentsOf(crew),
    turnsOf: () => 0,
  });
  return 'on' in chosen ? [] : chosen.map((agent): Address => `agent:${agent.name}`);
}
