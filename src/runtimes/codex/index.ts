/** Codex CLI as a program in which agents run. */
import { StaffettaError } from '../../core/base/error.ts';
import type { Runtime } from '../../ports/runtime.ts';
import { askVersion } from '../ask-version.ts';
import { capture } from './capture.ts';
import { asking, launch, unasked } from './launch.ts';
import { agentHome, locate, providerOf, type Env } from './locate.ts';
import { provisionsOf } from './provisions.ts';
import { read } from './read/read.ts';
import { sessions, startedBy } from './sessions.ts';
import { toolbox } from './toolbox.ts';
import { write } from './write.ts';
import { working } from './working.ts';

export function runtime(env: Env): Runtime {
  const home = (): string => agentHome(env) ?? noHome();
  return {
    name: 'codex',
    provenVersions: ['0.166.0'],
    tools: toolbox,
    locate: async () => await Promise.resolve(locate(env)),
    async *sessions(query) {
      const found = agentHome(env);
      if (found !== null) yield* sessions(found, query);
    },
    capture: async (place, from) => await capture(home(), place, from),
    read,
    startedBy: async (place) => await Promise.resolve(startedBy(home(), place)),
    write: async (transcript, options) =>
      await write(transcript, options, { home: home(), provider: providerOf(home()) }),
    asking,
    working,
    launch: (start, prompt, options) => launch(start, prompt, { ...options, home: home() }),
    version: async () => await askVersion({ program: locate(env)?.program ?? null, env }),
    provisions: async (folder) => await provisionsOf(agentHome(env), folder),
    hazards: async (how) => await Promise.resolve(how === 'headless' ? [unasked] : []),
  };
}

function noHome(): never {
  throw new StaffettaError('invalid-input', 'Neither CODEX_HOME nor HOME names an absolute folder.', {
    hint: 'Set CODEX_HOME to the folder in which Codex keeps its sessions.',
  });
}
