/** Codex CLI as a program in which agents run. */
import { randomBytes } from 'node:crypto';
import type { Transcript } from '../../core/transcript/step.ts';
import type { Runtime, SessionPlace } from '../../ports/runtime.ts';
import { StaffettaError } from '../../core/error.ts';
import { capture } from './capture.ts';
import { homeOf, locate, providerOf, type Environment } from './locate.ts';
import { read } from './read.ts';
import { sessions } from './sessions.ts';
import { newThreadId, plan, write, type Written } from './write.ts';

export interface CodexRuntime extends Runtime {
  /** A new session with this history, for work in this folder. */
  write(transcript: Transcript, target: { readonly folder: string; readonly now: number }): Promise<Written>;
}

export function codexRuntime(env: Environment): CodexRuntime {
  const home = (): string => homeOf(env) ?? noHome();
  return {
    name: 'codex',
    locate: async () => await Promise.resolve(locate(env)),
    async *sessions(query) {
      const found = homeOf(env);
      if (found !== null) yield* sessions(found, query);
    },
    capture: async (place: SessionPlace, from) => await capture(home(), place, from),
    read,
    write: async (transcript, { folder, now }) => {
      const session = { id: newThreadId(now, randomBytes(16)), folder, now, provider: providerOf(home()) };
      return await write(plan(home(), transcript, session), home());
    },
  };
}

function noHome(): never {
  throw new StaffettaError('invalid-input', 'Neither CODEX_HOME nor HOME names an absolute folder.', {
    hint: 'Set CODEX_HOME to the folder in which Codex keeps its sessions.',
  });
}
