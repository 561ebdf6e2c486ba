/**
 * A command of the user's own that speaks JSON lines. It is told what it may do and holds itself to it: nothing is promised for it.
 * It is started once, and lives until the leg is closed.
 */
import { defined } from '../core/base/defined.ts';
import { StaffettaError } from '../core/base/error.ts';
import { limits } from '../core/base/limits.ts';
import type { LegOrder, Runner, SessionPlace } from '../ports/runner.ts';
import { startAgent, type AgentProgram } from './agent-program.ts';
import { objectIn } from './bounded-lines.ts';
import { FromCommand, type ToCommand } from './line-protocol.ts';
import { programLeg } from './program-leg.ts';
import { settlesWithin, Turns } from './turns.ts';

export interface LinesOptions {
  readonly graceMs?: number;
  /** How long it has to say that it goes on with a session. */
  readonly openMs?: number;
}

export function linesRunner(
  [program = '', ...args]: readonly string[],
  { graceMs = limits.programGraceMs, openMs = limits.agentOpenMsMax }: LinesOptions = {},
): Runner {
  return {
    kind: 'lines',
    enforces: () => new Set(),
    async open(order) {
      const agent = await startAgent(order, { program, args, graceMs });
      const turns = new Turns(order);
      const said = listen(agent, turns);
      const { folder, access, mode, model, permissions, session } = order;
      say(agent, {
        type: 'open',
        v: 1,
        folder,
        access,
        mode: mode ?? null,
        model: model ?? null,
        permissions,
        session: session ?? null,
      });
      if (session !== undefined) await goesOn(agent, { said, session, openMs });
      return programLeg(agent, turns, {
        session: () => said.session,
        begin: (prompt) => say(agent, { type: 'turn', prompt }),
        cancel: () => say(agent, { type: 'cancel' }),
        graceMs,
      });
    },
  };
}

interface Said {
  session: SessionPlace | null;
  readonly named: Promise<void>;
}

function say(agent: AgentProgram, message: ToCommand): void {
  agent.write(`${JSON.stringify(message)}\n`);
}

function listen(agent: AgentProgram, turns: Turns): Said {
  const named = Promise.withResolvers<void>();
  const said: Said = { session: null, named: named.promise };
  const hear = async (): Promise<void> => {
    for await (const line of agent.lines) {
      const message = FromCommand.safeParse(objectIn(line));
      if (!message.success) {
        turns.tell({ kind: 'noise', why: 'garbage' });
        continue;
      }
      const { data } = message;
      if (data.type === 'session') {
        said.session = { runtime: data.runtime, id: data.id, path: data.path };
        named.resolve();
      } else take(data, agent, turns);
    }
    named.resolve();
  };
  void hear();
  return said;
}

function take(
  message: Exclude<FromCommand, { readonly type: 'session' }>,
  agent: AgentProgram,
  turns: Turns,
): void {
  switch (message.type) {
    case 'said':
      turns.tell({ kind: message.as ?? 'said', text: message.text });
      break;
    case 'usage': {
      const { tokens, context, cost } = message;
      turns.tell({
        kind: 'usage',
        usage: {
          ...defined({ tokens, context, cost }),
        },
      });
      break;
    }
    case 'ask':
      void answer(message, agent, turns);
      break;
    case 'limit':
      turns.meet({ kind: message.kind, until: message.until ?? null });
      break;
    case 'over':
      turns.end(message.refused === undefined ? { how: 'over' } : { how: 'refused', said: message.refused });
      break;
  }
}

async function answer(
  { id, what, permission = null }: { id: string; what: string; permission?: LegQuestion | undefined },
  agent: AgentProgram,
  turns: Turns,
): Promise<void> {
  const given = await turns.ask({ permission, what });
  say(agent, { type: 'answer', id, allow: given === 'allow' });
}

type LegQuestion = Parameters<LegOrder['ask']>[0]['permission'];

async function goesOn(
  agent: AgentProgram,
  { said, session, openMs }: { said: Said; session: SessionPlace; openMs: number },
): Promise<void> {
  await settlesWithin(said.named, openMs);
  if (said.session?.id === session.id && said.session.runtime === session.runtime) return;
  await agent.end();
  throw new StaffettaError('not-resumable', `The command did not say that it goes on with ${session.id}.`, {
    hint: 'Begin a new session, or have the command answer an open with that session.',
  });
}
