/** opencode as a program in which agents run. */
import type { Runtime } from '../../ports/runtime.ts';
import { askVersion } from '../ask-version.ts';
import { captureSession } from './capture.ts';
import { asking, launch, unasked } from './launch.ts';
import { databasePath, locateOpencode, type Env } from './locate.ts';
import { provisionsOf } from './provisions.ts';
import { read } from './read/read.ts';
import { listSessions, startedBy } from './sessions.ts';
import { toolbox } from './toolbox.ts';
import { write } from './write.ts';
import { working } from './working.ts';

export function runtime(env: Env): Runtime {
  return {
    name: 'opencode',
    provenVersions: ['1.18.33'],
    tools: toolbox,
    locate: async () => await Promise.resolve(locateOpencode(env)),
    sessions: async function* sessions(query) {
      yield* listSessions(databasePath(env), query);
    },
    capture: async (place, from) => await Promise.resolve(captureSession(place, from)),
    read,
    startedBy: async (place) => await Promise.resolve(startedBy(place)),
    write: async (transcript, options) => await write(transcript, { ...options, env }),
    asking,
    working,
    launch,
    version: async () =>
      await askVersion({
        program: locateOpencode(env)?.program ?? null,
        env,
        quiet: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
      }),
    provisions: async (folder) => await Promise.resolve(provisionsOf(env, folder)),
    hazards: async (how) => await Promise.resolve(how === 'headless' ? [unasked] : []),
  };
}
