/** What is about many tasks, or about none. */
import { defined } from '../../core/base/defined.ts';
import { runtimeNames } from '../../core/resume/runtime-names.ts';
import { lanes } from '../../core/task/lanes.ts';
import { cardOf } from '../../core/task/card.ts';
import { isStaffettaError } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { limits } from '../../core/base/limits.ts';
import { openEntry } from '../../core/journal/sealed.ts';
import { changedLines } from '../../core/packet/changed-lines.ts';
import { resultsNow } from '../../handoff/history/results-now.ts';
import type { Finding } from '../../core/gate/finding.ts';
import { agreedPart } from '../../core/contract/added-terms.ts';
import { shownCard, type TaskState } from '../../core/task/state.ts';
import { isAmended } from '../../handoff/views/amended.ts';
import type { Context } from '../../handoff/record/context.ts';
import { readCheckedPacket } from '../../handoff/history/history.ts';
import { readFindings } from '../../handoff/sealing/findings.ts';
import { load } from '../../handoff/record/load.ts';
import { search } from '../../handoff/views/search.ts';
import { readStanding } from '../../handoff/views/standing-contract.ts';
import { readersOf } from '../../handoff/history/story.ts';
import { bindingOf } from '../../handoff/verbs/verdict.ts';
import * as contract from '../contract/contract.ts';
import * as looks from '../contract/contract-looks.ts';
import { route, type Route } from '../route.ts';

type Review = contract.ReviewQueue['reviews'][number];
type Glance = contract.Glances['glances'][number];

function countsOf(findings: readonly { readonly severity: Finding['severity'] }[]): Glance['found'] {
  const found = { error: 0, warning: 0, note: 0 };
  for (const { severity } of findings) found[severity] += 1;
  return found;
}

/** From the state and its latest packet: nothing is probed. */
async function shapeOf(context: Context, state: TaskState): Promise<contract.Shape> {
  const { leg, progress, terms, phases, usage } = state;
  const packet = state.packet === null ? null : await readCheckedPacket(context, state.packet);
  const checks =
    packet === null ? [] : resultsNow(packet, state, agreedPart(await readStanding(context, state)));
  return {
    runtime: leg?.holder.runtime ?? null,
    progress: progress === null ? null : { at: progress.at, of: progress.of, unit: progress.unit },
    phases: (terms.phases ?? []).map((name) => ({
      name,
      status: phases.find((phase) => phase.name === name)?.status ?? null,
    })),
    diff: changedLines(packet?.facts ?? {}),
    checks: checks.map(({ name, run, outcome, standing }) => ({
      name: name ?? run.join(' '),
      outcome:
        outcome === null ? 'not-run' : outcome === 'passed' && standing !== 'bound' ? 'stale' : outcome,
    })),
    tokens: usage?.tokens ?? 0,
  };
}

async function glanceAt(context: Context, task: TaskId): Promise<Glance | undefined> {
  const { state, lease } = await load(context, task);
  const [stored] = await context.store.journal.read(task, state.seq, 1);
  if (stored === undefined) return undefined;
  const { seq, at, by, events } = openEntry(stored);
  return {
    card: shownCard({ ...cardOf(state), leaseUntil: lease?.until ?? null }),
    last: { seq, at, by: by.name, types: events.map(({ type }) => type) },
    certification: state.sealed?.certification ?? null,
    found: countsOf(await readFindings(context, state.sealed?.findings ?? null)),
    stopped:
      state.status === 'escalated' && state.escalation !== null
        ? { reason: state.escalation.reason, text: state.escalation.text }
        : null,
    shape: await shapeOf(context, state),
  };
}

export const acrossRoutes: readonly Route[] = [
  route({
    id: 'listReviews',
    method: 'get',
    path: '/api/reviews',
    summary: 'What waits for a verdict, the oldest first, with the digests it binds to',
    verb: 'read',
    query: contract.PageQuery,
    answer: contract.ReviewQueue,
    async handle({ context, query: { limit = limits.pageDefault, cursor } }) {
      const page = await context.store.catalog.list({
        statuses: ['submitted'],
        oldestFirst: true,
        limit,
        ...defined({ cursor }),
        onDamaged: () => {},
      });
      const reviews: Review[] = [];
      for (const card of page.cards) {
        const { state } = await load(context, card.task);
        const binds = await bindingOf(context, state);
        // Decided since the list was made.
        if (binds === null || state.submission === null) continue;
        reviews.push({
          card: shownCard(card),
          by: state.submission.by,
          at: state.submission.at,
          binds,
          amended: isAmended(state),
          certification: state.sealed?.certification ?? null,
          findings: [...(await readFindings(context, binds.findings))],
          shape: await shapeOf(context, state),
          demands: [...state.demands],
          owner: state.terms.review?.owner ?? null,
        });
      }
      return { reviews, next: page.next ?? null };
    },
  }),
  route({
    id: 'glance',
    method: 'get',
    path: '/api/glances',
    summary: 'Cards of the tasks that are named, each with its last entry and what the gate found',
    verb: 'read',
    query: contract.GlanceQuery,
    answer: contract.Glances,
    async handle({ context, query }) {
      const glances: Glance[] = [];
      for (const task of query.task) {
        try {
          const glance = await glanceAt(context, task);
          if (glance !== undefined) glances.push(glance);
        } catch (error) {
          // One that is gone or damaged must not hide the others; the list names it.
          if (!isStaffettaError(error)) throw error;
        }
      }
      return { glances, now: context.clock.now() };
    },
  }),
  route({
    id: 'search',
    method: 'get',
    path: '/api/search',
    summary:
      'Tasks by the words in their contracts, notes, decisions, messages, packets, findings and histories',
    verb: 'read',
    query: looks.SearchQuery,
    answer: looks.SearchAnswer,
    async handle({ context, words, runtimes, query: { q, status, lane, holder, limit } }) {
      const means = { index: await words(), readerOf: readersOf(await runtimes()) };
      return await search(context, means, {
        words: q,
        ...defined({ statuses: status, lane, holder, limit }),
      });
    },
  }),
  route({
    id: 'whoAmI',
    method: 'get',
    path: '/api/me',
    summary: 'What the token stands for',
    verb: null,
    bound: true,
    answer: contract.Me,
    async handle({ grant: { id, actor, task, generation, leg = null, verbs, expiresAt } }) {
      const receivers = ['anyone', ...lanes.map((lane) => `lane:${lane}`), ...runtimeNames];
      return { id, actor, task, generation, leg, verbs, expiresAt, receivers };
    },
  }),
  route({
    id: 'signOut',
    method: 'post',
    path: '/api/sign-out',
    summary: 'Revoke the token that is used for this',
    verb: null,
    bound: true,
    answer: contract.SignedOut,
    handle: async ({ tokens, grant }) => ({ signedOut: await tokens.revoke(grant.id) }),
  }),
];
