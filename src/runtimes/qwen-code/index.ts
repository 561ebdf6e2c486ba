/** Qwen Code as a program in which agents run. */
import type { Runtime, SessionCard, SessionQuery } from '../../ports/runtime.ts';
import { askVersion } from '../ask-version.ts';
import { capture } from './capture.ts';
import { asking, launch, unasked } from './launch.ts';
import { agentHome, locate, type Env } from './locate.ts';
import { provisionsOf } from './provisions.ts';
import { read } from './read/read.ts';
import { sessions, startedBy } from './sessions.ts';
import { toolbox } from './toolbox.ts';
import { write } from './write.ts';
import { working } from './working.ts';

export function runtime(env: Env): Runtime {
  const home = agentHome(env);
  return {
    name: 'qwen-code',
    provenVersions: ['0.24.4'],
    tools: toolbox,
    locate: async () => await Promise.resolve(locate(env)),
    async *sessions(query?: SessionQuery): AsyncGenerator<SessionCard> {
      yield* await Promise.resolve(sessions(home, query));
    },
    capture,
    read,
    startedBy: async (place) => await Promise.resolve(startedBy(place)),
    write: async (transcript, options) => await write(home, transcript, options),
    asking,
    working,
    launch: (start, prompt, options) => launch(start, prompt, { ...options, env }),
    version: async () => await askVersion({ program: locate(env)?.program ?? null, env }),
    provisions: async (folder) => await Promise.resolve(provisionsOf(env, folder)),
    hazards: async (how) => await Promise.resolve(how === 'headless' ? [unasked] : []),
  };
}
