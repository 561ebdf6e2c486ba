/**
 * An agent that is a function in this process. What it starts with the environment that it is given has the mark, and is ended when
 * the leg is closed. The function itself cannot be ended: one that does not listen is not waited for.
 */
import { randomUUID } from 'node:crypto';
import { StaffettaError } from '../core/base/error.ts';
import { limits } from '../core/base/limits.ts';
import { markName } from '../ports/orphans.ts';
import type { LegOrder, LegSign, LegUsage, PermissionQuestion, Runner } from '../ports/runner.ts';
import { endStrays, straysWith } from '../process/strays.ts';
import { settlesWithin, Turns } from './turns.ts';

export interface FunctionTurn extends Pick<
  LegOrder,
  'folder' | 'env' | 'access' | 'mode' | 'model' | 'permissions'
> {
  readonly prompt: string;
  /** The turn is to end. */
  readonly signal: AbortSignal;
  /** For what needs a permission that is not given. Never true once the turn is to end. */
  readonly mayI: (question: PermissionQuestion) => Promise<boolean>;
  readonly say: (text: string, as?: Extract<LegSign, { readonly text: string }>['kind']) => void;
  readonly use: (usage: LegUsage) => void;
  readonly meet: (limit: { readonly kind: 'usage' | 'context'; readonly until: number | null }) => void;
}

/** Its turn is over when it resolves. One that throws could not go on. */
export type AgentFunction = (turn: FunctionTurn) => Promise<unknown>;

/** One for all turns: a new one notes where it was made, which takes as long as a short turn. */
const turnOver = new DOMException('The turn is over.', 'AbortError');

export function functionRunner(
  agent: AgentFunction,
  { graceMs = limits.programGraceMs }: { readonly graceMs?: number } = {},
): Runner {
  return {
    kind: 'function',
    enforces: () => new Set(),
    open: async (order) => await Promise.resolve(openFunction(agent, order, graceMs)),
  };
}

function openFunction(
  agent: AgentFunction,
  order: LegOrder,
  graceMs: number,
): Awaited<ReturnType<Runner['open']>> {
  if (order.session !== undefined)
    throw new StaffettaError('not-resumable', 'A function keeps no session that it could go on with.', {
      hint: 'Begin without a session.',
    });
  const mark = randomUUID();
  const noted = order.note?.(mark);
  const turns = new Turns(order);
  let abort = new AbortController();
  let isClosed = false;
  const { folder, access, mode, model, permissions } = order;
  const env = { ...order.env, [markName]: mark };
  // Who never looked at it has started nothing that bears the mark, and all processes of the machine need not be gone through.
  let isEnvKnown = false;
  const run = async (prompt: string, signal: AbortSignal): Promise<void> => {
    // What it says when its turn is over belongs to no turn.
    const during = (act: () => void): void => {
      if (!signal.aborted) act();
    };
    try {
      await agent({
        prompt,
        signal,
        folder,
        get env() {
          isEnvKnown = true;
          return env;
        },
        access,
        mode,
        model,
        permissions,
        mayI: async (question) => (signal.aborted ? false : (await turns.ask(question)) === 'allow'),
        say: (text, as = 'said') => during(() => turns.tell({ kind: as, text })),
        use: (usage) => during(() => turns.tell({ kind: 'usage', usage })),
        meet: (limit) => during(() => turns.meet(limit)),
      });
      during(() => turns.end({ how: 'over' }));
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      during(() => turns.end({ how: 'refused', said }));
    }
  };
  const stop = async (): Promise<void> => {
    const ended = turns.underWay;
    if (ended === null) return;
    turns.willStop();
    turns.dropQuestions();
    abort.abort();
    await settlesWithin(running, graceMs);
    turns.end({ how: 'stopped' });
  };
  let running: Promise<void> = Promise.resolve();
  return {
    session: null,
    async turn(prompt) {
      if (isClosed) return { how: 'ended', said: 'The leg is closed.' };
      const ended = turns.begin();
      if (ended === null) return { how: 'refused', said: 'Another turn is under way.' };
      abort = new AbortController();
      running = run(prompt, abort.signal);
      const end = await ended;
      abort.abort(turnOver);
      return end;
    },
    stop,
    async close() {
      isClosed = true;
      await stop();
      const { left } = isEnvKnown ? await endStrays({ mark }, graceMs) : { left: false };
      if (!left) noted?.ended();
      return { left: left ? straysWith({ mark }) : [] };
    },
  };
}
