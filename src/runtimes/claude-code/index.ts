/** Claude Code as a program in which agents run. */
import type { Runtime } from '../../ports/runtime.ts';
import { askVersion } from '../ask-version.ts';
import { newId } from '../new-id.ts';
import { capture } from './capture.ts';
import { asking, launch, unasked } from './launch.ts';
import { agentHome, locate, type Env } from './locate.ts';
import { provisionsOf } from './provisions.ts';
import { read } from './read/read.ts';
import { sessions, startedBy } from './sessions.ts';
import { tellSession } from './tell.ts';
import { toolbox } from './toolbox.ts';
import { write } from './write.ts';
import { working } from './working.ts';

export function runtime(env: Env): Runtime {
  const home = agentHome(env);
  return {
    name: 'claude-code',
    provenVersions: ['2.1.325'],
    tools: toolbox,
    locate: async () => await Promise.resolve(locate(env)),
    sessions: (query) => sessions(home, query),
    capture,
    read,
    tell: async (place) => await Promise.resolve(tellSession(place)),
    startedBy: async (place) => await Promise.resolve(startedBy(place)),
    write: async (transcript, { folder, now, random, rehearse = false }) =>
      await write(transcript, { home, folder, now, rehearse, session: newId(random(16)) }),
    asking,
    working,
    launch: (start, prompt, options) => launch(start, prompt, { ...options, env }),
    version: async () =>
      await askVersion({
        program: locate(env)?.program ?? null,
        env,
        quiet: { DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
      }),
    provisions: async (folder) => await Promise.resolve(provisionsOf(env, folder)),
    hazards: async (how) => await Promise.resolve(how === 'headless' ? [unasked] : []),
  };
}
