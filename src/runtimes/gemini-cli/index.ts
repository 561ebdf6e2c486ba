import type {
  Captured,
  Cursor,
  Runtime,
  SessionCard,
  SessionPlace,
  SessionQuery,
} from '../../ports/runtime.ts';
import { captureGemini } from './capture.ts';
import type { Env } from './locate.ts';
import { dataFolder, locateGemini } from './locate.ts';
import { readGemini } from './read.ts';
import { sessionsOf } from './sessions.ts';

export function geminiCliRuntime(env: Env): Runtime {
  return {
    name: 'gemini-cli',
    locate: async () => locateGemini(env),
    async *sessions(query?: SessionQuery): AsyncGenerator<SessionCard> {
      const home = dataFolder(env);
      if (home !== null) yield* sessionsOf(home, query);
    },
    capture: async (session: SessionPlace, from?: Cursor): Promise<Captured> => captureGemini(session, from),
    read: readGemini,
  };
}
