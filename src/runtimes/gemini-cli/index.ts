/** Gemini CLI as a program in which agents run. */
import type { Runtime, SessionCard, SessionQuery } from '../../ports/runtime.ts';
import { askVersion } from '../ask-version.ts';
import { captureGemini } from './capture.ts';
import { asking, launch, unasked } from './launch.ts';
import { signsOf } from './liveness.ts';
import type { Env } from './locate.ts';
import { programData, locateGemini } from './locate.ts';
import { provisionsOf } from './provisions.ts';
import { read } from './read/read.ts';
import { retentionRisk } from './resume.ts';
import { sessionsOf, startedBy } from './sessions.ts';
import { toolbox } from './toolbox.ts';
import { write } from './write.ts';
import { working } from './working.ts';

export function runtime(env: Env): Runtime {
  return {
    name: 'gemini-cli',
    provenVersions: ['0.61.0'],
    tools: toolbox,
    locate: async () => await Promise.resolve(locateGemini(env)),
    async *sessions(query?: SessionQuery): AsyncGenerator<SessionCard> {
      const home = programData(env);
      if (home !== null) yield* sessionsOf(home, query, signsOf(env));
    },
    capture: async (session, from) => await Promise.resolve(captureGemini(session, from)),
    read,
    startedBy: async (session) => await Promise.resolve(startedBy(session)),
    write,
    asking,
    working,
    launch,
    version: async () => await askVersion({ program: locateGemini(env)?.program ?? null, env }),
    provisions: async (folder) => await Promise.resolve(provisionsOf(programData(env), folder)),
    hazards: async (how) => {
      const home = programData(env);
      const risk = home === null ? null : retentionRisk(home);
      return await Promise.resolve([
        ...(risk === null ? [] : [risk]),
        ...(how === 'headless' ? [unasked] : []),
      ]);
    },
  };
}
