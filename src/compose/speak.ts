/** A session of a program on this machine, to which words are put. */
import { StaffettaError } from '../core/base/error.ts';
import type { RuntimeName } from '../core/resume/runtime-names.ts';
import type { TurnEnd } from '../ports/runner.ts';
import type { SessionCard, Launch, Runtime } from '../ports/runtime.ts';
import { loadRuntimePart, type AgentEnv } from '../runtimes/load.ts';
import { readFirst, refuseAlive } from '../runtimes/spoken.ts';

export interface SpokenTo {
  readonly runtime: RuntimeName;
  readonly session: string;
  readonly folder: string;
  readonly env: AgentEnv;
  /** Further arguments for the program. */
  readonly extra: readonly string[];
}

export interface Speaking {
  readonly session: SessionCard;
  /** By its protocol, with nobody to ask; resolves when it has answered. */
  put(words: string, heard: (text: string) => void): Promise<TurnEnd>;
  /** Words that name the file stand in the session; what opens it in a terminal is given. */
  open(file: string): Promise<Launch>;
}

export async function speakingTo(to: SpokenTo): Promise<Speaking> {
  const runtime = (await loadRuntimePart(to.runtime)).runtime(to.env);
  const session = await sessionOf(runtime, to);
  refuseAlive(session);
  return {
    session,
    put: async (words, heard) =>
      await put(runtime, to, { session, program: await programOf(runtime), words, heard }),
    open: async (file) => {
      const program = await programOf(runtime);
      await runtime.addWords?.(session, readFirst(file));
      const { folder, extra } = to;
      return runtime.launch(
        { kind: 'continue', session },
        { kind: 'terminal', file: null },
        { folder, program, extra },
      );
    },
  };
}

async function programOf(runtime: Runtime): Promise<string> {
  const program = (await runtime.locate())?.program ?? null;
  if (program !== null) return program;
  throw new StaffettaError('runtime-missing', `${runtime.name} is not installed here.`, {
    hint: 'Install it, or go on in another program.',
  });
}

async function sessionOf(runtime: Runtime, { session: id, folder }: SpokenTo): Promise<SessionCard> {
  for await (const card of runtime.sessions({ folder })) if (card.id === id) return card;
  for await (const card of runtime.sessions()) if (card.id === id) return card;
  throw new StaffettaError('not-resumable', `${runtime.name} has no session ${id} here.`, {
    hint: 'List the sessions again: staffetta sessions',
  });
}

interface Put {
  readonly session: SessionCard;
  readonly program: string;
  readonly words: string;
  readonly heard: (text: string) => void;
}

async function put(
  runtime: Runtime,
  { folder, env, extra }: SpokenTo,
  { session, program, words, heard }: Put,
): Promise<TurnEnd> {
  const { acpRunner } = await import('../runners/acp.ts');
  const leg = await acpRunner({ runtime, program, installed: program, extra }).open({
    folder,
    env,
    access: 'change',
    permissions: {},
    session: { runtime: runtime.name, id: session.id, path: session.path },
    // To look is no harm; whatever else is asked for, nobody is there to answer.
    ask: async ({ permission }) => await Promise.resolve(permission === 'read' ? 'allow' : 'deny'),
    seen: () => {},
    heard,
  });
  try {
    return await leg.turn(words);
  } finally {
    await leg.close();
  }
}
