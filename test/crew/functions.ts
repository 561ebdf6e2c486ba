/** Agents that are functions, for runs in one process. */
import type { RunDocument } from '../../src/core/plan/run-document.ts';
import type { CrewSite, Post } from '../../src/crew/site.ts';
import type { Context } from '../../src/handoff/record/context.ts';
import { review } from '../../src/handoff/verbs/finish.ts';
import { functionRunner } from '../../src/runners/function.ts';

export type Turn = (post: Post) => Promise<void>;

export function siteOf(context: Context, turn: Turn): CrewSite {
  return {
    context,
    ground: null,
    session: 'here',
    contextIn: () => context,
    employ: async (post) => ({
      runner: functionRunner(async () => await turn(post)),
      order: { env: {} },
      prompt: 'Begin.',
    }),
  };
}

export const eve = { name: 'eve', kind: 'human' } as const;

export function fence(change: Partial<RunDocument> = {}): RunDocument {
  return {
    v: 1,
    name: 'fence',
    plan: {
      goal: 'A fence stands around the garden.',
      defaults: { acceptance: ['It stands.'] },
      tasks: {
        posts: { goal: 'Posts stand.' },
        gate: { goal: 'A gate hangs.', needs: ['posts'] },
        rails: { goal: 'Rails are on.', needs: ['posts'] },
        paint: { goal: 'All is painted.', needs: ['gate', 'rails'] },
      },
    },
    crew: { agents: { code: { lane: 'execute', count: 2 }, qa: { lane: 'audit' } } },
    ...change,
  };
}

export const hands: Turn = async (post) => {
  if (post.for === 'review') {
    const { state, context, agent } = post;
    const packet = state.submission?.packet ?? null;
    await review(
      context,
      state.task,
      { approve: true, packet },
      { by: { name: agent.name, kind: 'agent', lane: 'audit' } },
    );
  } else {
    await post.leg.acknowledge();
    await post.leg.note('Did it.');
  }
};
