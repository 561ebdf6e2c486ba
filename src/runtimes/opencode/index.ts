import type { Runtime } from '../../ports/runtime.ts';
import { captureSession } from './capture.ts';
import { databasePath, locateOpencode, type Environment } from './locate.ts';
import { readRecords } from './read.ts';
import { listSessions } from './sessions.ts';

export function opencodeRuntime(env: Environment): Runtime {
  return {
    name: 'opencode',
    locate: async () => locateOpencode(env),
    sessions: async function* sessions(query) {
      yield* listSessions(databasePath(env), query);
    },
    capture: async (place, from) => captureSession(place, from),
    read: readRecords,
  };
}
