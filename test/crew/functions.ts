/** Agents that are functions, put to work by a runner that has nothing else to do: for runs in one process. */
import type { CrewSite, Post } from '../../src/crew/site.ts';
import type { Context } from '../../src/handoff/record/context.ts';
import type { LegOrder, OpenLeg, Runner, TurnEnd } from '../../src/ports/runner.ts';

export type Turn = (post: Post, prompt: string, signal: AbortSignal) => Promise<Partial<TurnEnd> | void>;

export function siteOf(context: Context, turn: Turn, ground: CrewSite['ground'] = null): CrewSite {
  return {
    context,
    ground,
    session: 'here',
    contextIn: () => context,
    employ: async (post) => ({
      runner: runnerOf(async (prompt, signal) => await turn(post, prompt, signal)),
      order: { env: {} },
      prompt: 'Begin.',
    }),
  };
}

function runnerOf(turn: (prompt: string, signal: AbortSignal) => Promise<Partial<TurnEnd> | void>): Runner {
  return {
    kind: 'function',
    enforces: () => new Set(),
    open: async (_order: LegOrder): Promise<OpenLeg> => {
      let halt = new AbortController();
      return {
        session: null,
        turn: async (prompt) => {
          halt = new AbortController();
          try {
            return { how: 'over', said: '', ...(await turn(prompt, halt.signal)) };
          } catch (error) {
            return halt.signal.aborted
              ? { how: 'stopped', said: '' }
              : { how: 'refused', said: String(error) };
          }
        },
        stop: async () => halt.abort(),
        close: async () => {
          halt.abort();
          return { left: [] };
        },
      };
    },
  };
}
