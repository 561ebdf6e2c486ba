/** Agents that are functions, for runs in one process. */
import type { CrewSite, Post } from '../../src/crew/site.ts';
import type { Context } from '../../src/handoff/record/context.ts';
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
