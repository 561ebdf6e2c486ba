/** Cline as a program in which agents run. */
import type { Runtime, SessionCard, SessionQuery } from '../../ports/runtime.ts';
import { askVersion } from '../ask-version.ts';
import { addWords } from './add-words.ts';
import { capture } from './capture.ts';
import { asking, launch, settled, unasked } from './launch.ts';
import { locate, type Env } from './locate.ts';
import { provisionsOf } from './provisions.ts';
import { read } from './read/read.ts';
import { sessions, startedBy } from './sessions.ts';
import { toolbox } from './toolbox.ts';
import { working } from './working.ts';
import { write } from './write.ts';

export function runtime(env: Env): Runtime {
  return {
    name: 'cline',
    provenVersions: ['3.0.65'],
    tools: toolbox,
    locate: async () => await Promise.resolve(locate(env)),
    async *sessions(query?: SessionQuery): AsyncGenerator<SessionCard> {
      yield* await Promise.resolve(sessions(env, query));
    },
    capture,
    read,
    startedBy: async (place) => await Promise.resolve(startedBy(place)),
    write: async (transcript, options) => await write(env, transcript, options),
    addWords: async (place, text) => await Promise.resolve(addWords(place, text)),
    asking,
    working,
    launch,
    version: async () => await askVersion({ program: locate(env)?.program ?? null, env, quiet: settled }),
    provisions: async () => await Promise.resolve(provisionsOf(env)),
    hazards: async (how) => await Promise.resolve(how === 'headless' ? [unasked] : [before]),
  };
}

/** Measured with 3.0.65, whatever it is told of its backend. */
const before =
  'In a terminal Cline waits for your words where it goes on with a session: say “go on”. It leaves a process behind, its hub; “cline hub stop” ends it.';
