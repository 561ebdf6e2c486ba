/** The command that starts Copilot CLI. The prompt goes by standard input, never by the arguments. */
import type { Asking, Launch, LaunchOptions, Prompt, Start } from '../../ports/runtime.ts';
import { plainLaunch } from '../plain-launch.ts';
import { unslashed } from '../spoken.ts';
import { agentHome, type Env } from './locate.ts';
import { resume } from './resume.ts';

/** Inside a session of its own it would take these for its own. */
export const inherited = ['COPILOT_CLI', 'COPILOT_AGENT_SESSION_ID', 'COPILOT_LOADER_PID'];

/** Measured with 1.0.102: its shell, the tools that write, and pages are denied unless options allow them. */
export const unasked =
  'Without a terminal Copilot CLI denies what would have to be approved: its shell, and the tools that write. ' +
  'Allow what the work needs, e.g. --arg=--allow-tool=write --arg=--allow-tool=shell.';

/** Of its tools those that only read. */
export const looking = '--available-tools=view,grep,glob';
export const asking: Asking = { args: [looking], keepsCopy: true };

export function launch(
  start: Start,
  prompt: Prompt,
  { env, ...options }: LaunchOptions & { readonly env: Env },
): Launch {
  const { args, session } = resume(start);
  return plainLaunch(prompt, options, {
    command: 'copilot',
    // A session would else go on in the folder that it was made in.
    started: { args: start.kind === 'new' ? args : ['-C', options.folder, ...args], session },
    output: {
      text: ['--output-format', 'text'],
      events: ['--output-format', 'json', '--stream', 'off'],
    },
    interactive: '--interactive',
    inherited,
    env: (env['COPILOT_HOME'] ?? '') === '' ? {} : { COPILOT_HOME: agentHome(env) },
    spoken: unslashed,
  });
}
