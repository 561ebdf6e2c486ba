/** What is about many tasks, or about none. */
import { limits } from '../../core/limits.ts';
import { shownCard } from '../../core/state.ts';
import { readFindings } from '../../handoff/findings.ts';
import { load } from '../../handoff/load.ts';
import { bindingOf } from '../../handoff/verdict.ts';
import * as contract from '../contract.ts';
import { route, type Route } from '../route.ts';
import { search } from '../search.ts';

type Review = contract.ReviewQueue['reviews'][number];

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
        ...(cursor === undefined ? {} : { cursor }),
        onDamaged: () => {},
      });
      const reviews: Review[] = [];
      for (const card of page.cards) {
        const { state } = await load(context, card.task);
        const binds = await bindingOf(context, state);
        // Decided since the list was made.
        if (binds === null || state.submission === null) continue;
        const found = { error: 0, warning: 0, note: 0 };
        for (const { severity } of await readFindings(context, binds.findings)) found[severity] += 1;
        reviews.push({
          card: shownCard(card),
          by: state.submission.by,
          at: state.submission.at,
          binds,
          certification: state.sealed?.certification ?? null,
          found,
          demands: [...state.demands],
          owner: state.terms.review?.owner ?? null,
        });
      }
      return { reviews, next: page.next ?? null };
    },
  }),
  route({
    id: 'search',
    method: 'get',
    path: '/api/search',
    summary: 'Tasks by the words in their titles, goals, notes, decisions and messages',
    verb: 'read',
    query: contract.SearchQuery,
    answer: contract.SearchAnswer,
    handle: async ({ context, query }) => await search(context, query.q, query.limit ?? limits.pageDefault),
  }),
  route({
    id: 'whoAmI',
    method: 'get',
    path: '/api/me',
    summary: 'What the token stands for',
    verb: null,
    bound: true,
    answer: contract.Me,
    async handle({ grant: { id, actor, task, generation, verbs, expiresAt } }) {
      return { id, actor, task, generation, verbs, expiresAt };
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
